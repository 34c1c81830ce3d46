// @ts-check
// Sentences about moves that are chosen, planned or typed, and where they lead.

import { t } from '../i18n/language.js';
import { capital, spokenMove } from '../i18n/moveWords.js';

/** @param {string} key @param {string} move @param {import('../i18n/language.js').Values} [values] */
function about(key, move, values) {
  return capital(t(key, { move: spokenMove(move), ...values }));
}

/** @param {string} cell */
export const chosenSentence = (cell) => about('board.chosen', cell);

/** @param {string} move */
export const plannedSentence = (move) => about('plan.made', move);

/** @param {string} move */
export const unplannedSentence = (move) => about('plan.dropped', move);

/** @param {string} move */
export const illegalPlanSentence = (move) => about('plan.illegal', move);

/** @param {string} move */
export const lostPlanSentence = (move) => about('plan.lost', move);

/**
 * Where a move would send the opponent: to a board, or to any open one.
 * @param {string} cell @param {number|null} board @param {string} mark the opponent's
 */
export const targetSentence = (cell, board, mark) =>
  about(board ? 'board.leads' : 'board.leads.any', cell, { mark, board });

/** @param {string} text what was typed @param {string} example */
export function nonsenseSentence(text, example) {
  const shown = [...text.trim()].slice(0, 12).join('');
  return shown ? t('typed.nonsense', { text: shown, example }) : t('typed.empty', { example });
}

/** @param {string} text what was typed @param {string} first @param {string} last */
export function elsewhereSentence(text, first, last) {
  return t('typed.elsewhere', { text: text.trim(), first, last });
}
