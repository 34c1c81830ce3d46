// Facts about a recorded game, and about the move on the board.

import type { ComponentChildren } from 'preact';
import { number, pieces, t } from '../i18n/language.ts';
import { valueWords } from '../i18n/moveWords.ts';
import { explorePath, ladderPath, roomPath } from '../net/address.ts';
import { countWords } from '../room/words.ts';
import { timeWords, whenWords } from '../ui/figures.ts';
import { PlayerLink } from '../ui/names.tsx';
import { marks } from '../ui/settings.ts';
import { Figures, moveLabel } from './moveList.tsx';
import type { Replay } from './replay.ts';
import { limitsWords, sourceWords } from './words.ts';

const EXPECTED_MOVES = 60;

function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function About({ replay }: { replay: Replay }) {
  const record = replay.record.value;
  const { start } = replay;
  const began = whenWords(record.started_ms);
  const took = record.ended_ms === null ? -1 : record.ended_ms - record.started_ms;
  const run = record.source === 'ladder' && record.run ? ladderPath(record.run) : null;
  const where = run ? <a href={run}>{sourceWords(record)}</a> : sourceWords(record);
  const opening = record.opening ?? start.join(' ');
  return (
    <dl class="facts">
      {(['x', 'o'] as const).map((side) => (
        <Fact key={side} term={marks()[side]}>
          <PlayerLink player={record[side]} />
          {record[`${side}_version`] && ` ${t('record.version', { version: record[`${side}_version`] })}`}
        </Fact>
      ))}
      <Fact term={t('record.played')}>
        {took >= 0 ? t('record.played.took', { when: began, time: timeWords(took) }) : began}
      </Fact>
      <Fact term={t('record.limits')}>{limitsWords(record)}</Fact>
      <Fact term={t('record.where')}>
        {record.rated ? pieces<ComponentChildren>('record.where.rated', { where }) : where}
      </Fact>
      {!record.termination && record.room && (
        <Fact term={t('record.live')}>
          <a href={roomPath(record.room)}>{t('record.live.watch')}</a>
        </Fact>
      )}
      {opening && (
        <Fact term={t('record.start')}>
          <a href={explorePath(record.game, start)}>{opening}</a>
        </Fact>
      )}
      {record.pair_game && (
        <Fact term={t('record.pair')}>
          {pieces<ComponentChildren>('record.pair.swapped', {
            game: <a href={`/game/${record.pair_game}`}>{t('record.pair.other')}</a>,
          })}
        </Fact>
      )}
      <Fact term={t('record.game')}>{t('record.game.number', { id: String(record.id), count: replay.last })}</Fact>
    </dl>
  );
}

/** The record of the last move on the board; while pointing at another move, the bot's search at that one. */
export function MoveFacts({ replay, pointed }: { replay: Replay; pointed: number | null }) {
  const ply = replay.ply.value - 1;
  const { start } = replay;
  const searches = replay.searches.value;
  const about = pointed !== null && pointed in searches ? pointed : ply;
  const label = about >= 0 ? moveLabel(replay.texts.value[about], start.length + about) : '';
  const title =
    ply >= 0 ? t('record.move', { ply: ply + 1 }) : t(start.length ? 'record.move.opening' : 'record.before');
  return (
    <section class="panel sunken" aria-label={t('record.move.this')}>
      <h2>{title}</h2>
      <Figures label={label} search={searches[about]} expected={EXPECTED_MOVES} />
      <dl class="facts">
        {ply >= 0 ? (
          <Known replay={replay} ply={ply} told={ply in searches} />
        ) : (
          start.length > 0 && <Fact term={t('record.set-up')}>{start.join(' ')}</Fact>
        )}
      </dl>
    </section>
  );
}

/** @param told whether a line above already shows the search */
function Known({ replay, ply, told }: { replay: Replay; ply: number; told: boolean }) {
  const move = replay.record.value.moves?.[ply];
  if (!move) return null;
  const rate = move.nodes && move.think_ms ? (1000 * move.nodes) / move.think_ms : 0;
  const left_ms = move[`${move.by}_ms`];
  const win_in = move.win_in ?? 0;
  const facts: [name: string, value: ComponentChildren][] = [
    ['time', timeWords(move.think_ms)],
    ['left', left_ms != null && timeWords(left_ms)],
    ['waited', move.wait_ms && timeWords(move.wait_ms)],
    ['nodes', !told && move.nodes && number(move.nodes)],
    ['rate', rate && countWords(rate)],
    ['value', !told && move.value != null && valueWords(move.value)],
    [win_in > 0 ? 'wins' : 'loses', !told && win_in && t('record.plies', { count: Math.abs(win_in) })],
    ['pruned', move.pruned && number(move.pruned)],
  ];
  return facts.map(([name, value]) =>
    value ? (
      <Fact key={name} term={t(`record.move.${name}`)}>
        {value}
      </Fact>
    ) : null,
  );
}
