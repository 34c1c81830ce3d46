// @ts-check
// A real board for a game that is played on the page alone.

import { BoardFrame } from '../board/frame.js';
import { leadsTo } from '../board/position.js';
import { t } from '../i18n/language.js';
import { capital, spokenMove } from '../i18n/moveWords.js';
import { marks, preferences } from '../ui/settings.js';
import { Table } from './position.js';

/** @typedef {import('./position.js').Position} Position */

export class LearnBoard {
  /**
   * @param {import('../types/page.js').Rules} rules
   * @param {{onplay: (cell: string) => void, tell: (sentence: string) => void}} listeners
   */
  constructor(rules, listeners) {
    this.rules = rules;
    this.table = new Table(rules);
    /** @type {Position} */
    this.position = this.table.after([]);
    this.open = false;
    this.tell = listeners.tell;
    this.frame = new BoardFrame(rules, {
      onplay: (cell) => listeners.onplay(cell),
      onrefused: (cell) => this.refused(cell),
      onchoose: (cell) => cell && this.tell(t('board.chosen', { move: capital(spokenMove(cell)) })),
      confirms: () => preferences().confirm,
    });
    this.node = this.frame.node;
  }

  /** @param {string[]} moves @param {{open?: boolean, pointed?: string[]}} [how] `open`: a move can be made */
  show(moves, how) {
    const position = this.table.after(moves);
    this.position = position;
    this.open = how?.open === true;
    this.frame.update({
      marks: position.marks,
      names: marks(),
      playable: new Set(this.open ? position.legal : []),
      mover: position.toMove,
      last: position.last,
      line: new Set(position.line),
      pending: null,
      forced: this.rules.nested ? (position.forced ?? null) : undefined,
      owners: position.owners,
      closed: position.closed,
      over: position.toMove === null,
      pointed: new Set(how?.pointed ?? []),
      leads: (cell) => leadsTo(this.rules, moves, cell),
    });
  }

  /** Makes a cell the one where the keyboard comes to. @param {string} cell */
  stand(cell) {
    this.frame.stand(cell);
  }

  focus() {
    this.frame.focus();
  }

  /** @param {string} cell */
  refused(cell) {
    if (!this.open) return;
    const { position } = this;
    const move = capital(spokenMove(cell));
    if (position.marks.has(cell)) this.tell(t('learn.taken', { move }));
    else if (position.forced) this.tell(t('learn.elsewhere', { move, board: position.forced }));
    else this.tell(t('learn.closed', { move }));
  }
}
