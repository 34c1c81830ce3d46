// @ts-check
// The board as grids of buttons, for mouse, touch and keyboard. One cell of the whole board is in the tab order
// (roving tabindex); arrow keys walk from it. Cells that may not be played stay focusable, so that one can read the
// board, and are marked with aria-disabled.

import { el, setAttribute, setText } from './dom.js';
import { geometry, gridsAcross, neighbour } from './geometry.js';
import { characters } from './settings.js';

/** @typedef {import('./types.js').Side} Side */
/**
 * @typedef {{marks: Map<string, Side>, names: {x: string, o: string}, playable: Set<string>, mover: Side|null,
 *            last: string|null, line: Set<string>, pending: string|null, forced: number|null|undefined,
 *            owners: (Side|null)[], closed: boolean[], over: boolean,
 *            hints?: Map<string, {text: string, heat: number}>, pointed?: Set<string>}} Picture
 *   Everything that a board shows; `mover` is whose mark a hover previews. Hints are told of cells and tint them, the
 *   more the nearer `heat` is to 1; cells that are pointed at are framed.
 */

// Below this size a finger covers several cells: a touch then chooses, and a second one plays.
const SURE_TOUCH_PX = 30;
// Up to this many columns cells are tiles with air between them, beyond it a fine grid.
const TILES = 5;

export class Board {
  /**
   * @param {import('./types.js').Rules} rules
   * @param {{onplay: (cell: string) => void, onrefused?: (cell: string) => void,
   *          onchoose?: (cell: string|null) => void}} listeners
   */
  constructor(rules, listeners) {
    this.rules = rules;
    this.geometry = geometry(rules);
    this.listeners = listeners;
    /** @type {Picture|null} */
    this.picture = null;
    /** @type {string|null} */
    this.chosen = null;
    this.touched = false;
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    /** @type {HTMLElement[]} */
    this.grids = [];
    /** @type {HTMLElement[]} */
    this.ownerMarks = [];
    this.focusCell = this.firstCell();
    this.node = this.build();
  }

  firstCell() {
    // The middle is where most games begin, and the shortest way to everywhere.
    const { grids, rows, columns, kind } = this.geometry;
    const grid = kind === 'nested' ? 4 : 0;
    return grids[grid].rows[Math.floor(rows / 2)][Math.floor((columns - 1) / 2)].text;
  }

  build() {
    const g = this.geometry;
    const node = el('div', {
      class: `board board-${g.kind}${g.columns <= TILES ? ' board-tiles' : ''}`,
      vars: {
        '--columns': g.columns,
        '--rows': g.rows,
        '--grids': g.grids.length,
        '--across': gridsAcross(g, false),
        '--across-narrow': gridsAcross(g, true),
        '--down': Math.ceil(g.grids.length / gridsAcross(g, false)),
      },
      onclick: (/** @type {Event} */ e) => this.clicked(e),
      onkeydown: (/** @type {KeyboardEvent} */ e) => this.keyed(e),
      onpointerdown: (/** @type {PointerEvent} */ e) => (this.touched = e.pointerType === 'touch'),
      onfocusin: (/** @type {FocusEvent} */ e) => this.focused(e),
    });
    g.grids.forEach((grid, number) => node.append(this.buildGrid(grid, number)));
    return node;
  }

  /** @param {import('./geometry.js').Grid} grid @param {number} number */
  buildGrid(grid, number) {
    const g = this.geometry;
    const rows = grid.rows.map((row) =>
      el('div', { role: 'row', class: 'row' }, row.map((cell) => this.buildCell(cell))),
    );
    const cells = el('div', { role: 'grid', class: 'cells', 'aria-label': this.gridLabel(number) }, rows);
    this.grids.push(cells);
    if (g.kind === 'nested') {
      const owner = el('span', { class: 'owner', 'aria-hidden': 'true' });
      this.ownerMarks.push(owner);
      return el(
        'div',
        { class: 'small' },
        el('span', { class: 'small-number', 'aria-hidden': 'true' }, number + 1),
        cells,
        owner,
      );
    }
    return el(
      'div',
      { class: 'layer' },
      g.kind === 'cube' && el('div', { class: 'layer-label', 'aria-hidden': 'true' }, grid.label),
      el('div', { class: 'ranks', 'aria-hidden': 'true' }, g.ranks.map((rank) => el('span', null, rank))),
      cells,
      el('div', { class: 'files', 'aria-hidden': 'true' }, g.files.map((file) => el('span', null, file))),
    );
  }

  /** @param {import('./geometry.js').Cell} cell */
  buildCell(cell) {
    const button = el('button', {
      type: 'button',
      class: 'cell',
      'data-cell': cell.text,
      tabindex: cell.text === this.focusCell ? 0 : -1,
    });
    this.buttons.set(cell.text, button);
    return el('div', { role: 'gridcell', class: 'place' }, button);
  }

  /** @param {Picture} picture */
  update(picture) {
    this.picture = picture;
    if (this.chosen && !picture.playable.has(this.chosen)) this.choose(null);
    for (const cell of this.geometry.cells.values()) this.updateCell(cell, picture);
    setAttribute(this.node, 'data-mover', picture.mover);
    this.node.classList.toggle('over', picture.over);
    this.node.classList.toggle('mine', picture.playable.size > 0);
    this.node.style.setProperty('--ghost', JSON.stringify(picture.mover ? picture.names[picture.mover] : ''));
    this.node.classList.toggle('ghost-wide', !!picture.mover && characters(picture.names[picture.mover]) > 1);
    this.grids.forEach((grid, number) => setAttribute(grid, 'aria-label', this.gridLabel(number)));
    this.ownerMarks.forEach((mark, number) => this.updateSmall(mark, number, picture));
  }

