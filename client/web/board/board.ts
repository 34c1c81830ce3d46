// The board as grids of buttons, for mouse, touch and keyboard. One cell of the whole board is in the tab order (roving
// tabindex); arrow keys move from there. Cells that cannot be played stay focusable, so that the board can be read, and
// are marked with aria-disabled.

import { joined, t } from '../i18n/language.ts';
import type { Marks, Rules, Side } from '../types/page.d.ts';
import { characters } from '../ui/settings.ts';
import { el, setAttribute, svg } from './dom.ts';
import type { Cell, Geometry, Grid } from './geometry.ts';
import { geometry, gridsAcross, neighbour } from './geometry.ts';
import { inARow, strikes } from './lines.ts';
import { drawn, isDrawn, setMark } from './marks.ts';

/**
 * Everything that a board shows. `mover` is the side whose mark hovering previews. Hints tint cells, more strongly the
 * nearer `heat` is to 1; `pointed` cells are framed; threats say who would complete a line there. While the opponent
 * thinks, cells are `plannable` for the `planner`, and one may be `planned`. On nested boards `leads` returns the board
 * that a move sends the opponent to, as `leadsTo` does.
 */
export type Picture = {
  marks: Map<string, Side>;
  names: Marks;
  playable: Set<string>;
  mover: Side | null;
  last: string | null;
  line: Set<string>;
  pending: string | null;
  forced: number | null | undefined;
  owners: (Side | null)[];
  closed: boolean[];
  over: boolean;
  hints?: Map<string, { text: string; heat: number }>;
  pointed?: Set<string>;
  threats?: Map<string, 'x' | 'o' | 'xo'>;
  plannable?: Set<string>;
  planned?: string | null;
  planner?: Side | null;
  leads?: (cell: string) => number | null | undefined;
};

// Below this size a finger covers several cells: the first touch selects one, the second plays it.
const SURE_TOUCH_PX = 30;
// Up to this many columns cells are tiles with gaps between them; larger boards are a fine grid.
const TILES = 5;

/** `confirms` returns whether every move takes two touches. */
export type Listeners = {
  onplay: (cell: string) => void;
  onrefused?: (cell: string) => void;
  onchoose?: (cell: string | null) => void;
  onplan?: (cell: string) => void;
  confirms?: () => boolean;
};

export class Board {
  rules: Rules;
  geometry: Geometry;
  listeners: Listeners;
  picture: Picture | null = null;
  chosen: string | null = null;
  touched = false;
  buttons = new Map<string, HTMLButtonElement>();
  grids: HTMLElement[] = [];
  ownerMarks: HTMLElement[] = [];
  /** The cells that `showLines` has marked. */
  lined: string[] = [];
  looked: string | null = null;
  /** The cell under the mouse, and the one with visible keyboard focus. */
  hovered: string | null = null;
  keyed: string | null = null;
  /** The cells that preview a mark. */
  previewed = new Set<string>();
  /** The cell that a click would play or plan. */
  clickable: string | null = null;
  /** How many in a row win on a grid; three on small boards and across them. */
  least: number;
  /** The lines drawn through a win. */
  struck = '[]';
  focusCell: string;
  node: HTMLDivElement;

  constructor(rules: Rules, listeners: Listeners) {
    this.rules = rules;
    this.geometry = geometry(rules);
    this.listeners = listeners;
    this.least = inARow(rules) ?? 3;
    this.focusCell = this.firstCell();
    this.node = this.build();
  }

