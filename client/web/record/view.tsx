// The replay of a recorded game: any position, the time of each move, what bots found, and the review. The address
// follows the position. A running game is shown as far as it has been played, and grows.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { playerName } from '../i18n/botWords.ts';
import { t } from '../i18n/language.ts';
import { secretIn } from '../net/address.ts';
import { Chart } from '../ui/chart.tsx';
import { whenWords } from '../ui/figures.ts';
import { marks } from '../ui/settings.ts';
import { type LoadError, Unloaded, useLoading, worded } from '../ui/unloaded.tsx';
import { useApp } from '../ui/view.tsx';
import { Actions } from './actions.tsx';
import { limitsOf, timesDrawn, timesSentence, valuesDrawn } from './chartSeries.ts';
import { About, MoveFacts } from './facts.tsx';
import { MoveList } from './moveList.tsx';
import { Position } from './position.tsx';
import type { Wanted } from './replay.ts';
import { Replay, recordOf } from './replay.ts';
import { ReviewPanel, ReviewSummary } from './reviewPanel.tsx';
import { recordSentence } from './words.ts';

/** @param query `ply` after the start, or `marks` on the board; `review` requests one @param hash may hold a secret */
export function RecordPage({ id, query, hash }: { id: string; query: URLSearchParams; hash: string }) {
  const app = useApp();
  const share = secretIn(hash);
  const {
    answer: replay,
    error,
    load,
  } = useLoading(async () => {
    const record = await recordOf(id, share).catch((reason) => {
      throw worded(reason, whyNot(reason, id, share));
    });
    return new Replay(app, record, await app.catalog.rules(record.game), share);
  }, []);
  useLayoutEffect(() => {
    replay?.open(asksFor(query));
    return () => replay?.close();
  }, [replay]);
  if (error && !replay) return <Unloaded error={error} retry={load} />;
  return (
    <div class={replay ? 'replay' : 'replay loading'}>
      <Head replay={replay} />
      {replay && (
        <>
          <div class="replay-main stack">
            <Position replay={replay} />
            <ReviewPanel replay={replay} />
            <ReviewSummary replay={replay} />
            <Charts replay={replay} />
          </div>
          <Side replay={replay} />
        </>
      )}
    </div>
  );
}

/** The heading stays the same element, so that it keeps the focus. */
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
    <header class="replay-head room-head">
      <h1 ref={heading} tabIndex={-1}>
        {replay ? replay.rules.name : t('record.opening')}
      </h1>
      {record && <small class="muted">{whenWords(record.started_ms)}</small>}
      {record && <p class="status over-result">{recordSentence(record, marks())}</p>}
      {record?.fault && (
        <p class="fault bad" lang="en">
          {record.fault}
        </p>
      )}
    </header>
  );
}

function Side({ replay }: { replay: Replay }) {
  const pointed = useSignal<number | null>(null);
  return (
    <div class="replay-side stack">
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
      <section class="panel quiet rules stack tight">
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

/** In place of a record that cannot be shown. */
function whyNot(error: LoadError, id: string, share: string | null) {
  if (error.status !== 404) return t('record.missing', { reason: error.message });
  return t(share === null ? 'record.missing.none' : 'record.missing.link', { id });
}

export function Charts({ replay }: { replay: Replay }) {
  const record = replay.record.value;
  const moves = record.moves ?? [];
  if (!moves.length) return null;
  const judged = replay.judged.value;
  const at = replay.ply.value ? replay.ply.value - 1 : null;
  const choose = (index: number) => replay.go(index + 1);
  return (
    <>
      {judged.size > 0 && (
        <section class="panel values" aria-label={t('chart.value')}>
          <Chart
            label={t('chart.value.each')}
            {...valuesDrawn(judged, moves.length, marks())}
            at={at}
            onChoose={choose}
          >
            <h2>{t('chart.value')}</h2>
          </Chart>
        </section>
      )}
      <section class="panel times" aria-label={t('chart.time')}>
        <Chart label={t('chart.time.each')} {...timesDrawn(moves, limitsOf(record), marks())} at={at} onChoose={choose}>
          <h2>{t('chart.time')}</h2>
          <p class="muted times-caption">{timesSentence(moves, marks())}</p>
        </Chart>
      </section>
    </>
  );
}