  /** @param {import('./geometry.js').Cell} cell @param {Picture} picture */
  updateCell(cell, picture) {
    const button = /** @type {HTMLButtonElement} */ (this.buttons.get(cell.text));
    const pending = picture.pending === cell.text;
    const side = picture.marks.get(cell.text) ?? (pending ? picture.mover : null);
    const text = side ? picture.names[side] : '';
    const playable = picture.playable.has(cell.text);
    setText(button, text);
    const classes = ['cell'];
    if (side) classes.push(`mark-${side}`);
    if (characters(text) > 1) classes.push('wide');
    if (pending) classes.push('pending');
    if (playable) classes.push('playable');
    if (cell.text === picture.last) classes.push('last');
    if (picture.line.has(cell.text) && !this.isWinningBoard(cell.grid)) classes.push('win');
    if (cell.text === this.chosen) classes.push('chosen');
    const hint = picture.hints?.get(cell.text);
    if (hint) classes.push('hinted');
    if (picture.pointed?.has(cell.text)) classes.push('pointed');
    if (hint || button.style.length) button.style.setProperty('--heat', `${Math.round((hint?.heat ?? 0) * 100)}%`);
    const joined = classes.join(' ');
    if (button.className !== joined) button.className = joined;
    let label = `${cell.spoken}, ${text || 'empty'}`;
    if (pending) label += ', being sent';
    if (hint) label += `, ${hint.text}`;
    if (cell.text === picture.last) label += ', last move';
    if (picture.line.has(cell.text)) label += ', in the winning line';
    setAttribute(button, 'aria-label', label);
    setAttribute(button, 'aria-disabled', playable ? null : 'true');
  }

  /** @param {HTMLElement} mark @param {number} number @param {Picture} picture */
  updateSmall(mark, number, picture) {
    const owner = picture.owners[number];
    const small = /** @type {HTMLElement} */ (mark.parentElement);
    setText(mark, owner ? picture.names[owner] : '');
    const classes = ['small'];
    if (owner) classes.push(`owned-${owner}`);
    if (owner && characters(picture.names[owner]) > 1) classes.push('owner-wide');
    if (picture.closed[number]) classes.push('closed');
    if (this.isWinningBoard(number)) classes.push('win-board');
    if (this.isOpenNow(number)) classes.push(picture.forced ? 'forced' : 'free');
    small.className = classes.join(' ');
  }

  /** Whether this small board as a whole is part of the winning line. @param {number} number */
  isWinningBoard(number) {
    const { kind, grids } = this.geometry;
    return kind === 'nested' && grids[number].rows.flat().every((cell) => this.picture?.line.has(cell.text));
  }

  /** @param {number} number a small board, from 0 */
  isOpenNow(number) {
    const picture = this.picture;
    if (!picture || picture.over || !picture.mover) return false;
    return picture.forced ? picture.forced === number + 1 : !picture.closed[number];
  }

  /** @param {number} number @returns {string} */
  gridLabel(number) {
    const { label } = this.geometry.grids[number];
    const picture = this.picture;
    if (this.geometry.kind !== 'nested' || !picture) return label;
    const owner = picture.owners[number];
    let text = label;
    if (owner) text += `, won by ${picture.names[owner]}`;
    if (picture.closed[number]) text += ', closed';
    else if (picture.forced && this.isOpenNow(number)) text += ', the board to play in';
    return text;
  }

  /** Puts the keyboard on the board. */
  focus() {
    this.buttons.get(this.focusCell)?.focus({ preventScroll: true });
  }

  // Inside

  /** @param {Event} event @returns {string|null} */
  cellOf(event) {
    const button = /** @type {HTMLElement} */ (event.target).closest?.('[data-cell]');
    return button instanceof HTMLElement ? (button.dataset.cell ?? null) : null;
  }

  /** @param {Event} event */
  clicked(event) {
    const cell = this.cellOf(event);
    if (!cell || !this.picture) return;
    if (!this.picture.playable.has(cell)) {
      this.choose(null);
      this.listeners.onrefused?.(cell);
      return;
    }
    const button = /** @type {HTMLButtonElement} */ (this.buttons.get(cell));
    // A click made by a key has no detail, whatever was touched before.
    const byFinger = this.touched && /** @type {MouseEvent} */ (event).detail > 0;
    if (byFinger && button.offsetWidth < SURE_TOUCH_PX && this.chosen !== cell) {
      this.choose(cell);
      return;
    }
    this.choose(null);
    this.listeners.onplay(cell);
  }

  /** @param {string|null} cell */
  choose(cell) {
    if (this.chosen === cell) return;
    const before = this.chosen;
    this.chosen = cell;
    for (const each of [before, cell]) {
      const place = each && this.geometry.cells.get(each);
      if (place && this.picture) this.updateCell(place, this.picture);
    }
    this.listeners.onchoose?.(cell);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const cell = this.cellOf(event);
    const from = cell && this.geometry.cells.get(cell);
    if (!from || event.altKey || event.metaKey || event.shiftKey) return;
    const to = neighbour(this.geometry, from, event.key, event.ctrlKey);
    if (!to) {
      if (event.key.startsWith('Page') || event.key.startsWith('Arrow')) event.preventDefault(); // the page stays put
      return;
    }
    event.preventDefault();
    this.buttons.get(to.text)?.focus();
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const cell = this.cellOf(event);
    if (!cell || cell === this.focusCell) return;
    setAttribute(/** @type {Element} */ (this.buttons.get(this.focusCell)), 'tabindex', '-1');
    setAttribute(/** @type {Element} */ (this.buttons.get(cell)), 'tabindex', '0');
    this.focusCell = cell;
  }
}
