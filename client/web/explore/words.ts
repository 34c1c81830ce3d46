// The explorer's sentences about a position and the games from it. Pure.

import { t } from '../i18n/language.ts';
import type { ExplorerAnswer, Marks } from '../types/page.d.ts';
import { percentWords } from '../ui/figures.ts';

export type Explored = ExplorerAnswer['next'][number];
export type Count = Pick<Explored, 'games' | 'x_won' | 'drawn' | 'o_won'>;
export type Position = { answer: ExplorerAnswer; moves: string[]; nested: boolean };

/** Whose turn it is and where, or how the game ended. */
export function whereWords({ answer, moves, nested }: Position, marks: Marks) {
  const { to_move, winner, forced } = answer;
  const count = moves.length;
  if (!to_move)
    return winner ? t('explorer.over.won', { count, mark: marks[winner] }) : t('explorer.over.drawn', { count });
  const where = nested ? (forced ? '.board' : '.any') : '';
  return t(`explorer.${count ? 'after' : 'first'}${where}`, { count, mark: marks[to_move], board: forced });
}

/** Why there are no games. @param game its name */
export function emptyWords({ answer, moves }: Position, game: string) {
  if (!answer.to_move) return t('explorer.empty.over');
  if (answer.pending) return t('explorer.empty.pending');
  return moves.length ? t('explorer.empty.position') : t('explorer.empty.game', { game });
}

/** Moves are tinted by how often they were played; moves set up beforehand count where nobody chose one. */
export function hintsOf({ next, set_up }: ExplorerAnswer) {
  const hints: Map<string, { text: string; heat: number }> = new Map();
  const moves = next.length ? next : set_up;
  const most = Math.max(1, ...moves.map((each) => each.games));
  for (const each of moves) {
    const hint = { text: t('explorer.games', { count: each.games }), heat: 0.25 + (0.75 * each.games) / most };
    for (const cell of [each.move, ...each.alike]) hints.set(cell, hint);
  }
  return hints;
}

/** "X 12 · drawn 3 · O 5" */
export function countWords(count: Count, marks: Marks) {
  return t('explorer.counts', { ...marks, x_won: count.x_won, drawn: count.drawn, o_won: count.o_won });
}

/** The points the mover scored, a draw being half, as a share. */
export function scoreWords(count: Count, mover: 'x' | 'o') {
  const won = mover === 'x' ? count.x_won : count.o_won;
  return percentWords(count.games && (won + count.drawn / 2) / count.games);
}
