// Sentences about moves that are chosen, planned or typed, and where they lead.

import type { Values } from '../i18n/language.ts';
import { t } from '../i18n/language.ts';
import { capital, spokenMove } from '../i18n/moveWords.ts';

function about(key: string, move: string, values?: Values) {
  return capital(t(key, { move: spokenMove(move), ...values }));
}

export const chosenSentence = (cell: string) => about('board.chosen', cell);

export const plannedSentence = (move: string) => about('plan.made', move);

export const unplannedSentence = (move: string) => about('plan.dropped', move);

export const illegalPlanSentence = (move: string) => about('plan.illegal', move);

export const lostPlanSentence = (move: string) => about('plan.lost', move);

/**
 * Where a move would send the opponent: to a board, or to any open one.
 * @param mark the opponent's
 */
export const targetSentence = (cell: string, board: number | null, mark: string) =>
  about(board ? 'board.leads' : 'board.leads.any', cell, { mark, board });

/** @param text what was typed */
export function nonsenseSentence(text: string, example: string) {
  const shown = [...text.trim()].slice(0, 12).join('');
  return shown ? t('typed.nonsense', { text: shown, example }) : t('typed.empty', { example });
}

/** @param text what was typed */
export function elsewhereSentence(text: string, first: string, last: string) {
  return t('typed.elsewhere', { text: text.trim(), first, last });
}
