// Words about a recorded game.

import { playerName } from '../i18n/botWords.ts';
import { hasText, joined, t } from '../i18n/language.ts';
import { clockWords } from '../room/clock.ts';
import { resultSentence } from '../room/words.ts';
import type { GameAnswer, Marks, Player } from '../types/page.d.ts';
import { limitWords } from '../ui/figures.ts';

/** The clock and the limits of a game in one line. */
export function limitsWords(record: GameAnswer) {
  const [x, o] = [record.x_limit, record.o_limit].map((limit) => (limit ? limitWords(limit) : ''));
  const limits =
    x === o
      ? [x]
      : [x && t('record.limit.side', { side: 'X', limit: x }), o && t('record.limit.side', { side: 'O', limit: o })];
  const none = t(record.source === 'ladder' ? 'record.limit.own' : 'record.limit.none');
  return joined([record.clock ? clockWords(record.clock) : '', ...limits], ' · ') || none;
}

/** Where a game was played. */
export function sourceWords(record: GameAnswer) {
  if (record.source === 'ladder' && record.run) {
    const [ladder, list] = record.run.split('/');
    return t('record.source.list', { ladder, list });
  }
  const key = `record.source.${record.source === 'room' && record.private ? 'private' : record.source}`;
  return hasText(key) ? t(key) : record.source;
}

/** How a recorded game ended, or that it did not. */
export function recordSentence(record: GameAnswer, marks: Marks) {
  if (!record.termination) return t('record.running');
  const seat = (who: Player) => ({ ...who, name: playerName(who), present: true });
  const game = { game: record.game, result: { winner: record.winner ?? null, termination: record.termination } };
  return resultSentence({ game, seats: { x: seat(record.x), o: seat(record.o) }, you: null }, marks);
}
