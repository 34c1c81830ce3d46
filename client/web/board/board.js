// @ts-check
// The board as grids of buttons, for mouse, touch and keyboard. One cell of the whole board is in the tab order
// (roving tabindex); arrow keys walk from it. Cells that may not be played stay focusable, so that one can read the
// board, and are marked with aria-disabled.

import { t } from '../i18n/language.js';
import { el, setAttribute, setText } from '../ui/dom.js';
import { characters } from '../ui/settings.js';
import { geometry, gridsAcross, neighbour } from './geometry.js';

/** @typedef {import('../types/page.js').Side} Side */
/**
 * @typedef {{marks: Map<string, Side>, names: {x: string, o: string}, playable: Set<string>, mover: Side|null,
 *            last: string|null, line: Set<string>, pending: string|null, forced: number|null|undefined,
 *            owners: (Side|null)[], closed: boolean[], over: boolean,
 *            hints?: Map<string, {text: string, heat: number}>, pointed?: Set<string>,
 *            threats?: Map<string, 'x'|'o'|'xo'>, plannable?: Set<string>, planned?: string|null,
 *            planner?: Side|null, leads?: (cell: string) => number|null|undefined}} Picture
 *   Everything that a board shows; `mover` is whose mark a hover previews. Hints are told of cells and tint them, the
 *   more the nearer `heat` is to 1; cells that are pointed at are framed; threats say who would complete a line there.
 *   While the opponent thinks, cells are `plannable` for the `planner`, and one may be `planned`.
 *   On nested boards `leads` tells which board a move sends the opponent to, as `leadsTo` does.
 */

// Below this size a finger covers several cells: a touch then chooses, and a second one plays.
const SURE_TOUCH_PX = 30;
// Up to this many columns cells are tiles with air between them, beyond it a fine grid.
const TILES = 5;

