// Actions for a record: play on from it, explore it, share it, save it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { explorePath } from '../net/address.ts';
import { asking } from '../net/catalog.ts';
import { loaded } from '../net/errors.ts';
import { PlayOn } from '../room/playOnButton.tsx';
import { Button } from '../ui/button.tsx';
import { saveAs } from '../ui/download.ts';
import { token } from '../ui/settings.ts';
import type { Replay } from './replay.ts';
import { openShare } from './shareDialog.tsx';

export function Actions({ replay }: { replay: Replay }) {
  const { app, rules } = replay;
  const record = replay.record.value;
  const { all } = replay.seen();
  const picture = async () => {
    const { openPicture } = await loaded(import('./pictureDialog.tsx'));
    openPicture(app, replay);
  };
  return (
    <section class="panel quiet actions" aria-label={t('record.actions')}>
      <PlayOn rules={rules} moves={record.termination ? all : null} />
      <a class="button" href={explorePath(record.game, replay.moves)}>
        {t('record.explore')}
      </a>
      {record.private && replay.mine && record.termination ? (
        <Button say="record.share" act={() => openShare(app, replay)} />
      ) : (
        (!record.private || replay.share !== null) && <CopyLink replay={replay} />
      )}
      <Button say="record.picture" act={() => app.attempt(picture)} />
      <div class="downloads">
        <Download replay={replay} form="jsonl" />
        <Download replay={replay} form="txt" />
      </div>
    </section>
  );
}

/** A link that works for its recipient: the plain address of a public game, or with the secret of this one. */
function CopyLink({ replay }: { replay: Replay }) {
  const told = useSignal('');
  const ply = replay.ply.value;
  useEffect(() => {
    told.value = '';
  }, [ply]);
  const copy = async () => {
    replay.address();
    try {
      await navigator.clipboard.writeText(location.href);
      told.value = t('record.copied');
    } catch {
      told.value = t('record.copied.not', { link: location.href });
    }
    replay.app.say(told.value);
  };
  return (
    <>
      <Button say="record.copy" title={t('record.copy.meaning')} act={copy} />
      <p class="muted copied small-print" hidden={!told.value}>
        {told.value}
      </p>
    </>
  );
}

/** A plain link for a public game; otherwise fetched with headers that a link cannot send. */
function Download({ replay, form }: { replay: Replay; form: 'jsonl' | 'txt' }) {
  const { id, app, share } = replay;
  const href = `/api/games/${encodeURIComponent(id)}.${form}`;
  const name = `noughts-${id}.${form}`;
  const label = t(`record.${form}`);
  const title = t(`record.${form}.meaning`);
  if (!replay.record.value.private)
    return (
      <a class="button quiet" href={href} download={name} title={title}>
        {label}
      </a>
    );
  const save = async () => {
    const response = await fetch(href, { headers: asking(token(), share) });
    if (!response.ok) throw new Error(String(response.status));
    saveAs(await response.blob(), name);
  };
  return (
    <Button
      class="quiet"
      title={title}
      act={() => save().catch(() => app.fail(new Error(t('record.download.failed'))))}
    >
      {label}
    </Button>
  );
}
