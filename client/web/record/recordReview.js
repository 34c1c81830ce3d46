// @ts-check
// The review of the game that a record shows: asking for it, and every place of the page where it is seen.

import { onlyMove, sideAt } from '../board/position.js';
import { t } from '../i18n/language.js';
import { marks, token } from '../ui/settings.js';
import { Review } from './review.js';
import { progressWords, ReviewPanel } from './reviewPanel.js';
import { ReviewSummary } from './reviewSummary.js';
import { drawnValue, gradeOf, sentence, stateWords, summarySentence } from './reviewWords.js';

/** @typedef {import('./reviewWords.js').JudgedMove} JudgedMove */
/** @typedef {import('../types/page.js').Rules} Rules */
/**
 * @typedef {{rules: Rules, start: string[], texts: string[], over: boolean, names: {x: string, o: string}}} ReviewedGame
 */

/** Games with proofs that count moves to the end from above. */
const BOUNDED = ['qubic', 'super'];

export class RecordReview {
  /**
   * @param {import('../main.js').App} app @param {string} id
   * @param {{onchange: () => void, ongo: (ply: number) => void, online: (plies: number) => void}} listeners
   *   `online` is told how many moves of the best line are to be seen on the board, 0 for the game itself
   */
  constructor(app, id, listeners) {
    this.app = app;
    this.listeners = listeners;
    /** @type {ReviewedGame|null} */
    this.game = null;
    /** By ply. @type {Map<number, JudgedMove>} */
    this.judged = new Map();
    this.review = new Review(app.connection, id);
    this.review.addEventListener('change', () => this.changed());
    this.phase = this.review.phase;
    this.panel = new ReviewPanel(this.review, {
      onstart: () => this.start(),
      oncancel: () => this.review.cancel(),
      online: (plies) => listeners.online(plies),
    });
    this.short = new ReviewSummary((ply) => listeners.ongo(ply));
  }

  close() {
    this.game = null;
    this.review.close();
  }

  /** Shows what is stored; asks for the rest if that is `wanted`. @param {boolean} wanted */
  async open(wanted) {
    await this.review.load(token());
    if (wanted && this.game?.texts.length) this.start();
  }

  start() {
    if (this.review.phase === 'done' || this.review.busy) return;
    this.app.say(t('review.begins'));
    void this.review.start();
  }

  changed() {
    if (!this.game) return;
    const { rules, start, texts } = this.game;
    const told = [...this.review.moves].filter(([ply]) => ply < texts.length);
    const bounded = BOUNDED.includes(rules.id) || told.some(([, judged]) => judged.at_most);
    this.judged = new Map(
      told.map(([ply, judged]) => {
        const before = [...start, ...texts.slice(0, ply)];
        return [
          ply,
          { ply, side: sideAt(before.length), move: texts[ply], judged, only: onlyMove(rules, before), bounded },
        ];
      }),
    );
    this.tell();
    this.listeners.onchange();
  }

  /** Begin and end only, not each move; and nothing of what was stored. */
  tell() {
    const { phase } = this.review;
    const before = this.phase;
    this.phase = phase;
    if (phase === before || before === 'idle' || !this.game) return;
    if (phase === 'done') this.app.say(t('review.ends', { summary: summarySentence(this.inOrder(), marks()) }));
    if (phase === 'cancelled' || phase === 'refused') this.app.say(progressWords(this.review, this.game.texts.length));
  }

  inOrder() {
    return [...this.judged.values()].sort((a, b) => a.ply - b.ply);
  }

  /** @param {number} shown moves on the board @param {{x: string, o: string}} mine the marks */
  update(shown, mine) {
    if (!this.game) return;
    const { texts, start, over, names } = this.game;
    this.panel.update(over ? texts.length : 0, this.judged.get(shown - 1), mine, start.length + shown - 1);
    this.short.update(this.inOrder(), texts.length, mine, names);
  }

  /** What the chart shows. @param {{x: string, o: string}} mine */
  values(mine) {
    return (this.game?.texts ?? []).map((_, ply) => {
      const judged = this.judged.get(ply);
      if (!judged) return null;
      const words = stateWords(judged.judged.verdict, judged.side, mine);
      const { exact } = judged.judged;
      return {
        value: drawnValue(judged),
        exact,
        grade: gradeOf(judged),
        words: exact ? words : t('review.state.estimated', { state: words }),
      };
    });
  }

  /** What is said of a move, after a space. @param {number} ply */
  words(ply) {
    const judged = this.judged.get(ply);
    return judged ? ` ${sentence(judged, marks())}` : '';
  }

  /** The first moves of the best line from before the move. @param {number} ply @param {number} plies */
  line(ply, plies) {
    return this.judged.get(ply)?.judged.best.slice(0, plies) ?? [];
  }
}