export class Board {
  /**
   * @param {import('../types/page.js').Rules} rules
   * @param {{onplay: (cell: string) => void, onrefused?: (cell: string) => void,
   *          onchoose?: (cell: string|null) => void, onplan?: (cell: string) => void, confirms?: () => boolean}} listeners
   *   `confirms` tells whether a move takes two touches wherever it is made.
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
    /** What `showLines` has marked. @type {string[]} */
    this.lined = [];
    /** @type {string|null} */
    this.looked = null;
    /** What the mouse is over, and what the keyboard is on and shows. @type {string|null} */
    this.hovered = null;
    /** @type {string|null} */
    this.keyed = null;
    /** Where a mark is previewed. @type {Set<string>} */
    this.previewed = new Set();
    /** What a click would play or plan. @type {string|null} */
    this.clickable = null;
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
      onpointerdown: (/** @type {PointerEvent} */ e) => (this.touched = e.pointerType === 'touch'),
      ...this.handlers(),
    });
    g.grids.forEach((grid, number) => node.append(this.buildGrid(grid, number)));
    return node;
  }

  /** What the node that holds the cells listens to. */
  handlers() {
    return {
      onclick: (/** @type {Event} */ e) => this.clicked(e),
      onkeydown: (/** @type {KeyboardEvent} */ e) => this.pressed(e),
      onkeyup: (/** @type {KeyboardEvent} */ e) => this.keyedAt(e), // a key may bring out a focus that the mouse left
      onfocusin: (/** @type {FocusEvent} */ e) => this.focused(e),
      onfocusout: () => this.preview({ keyed: null }),
      onpointerover: (/** @type {PointerEvent} */ e) =>
        e.pointerType !== 'touch' && this.preview({ hovered: this.cellOf(e) }),
      onpointerleave: () => this.preview({ hovered: null }),
    };
  }

  /** @param {import('./geometry.js').Grid} grid @param {number} number */
  buildGrid(grid, number) {
    const g = this.geometry;
    const rows = grid.rows.map((row) =>
      el(
        'div',
        { role: 'row', class: 'row' },
        row.map((cell) => this.buildCell(cell)),
      ),
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
      el(
        'div',
        { class: 'ranks', 'aria-hidden': 'true' },
        g.ranks.map((rank) => el('span', null, rank)),
      ),
      cells,
      el(
        'div',
        { class: 'files', 'aria-hidden': 'true' },
        g.files.map((file) => el('span', null, file)),
      ),
    );
  }

  /** @param {import('./geometry.js').Cell} cell */
  buildCell(cell) {
    const button = el('button', {
      type: 'button',
      class: 'cell',
      [this.cellKey]: cell.text,
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
    this.node.classList.toggle('over', picture.over);
    this.grids.forEach((grid, number) => setAttribute(grid, 'aria-label', this.gridLabel(number)));
    this.ownerMarks.forEach((mark, number) => this.updateSmall(mark, number, picture));
    this.preview({});
  }

  /**
   * Previews the mark of a move under the mouse, at the keyboard and where one looks or has chosen. The few cells
   * themselves are marked: a style for every cell that may be played would have to be worked out for all at each move.
   * @param {{hovered?: string|null, keyed?: string|null}} change
   */
  preview(change) {
    Object.assign(this, change);
    const { picture } = this;
    const mover = picture && !picture.pending ? picture.mover : null;
    const seen = [this.hovered, this.keyed, this.looked, this.chosen].filter((cell) => cell !== null);
    const previewed = new Set(seen.filter((cell) => mover && picture?.playable.has(cell)));
    for (const cell of this.previewed) if (!previewed.has(cell)) this.ghost(cell, null);
    for (const cell of previewed) this.ghost(cell, mover);
    this.previewed = previewed;
    const { hovered } = this;
    this.point(hovered !== null && (previewed.has(hovered) || picture?.plannable?.has(hovered)) ? hovered : null);
  }

  /** The mouse is on a cell that it can play or plan. @param {string|null} cell */
  point(cell) {
    if (cell === this.clickable) return;
    if (this.clickable) this.buttons.get(this.clickable)?.removeAttribute('data-clickable');
    if (cell) this.buttons.get(cell)?.setAttribute('data-clickable', '');
    this.clickable = cell;
  }

  /** @param {string} cell @param {Side|null} side */
  ghost(cell, side) {
    const face = this.face(/** @type {HTMLButtonElement} */ (this.buttons.get(cell)));
    const text = side && /** @type {Picture} */ (this.picture).names[side];
    setAttribute(face, 'data-ghost', text);
    setAttribute(face, 'data-ghost-of', side);
    setAttribute(face, 'data-ghost-wide', text && characters(text) > 1 ? '' : null);
  }

  /** The attribute that names the cell of a button. */
  get cellKey() {
    return 'data-cell';
  }

  /** The class of every cell. */
  get cellClass() {
    return 'cell';
  }

  /** What holds the mark of a cell. @param {HTMLButtonElement} button @returns {Element} */
  face(button) {
    return button;
  }

  /** @param {import('./geometry.js').Cell} cell @param {Picture} picture */
  updateCell(cell, picture) {
    const button = /** @type {HTMLButtonElement} */ (this.buttons.get(cell.text));
    const pending = picture.pending === cell.text;
    const planned = picture.planned === cell.text;
    const meant = pending ? picture.mover : planned ? picture.planner : null;
    const side = picture.marks.get(cell.text) ?? meant ?? null;
    const text = side ? picture.names[side] : '';
    const playable = picture.playable.has(cell.text);
    setText(this.face(button), text);
    const classes = [this.cellClass];
    if (side) classes.push(`mark-${side}`);
    if (characters(text) > 1) classes.push('wide');
    if (pending) classes.push('pending');
    if (planned) classes.push('planned');
    if (picture.plannable?.has(cell.text)) classes.push('plannable');
    if (playable) classes.push('playable');
    if (!side && this.isBarred(cell, picture)) classes.push('barred');
    if (cell.text === picture.last) classes.push('last');
    if (picture.line.has(cell.text) && !this.isWinningBoard(cell.grid)) classes.push('win');
    if (cell.text === this.chosen) classes.push('chosen');
    const hint = picture.hints?.get(cell.text);
    if (hint) classes.push('hinted');
    if (picture.pointed?.has(cell.text)) classes.push('pointed');
    if (hint || button.style.length) button.style.setProperty('--heat', `${Math.round((hint?.heat ?? 0) * 100)}%`);
    const joined = classes.join(' ');
    if (button.className !== joined) button.className = joined;
    const threat = side ? null : (picture.threats?.get(cell.text) ?? null);
    setAttribute(button, 'data-threat', threat);
    const label = [cell.spoken, planned ? t('cell.empty') : text || t('cell.empty')];
    if (pending) label.push(t('cell.sending'));
    if (planned) label.push(t('cell.planned', { mark: text }));
    if (hint) label.push(hint.text);
    if (threat)
      label.push(threat === 'xo' ? t('cell.completes.either') : t('cell.completes', { mark: picture.names[threat] }));
    if (cell.text === this.chosen) label.push(t('cell.chosen'));
    if (cell.text === picture.last) label.push(t('cell.last'));
    if (picture.line.has(cell.text)) label.push(t('cell.won'));
    setAttribute(button, 'aria-label', label.join(', '));
    setAttribute(button, 'aria-disabled', playable || picture.plannable?.has(cell.text) ? null : 'true');
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

  /** Whether an empty cell of a nested board is out of reach: to whoever is at this board, else to whoever is to move.
   * @param {import('./geometry.js').Cell} cell @param {Picture} picture */
  isBarred(cell, picture) {
    if (this.geometry.kind !== 'nested') return false;
    return picture.playable.size ? !picture.playable.has(cell.text) : !this.isOpenNow(cell.grid);
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
    const parts = [label];
    if (owner) parts.push(t('board.small.won', { mark: picture.names[owner] }));
    if (picture.closed[number]) parts.push(t('board.small.closed'));
    else if (picture.forced && this.isOpenNow(number)) parts.push(t('board.small.forced'));
    return parts.join(', ');
  }

  /**
   * Marks the cell that is looked at, and those on a line with it by who can still complete that.
   * @param {string|null} looked @param {Map<string, string>} states
   */
  showLines(looked, states) {
    if (this.looked && this.looked !== looked) this.buttons.get(this.looked)?.removeAttribute('data-looked');
    if (looked) this.buttons.get(looked)?.setAttribute('data-looked', '');
    this.looked = looked;
    for (const cell of this.lined) if (!states.has(cell)) this.buttons.get(cell)?.removeAttribute('data-line');
    for (const [cell, state] of states)
      setAttribute(/** @type {Element} */ (this.buttons.get(cell)), 'data-line', state);
    this.lined = [...states.keys()];
    this.preview({});
  }

  /** Marks the small board that a move would lead to. @param {number|null|undefined} number from 1 */
  showTarget(number) {
    this.ownerMarks.forEach((mark, i) =>
      setAttribute(/** @type {Element} */ (mark.parentElement), 'data-target', i + 1 === number ? '' : null),
    );
  }

  /** Puts the keyboard on the board. */
  focus() {
    this.buttons.get(this.focusCell)?.focus({ preventScroll: true });
  }

  // Inside

  /** @param {{target: EventTarget|null}} event @returns {string|null} */
  cellOf(event) {
    const button = /** @type {Element} */ (event.target).closest?.(`[${this.cellKey}]`);
    return button?.getAttribute(this.cellKey) ?? null;
  }

  /** A touch plays what may be played now, else plans it, else says why not. @param {Event} event */
  clicked(event) {
    const cell = this.cellOf(event);
    if (!cell || !this.picture) return;
    if (this.picture.pending || !this.picture.playable.has(cell)) {
      this.choose(null);
      if (this.picture.plannable?.has(cell)) this.listeners.onplan?.(cell);
      else this.listeners.onrefused?.(cell);
      return;
    }
    const button = /** @type {HTMLButtonElement} */ (this.buttons.get(cell));
    // A click made by a key has no detail, whatever was touched before.
    const byFinger = this.touched && /** @type {MouseEvent} */ (event).detail > 0;
    const unsure = (byFinger && this.sizeOf(button) < SURE_TOUCH_PX) || this.listeners.confirms?.();
    if (unsure && this.chosen !== cell) {
      this.choose(cell);
      return;
    }
    this.choose(null);
    this.listeners.onplay(cell);
  }

  /** How many pixels a finger has. @param {HTMLButtonElement} button */
  sizeOf(button) {
    return button.offsetWidth;
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
    this.preview({});
    this.listeners.onchoose?.(cell);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const cell = this.cellOf(event);
    const from = cell && this.geometry.cells.get(cell);
    if (!from || event.altKey || event.metaKey || event.shiftKey) return;
    const to = neighbour(this.geometry, from, this.keyOf(event), event.ctrlKey);
    if (!to) {
      if (event.key.startsWith('Page') || event.key.startsWith('Arrow')) event.preventDefault(); // the page stays put
      return;
    }
    event.preventDefault();
    this.buttons.get(to.text)?.focus();
  }

  /** @param {KeyboardEvent} event */
  keyOf(event) {
    return event.key;
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const cell = this.cellOf(event);
    if (cell) this.stand(cell);
    this.keyedAt(event);
  }

  /** @param {Event} event */
  keyedAt(event) {
    this.preview({
      keyed: /** @type {Element} */ (event.target).matches(':focus-visible') ? this.cellOf(event) : null,
    });
  }

  /** Makes a cell the one in the tab order. @param {string} cell */
  stand(cell) {
    if (cell === this.focusCell) return;
    setAttribute(/** @type {Element} */ (this.buttons.get(this.focusCell)), 'tabindex', '-1');
    setAttribute(/** @type {Element} */ (this.buttons.get(cell)), 'tabindex', '0');
    this.focusCell = cell;
  }
}
