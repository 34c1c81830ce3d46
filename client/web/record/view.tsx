// A recorded game, replayed: any position of it, what each move took, what bots found and what a review says. The
// address follows the position. A game that still runs is shown as far as it is, and grows.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { playerName } from '../i18n/botWords.ts';
import { t } from '../i18n/language.ts';
import { getJson } from '../net/catalog.ts';
import { Lost } from '../ui/lost.tsx';
import { marks, token } from '../ui/settings.ts';
import { useApp } from '../ui/view.tsx';
import { Actions } from './actions.tsx';
import { Charts } from './charts.tsx';
import { About, MoveFacts } from './facts.tsx';
import { MoveList } from './moveList.tsx';
import { Position } from './position.tsx';
import type { Wanted } from './replay.ts';
import { Replay } from './replay.ts';
import { ReviewPanel } from './reviewPanel.tsx';
import { ReviewSummary } from './reviewSummary.tsx';
import { secretIn } from './shareLink.ts';
import { dateWords, recordSentence } from './words.ts';

/** @param query `ply` after the start, or `marks` on the board; `review` asks for one @param hash may hold a secret */
export function RecordPage({ id, query, hash }: { id: string; query: URLSearchParams; hash: string }) {
  const app = useApp();
  const replay = useSignal<Replay | null>(null);
  const failed = useSignal<Failure | null>(null);
  const wanted = useRef(0);
  const share = secretIn(hash);

  const load = async () => {
    const asked = ++wanted.current;
    try {
      const record = await getJson(`/api/games/${encodeURIComponent(id)}`, token(), { share });
      const rules = await app.catalog.rules(record.game);
      if (asked !== wanted.current) return;
      const opened = new Replay(app, record, rules, share);
      opened.open(asksFor(query));
      failed.value = null;
      replay.value = opened;
    } catch (error) {
      if (asked === wanted.current) failed.value = whyNot(error as Error & { status?: number }, id, share);
    }
  };
  useLayoutEffect(() => {
    void load();
    // Whoever stands before a page that could not be loaded need not ask for it again when the line is back.
    const again = () => void (failed.value?.again && load());
    app.connection.addEventListener('open', again);
    return () => {
      wanted.current = -1;
      app.connection.removeEventListener('open', again);
      replay.value?.close();
    };
  }, []);

  if (failed.value) {
    const { sentence, again } = failed.value;
    return <Lost sentence={sentence} again={again ? () => void load() : undefined} />;
  }
  const opened = replay.value;
  return (
    <div class={opened ? 'replay' : 'replay loading'}>
      <Head replay={opened} />
      {opened && (
        <>
          <div class="replay-main">
            <Position replay={opened} />
            <ReviewPanel replay={opened} />
            <ReviewSummary replay={opened} />
            <Charts replay={opened} />
          </div>
          <Side replay={opened} />
        </>
      )}
    </div>
  );
}

/** The heading stays the same element, so that the focus does. */
function Head({ replay }: { replay: Replay | null }) {
  const app = useApp();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!replay) return;
    const { x, o } = replay.record.value;
    app.setTitle(t('record.of', { x: playerName(x), o: playerName(o), game: replay.rules.name }));
    app.settle(heading.current);
  }, [replay]);
  const record = replay?.record.value;
  return (
    <header class="replay-head">
      <h1 ref={heading} tabIndex={-1}>
        {replay ? replay.rules.name : t('record.opening')}
      </h1>
      {record && <small class="muted">{dateWords(record.started_ms)}</small>}
      {record && <p class="status over-result">{recordSentence(record, marks())}</p>}
      {record?.fault && <p class="fault bad">{record.fault}</p>}
    </header>
  );
}

function Side({ replay }: { replay: Replay }) {
  const pointed = useSignal<number | null>(null);
  return (
    <div class="replay-side">
      <section class="panel">
        <h2>{t('record.moves')}</h2>
        <MoveList
          moves={replay.texts.value}
          start={replay.start}
          shown={replay.ply.value}
          searches={replay.searches.value}
          times={replay.times.value}
          judged={replay.judged.value}
          onPoint={(ply) => {
            pointed.value = ply;
          }}
          onChoose={(shown) => replay.go(shown)}
        />
      </section>
      <MoveFacts replay={replay} pointed={pointed.value} />
      <Actions replay={replay} />
      <section class="panel quiet">
        <h2>{t('record.about')}</h2>
        <About replay={replay} />
      </section>
      <section class="panel quiet rules">
        <h2>{t('record.rules')}</h2>
        {replay.rules.sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </section>
    </div>
  );
}

function asksFor(query: URLSearchParams): Wanted {
  return { ply: digits(query.get('ply')), marks: digits(query.get('marks')), review: query.has('review') };
}

function digits(text: string | null) {
  return text && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

type Failure = { sentence: string; again: boolean };

/** What stands in the place of a record that cannot be had; asking again helps where it may be there. */
function whyNot(error: Error & { status?: number }, id: string, share: string | null): Failure {
  if (error.status !== 404) return { sentence: t('record.missing', { reason: error.message }), again: true };
  return { sentence: t(share === null ? 'record.missing.none' : 'record.missing.link', { id }), again: false };
}