  firstCell() {
    // Most games begin in the middle, and it is the shortest way to everywhere.
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
      onpointerdown: (e: PointerEvent) => (this.touched = e.pointerType === 'touch'),
      ...this.handlers(),
    });
    g.grids.forEach((grid, number) => node.append(this.buildGrid(grid, number)));
    return node;
  }

  /** Adds the listeners to the node that holds the cells. */
  handlers() {
    return {
      onclick: (e: Event) => this.clicked(e),
      onkeydown: (e: KeyboardEvent) => this.pressed(e),
      onkeyup: (e: KeyboardEvent) => this.keyedAt(e), // a key press may reveal a focus that the mouse left
      onfocusin: (e: FocusEvent) => this.focused(e),
      onfocusout: () => this.preview({ keyed: null }),
      onpointerover: (e: PointerEvent) => e.pointerType !== 'touch' && this.preview({ hovered: this.cellOf(e) }),
      onpointerleave: () => this.preview({ hovered: null }),
    };
  }

  buildGrid(grid: Grid, number: number) {
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

  buildCell(cell: Cell) {
    const button = el('button', {
      type: 'button',
      class: 'cell',
      [this.cellKey]: cell.text,
      tabindex: cell.text === this.focusCell ? 0 : -1,
    });
    this.buttons.set(cell.text, button);
    return el('div', { role: 'gridcell', class: 'place' }, button);
  }

  update(picture: Picture) {
    this.picture = picture;
    if (this.chosen && !picture.playable.has(this.chosen)) this.choose(null);
    for (const cell of this.geometry.cells.values()) this.updateCell(cell, picture);
    this.node.classList.toggle('over', picture.over);
    this.grids.forEach((grid, number) => setAttribute(grid, 'aria-label', this.gridLabel(number)));
    this.ownerMarks.forEach((mark, number) => this.updateSmall(mark, number, picture));
    this.strike(picture.line);
    this.preview({});
  }

  /** Draws a line through a win, on each grid that it crosses or across small boards. */
  strike(line: Set<string>) {
    const found = strikes(this.geometry, line, this.least);
    const key = JSON.stringify(found);
    if (key === this.struck) return;
    this.struck = key;
    for (const old of this.node.querySelectorAll('.strike')) old.remove();
    for (const { grid, path } of found) {
      const across = grid === null ? [3, 3] : [this.geometry.columns, this.geometry.rows];
      const place = grid === null ? this.node : this.grids[grid];
      place.append(
        svg(
          'svg',
          { class: 'strike', viewBox: `0 0 ${across.join(' ')}`, 'aria-hidden': 'true' },
          svg('path', { d: path, pathLength: 1 }),
        ),
      );
    }
  }

  /**
   * Previews the mark of a move under the mouse, at the keyboard focus and on the selected cell. Only these few cells
   * are marked: a style for every playable cell would be recalculated for all of them at each move.
   */
  preview(change: { hovered?: string | null; keyed?: string | null }) {
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

  /** Marks the cell that a click would play or plan; null for none. */
  point(cell: string | null) {
    if (cell === this.clickable) return;
    if (this.clickable) this.buttons.get(this.clickable)?.removeAttribute('data-clickable');
    if (cell) this.buttons.get(cell)?.setAttribute('data-clickable', '');
    this.clickable = cell;
  }

  ghost(cell: string, side: Side | null) {
    const face = this.face(this.buttons.get(cell) as HTMLButtonElement);
    const text = side && (this.picture as Picture).names[side];
    setAttribute(face, 'data-ghost', text);
    setAttribute(face, 'data-ghost-of', side);
    setAttribute(face, 'data-ghost-wide', text && characters(text) > 1 ? '' : null);
    face.querySelector('.ghost')?.remove();
    if (!text || !isDrawn(text)) return;
    const ghost = drawn(text, false);
    ghost.classList.add('ghost', `mark-${side}`);
    face.append(ghost);
  }

  /** The attribute that names a button's cell. */
  get cellKey() {
    return 'data-cell';
  }

  /** The class of every cell. */
  get cellClass() {
    return 'cell';
  }

  /** The element that holds a cell's mark. */
  face(button: HTMLButtonElement): Element {
    return button;
  }

  updateCell(cell: Cell, picture: Picture) {
    const button = this.buttons.get(cell.text) as HTMLButtonElement;
    const pending = picture.pending === cell.text;
    const planned = picture.planned === cell.text;
    const meant = pending ? picture.mover : planned ? picture.planner : null;
    const side = picture.marks.get(cell.text) ?? meant ?? null;
    const text = side ? picture.names[side] : '';
    const playable = picture.playable.has(cell.text);
    const mark = setMark(this.face(button), text);
    if (pending || cell.text === picture.last) mark?.classList.add('fresh'); // drawn stroke by stroke
    const plannable = picture.plannable?.has(cell.text);
    const last = cell.text === picture.last;
    const chosen = cell.text === this.chosen;
    const won = picture.line.has(cell.text);
    const hint = picture.hints?.get(cell.text);
    const classes = joined([
      this.cellClass,
      side && `mark-${side}`,
      characters(text) > 1 && 'wide',
      pending && 'pending',
      planned && 'planned',
      plannable && 'plannable',
      playable && 'playable',
      !side && this.isBarred(cell, picture) && 'barred',
      last && 'last',
      won && !this.isWinningBoard(cell.grid) && 'win',
      chosen && 'chosen',
      hint && 'hinted',
      picture.pointed?.has(cell.text) && 'pointed',
    ]);
    if (hint || button.style.length) button.style.setProperty('--heat', `${Math.round((hint?.heat ?? 0) * 100)}%`);
    if (button.className !== classes) button.className = classes;
    const threat = side ? null : (picture.threats?.get(cell.text) ?? null);
    setAttribute(button, 'data-threat', threat);
    const label = joined(
      [
        cell.spoken,
        planned ? t('cell.empty') : text || t('cell.empty'),
        pending && t('cell.sending'),
        planned && t('cell.planned', { mark: text }),
        hint?.text,
        threat && (threat === 'xo' ? t('cell.completes.either') : t('cell.completes', { mark: picture.names[threat] })),
        chosen && t('cell.chosen'),
        last && t('cell.last'),
        won && t('cell.won'),
      ],
      ', ',
    );
    setAttribute(button, 'aria-label', label);
    setAttribute(button, 'aria-disabled', playable || plannable ? null : 'true');
  }

  updateSmall(mark: HTMLElement, number: number, picture: Picture) {
    const owner = picture.owners[number];
    const small = mark.parentElement as HTMLElement;
    setMark(mark, owner ? picture.names[owner] : '');
    small.className = joined([
      'small',
      owner && `owned-${owner}`,
      owner && characters(picture.names[owner]) > 1 && 'owner-wide',
      picture.closed[number] && 'closed',
      this.isWinningBoard(number) && 'win-board',
      this.isOpenNow(number) && (picture.forced ? 'forced' : 'free'),
    ]);
  }

  /** Whether this whole small board is part of the winning line. */
  isWinningBoard(number: number) {
    const { kind, grids } = this.geometry;
    return kind === 'nested' && grids[number].rows.flat().every((cell) => this.picture?.line.has(cell.text));
  }

  /**
   * Whether an empty cell of a nested board is out of reach, for the player of this board or else for the side to move.
   */
  isBarred(cell: Cell, picture: Picture) {
    if (this.geometry.kind !== 'nested') return false;
    return picture.playable.size ? !picture.playable.has(cell.text) : !this.isOpenNow(cell.grid);
  }

  /** @param number the small board, from 0 */
  isOpenNow(number: number) {
    const picture = this.picture;
    if (!picture || picture.over || !picture.mover) return false;
    return picture.forced ? picture.forced === number + 1 : !picture.closed[number];
  }

  gridLabel(number: number): string {
    const { label } = this.geometry.grids[number];
    const picture = this.picture;
    if (this.geometry.kind !== 'nested' || !picture) return label;
    const owner = picture.owners[number];
    return joined(
      [
        label,
        owner && t('board.small.won', { mark: picture.names[owner] }),
        picture.closed[number]
          ? t('board.small.closed')
          : picture.forced && this.isOpenNow(number) && t('board.small.forced'),
      ],
      ', ',
    );
  }

  /** Marks a cell and those that share a line with it, by who can still complete that line. */
  showLines(looked: string | null, states: Map<string, string>) {
    if (this.looked && this.looked !== looked) this.buttons.get(this.looked)?.removeAttribute('data-looked');
    if (looked) this.buttons.get(looked)?.setAttribute('data-looked', '');
    this.looked = looked;
    for (const cell of this.lined) if (!states.has(cell)) this.buttons.get(cell)?.removeAttribute('data-line');
    for (const [cell, state] of states) setAttribute(this.buttons.get(cell) as Element, 'data-line', state);
    this.lined = [...states.keys()];
    this.preview({});
  }

  /** Marks the small board that a move would lead to. @param number from 1 */
  showTarget(number: number | null | undefined) {
    this.ownerMarks.forEach((mark, i) =>
      setAttribute(mark.parentElement as Element, 'data-target', i + 1 === number ? '' : null),
    );
  }

  /** Moves the keyboard focus to the board. */
  focus() {
    this.buttons.get(this.focusCell)?.focus({ preventScroll: true });
  }

  // Inside

  cellOf(event: { target: EventTarget | null }): string | null {
    const button = (event.target as Element).closest?.(`[${this.cellKey}]`);
    return button?.getAttribute(this.cellKey) ?? null;
  }

  /** A touch plays a move if it is legal now, else plans it, else says why it did nothing. */
  clicked(event: Event) {
    const cell = this.cellOf(event);
    if (!cell || !this.picture) return;
    if (this.picture.pending || !this.picture.playable.has(cell)) {
      this.choose(null);
      if (this.picture.plannable?.has(cell)) this.listeners.onplan?.(cell);
      else this.listeners.onrefused?.(cell);
      return;
    }
    const button = this.buttons.get(cell) as HTMLButtonElement;
    // A click by keyboard has no detail, whatever was touched before.
    const byFinger = this.touched && (event as MouseEvent).detail > 0;
    const unsure = (byFinger && this.sizeOf(button) < SURE_TOUCH_PX) || this.listeners.confirms?.();
    if (unsure && this.chosen !== cell) {
      this.choose(cell);
      return;
    }
    this.choose(null);
    this.listeners.onplay(cell);
  }

  /** How large a cell is for a finger, in pixels. */
  sizeOf(button: HTMLButtonElement) {
    return button.offsetWidth;
  }

  choose(cell: string | null) {
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

  pressed(event: KeyboardEvent) {
    const cell = this.cellOf(event);
    const from = cell && this.geometry.cells.get(cell);
    if (!from || event.altKey || event.metaKey || event.shiftKey) return;
    const to = neighbour(this.geometry, from, this.keyOf(event), event.ctrlKey);
    if (!to) {
      // the page does not scroll
      if (event.key.startsWith('Page') || event.key.startsWith('Arrow')) event.preventDefault();
      return;
    }
    event.preventDefault();
    this.buttons.get(to.text)?.focus();
  }

  keyOf(event: KeyboardEvent) {
    return event.key;
  }

  focused(event: FocusEvent) {
    const cell = this.cellOf(event);
    if (cell) this.stand(cell);
    this.keyedAt(event);
  }

  keyedAt(event: Event) {
    this.preview({
      keyed: (event.target as Element).matches(':focus-visible') ? this.cellOf(event) : null,
    });
  }

  /** Makes a cell the one in the tab order. */
  stand(cell: string) {
    if (cell === this.focusCell) return;
    setAttribute(this.buttons.get(this.focusCell) as Element, 'tabindex', '-1');
    setAttribute(this.buttons.get(cell) as Element, 'tabindex', '0');
    this.focusCell = cell;
  }
}
