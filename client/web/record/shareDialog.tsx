// Sharing a private game: a link that works for whoever has it, created on request and revocable.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { date, t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { shareLink } from '../net/address.ts';
import { getJson } from '../net/catalog.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copyField.tsx';
import { Complaint, DialogTitle, openDialog } from '../ui/dialog.tsx';
import { token } from '../ui/settings.ts';
import type { Replay } from './replay.ts';

type Shared = { shared: boolean; made_ms?: number | null; secret?: string | null };

export function openShare(app: App, replay: Replay) {
  openDialog(app, (close) => <Share app={app} replay={replay} close={close} />, 'share-dialog');
}

function Share({ app, replay, close }: { app: App; replay: Replay; close: () => void }) {
  /** The server's answer; null until it arrives. */
  const shared = useSignal<Shared | null>(null);
  const wrong = useSignal('');
  const busy = useSignal(false);

  const ask = async (method?: 'POST' | 'DELETE', said?: string) => {
    busy.value = true;
    wrong.value = '';
    try {
      shared.value = await getJson(`/api/games/${encodeURIComponent(replay.id)}/share`, token(), { method });
      if (said) app.say(t(said));
    } catch (error) {
      wrong.value = (error as Error).message;
    }
    busy.value = false;
  };
  useEffect(() => void ask(), []);

  const now = shared.value;
  return (
    <form method="dialog">
      <DialogTitle>{t('share.title')}</DialogTitle>
      <p>{t('share.meaning')}</p>
      {now?.secret && <CopyField link={shareLink(location.origin, replay.id, now.secret)} label={t('share.link')} />}
      {now?.shared && (
        <p class="muted" role="status">
          {t(now.secret ? 'share.made' : 'share.there', { when: when(now.made_ms) })}
        </p>
      )}
      <Complaint>{wrong.value}</Complaint>
      <div class="submit-row">
        {now && !now.secret && (
          <Button
            say={now.shared ? 'share.anew' : 'share.make'}
            class="primary"
            disabled={busy.value}
            act={() => ask('POST', 'share.said.made')}
          />
        )}
        {now?.shared && (
          <Button
            say="share.withdraw"
            class="danger"
            disabled={busy.value}
            act={() => ask('DELETE', 'share.said.withdrawn')}
          />
        )}
        <Button say="share.close" act={close} />
      </div>
    </form>
  );
}

function when(ms: number | null | undefined) {
  return ms ? date(ms, { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' }) : '';
}
