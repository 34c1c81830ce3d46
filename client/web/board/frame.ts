// A board with its controls. Cubes are shown as layers, as a turning cube, or as both with one shared state and
// keyboard focus; flat boards and cubes have a switch that marks where a side would complete a line.

import { t } from '../i18n/language.ts';
import { aboutMove, capital } from '../i18n/moveWords.ts';
import type { Rules } from '../types/page.d.ts';
import { looks, setLooks } from '../ui/settings.ts';
import type { Listeners, Picture } from './board.ts';
import { Board } from './board.ts';
import { Cube } from './cube.ts';
import { el, setAttribute, setText } from './dom.ts';
import type { Geometry } from './geometry.ts';
import { inARow, isExact, linesOf, linesThrough, linesWords, threats } from './lines.ts';
import { setMark } from './marks.ts';
import { pinchable } from './pinch.ts';

export type View = 'layers' | 'cube' | 'both';

const VIEWS: View[] = ['layers', 'cube', 'both'];
const NARROW = '(max-width: 60rem)'; // as in the stylesheets: both fit from this width on
/** From this many columns on, a phone's cells are too small for a finger. */
const LARGE = 10;
let made = 0;

export class BoardFrame {
  listeners: Listeners;
  board: Board;
  geometry: Geometry;
  lines: string[][];
  exact: boolean;
  threats = looks().threats === true;
  picture: Picture | null = null;
  hovered: string | null = null;
  cube: Cube | null = null;
  shown: View = 'layers';
  number = made++;
  caption = el('p', { class: 'muted board-caption' });
  /** The controls that may stand elsewhere: the choice of views, threats, the text about lines. */
  tools = el('div', { class: 'stack tight board-below' });
  node: HTMLDivElement;
  layers: HTMLDivElement | undefined;
  radios: HTMLInputElement[] = [];
  signs: { x: HTMLSpanElement; o: HTMLSpanElement } | undefined;

  constructor(rules: Rules, listeners: Listeners) {
    this.listeners = listeners;
    this.board = new Board(rules, { ...listeners, onchoose: (cell) => this.choseOn(cell) });
    this.geometry = this.board.geometry;
    this.lines = linesOf(this.geometry, inARow(rules));
    this.exact = isExact(rules);
    this.node = this.build(rules);
  }

  build(rules: Rules) {
    if (rules.nested) return this.buildNested();
    if (!this.lines.length) return this.board.node;
    if (this.geometry.kind !== 'cube') return this.buildFlat();
    this.cube = new Cube(
      rules,
      {
        onplay: (cell) => {
          this.choose(null);
          this.listeners.onplay(cell);
        },
        onrefused: this.listeners.onrefused,
        confirms: this.listeners.confirms,
        onplan: this.listeners.onplan,
        onchoose: (cell) => this.board.choose(cell),
        onlook: ({ open }) => setLooks({ open }),
      },
      { open: share(looks().open) },
    );
    this.layers = el('div', { class: 'layers-slot' }, this.board.node);
    const views = el('div', { class: 'board-views' }, this.layers, this.cube.node);
    const node = el(
      'div',
      {
        class: 'board-frame board-frame-cube',
        onkeydown: (e: KeyboardEvent) => this.keyed(e),
        onfocusin: (e: Event) => this.focused(e),
        onfocusout: () => this.look(),
      },
      views,
      this.tools,
    );
    this.tools.append(el('div', { class: 'board-tools' }, this.buildViews(), this.buildThreats()), this.caption);
    this.watchPointer(views);
    views.addEventListener('click', (e: MouseEvent) => this.followClick(e));
    new ResizeObserver(() => this.arrange()).observe(node);
    this.arrangeAs(this.viewNow(), node);
    return node;
  }

  /** Large boards can be enlarged on small screens, by pinching or by a checkbox; then they can be panned. */
  buildFlat() {
    const tools = el('div', { class: 'board-tools' }, this.buildThreats());
    this.tools.append(tools);
    if (this.geometry.columns < LARGE) return el('div', { class: 'board-frame' }, this.board.node, this.tools);
    const pane = el('div', { class: 'board-pane' }, this.board.node);
    const frame = el('div', { class: 'board-frame' }, pane, this.tools);
    const toggle = el('input', {
      type: 'checkbox',
      checked: looks().zoom === true,
      onchange: () => void zoom(toggle.checked),
    });
    const enlarge = (on: boolean, px: number | null) => {
      toggle.checked = on;
      frame.classList.toggle('enlarged', on);
      if (on && px) frame.style.setProperty('--zoomed', `${px}px`);
      else frame.style.removeProperty('--zoomed');
    };
    const zoom = (on: boolean) => {
      setLooks({ zoom: on });
      enlarge(on, null);
      if (on) this.center(pane);
    };
    const size = () => (this.board.buttons.get(this.board.focusCell) as HTMLElement).offsetWidth;
    const { columns } = this.geometry;
    // Everything but the cells keeps its size.
    const least = () => Math.floor((pane.clientWidth - (this.board.node.scrollWidth - columns * size())) / columns);
    pinchable(pane, {
      active: () => matchMedia(NARROW).matches,
      size,
      least,
      resize: (px) => enlarge(px > least(), px),
      end: () => setLooks({ zoom: toggle.checked }),
    });
    enlarge(toggle.checked, null);
    tools.append(el('label', { class: 'check board-enlarge' }, toggle, t('board.enlarge')));
    return frame;
  }

  /** Scrolls the last move, or else the middle, to the middle of the pane. */
  center(pane: HTMLElement) {
    const cell = this.board.buttons.get(this.picture?.last ?? this.board.focusCell);
    if (!cell) return;
    const at = cell.getBoundingClientRect();
    const seen = pane.getBoundingClientRect();
    pane.scrollBy(
      at.left + at.width / 2 - seen.left - seen.width / 2,
      at.top + at.height / 2 - seen.top - seen.height / 2,
    );
  }

  /** The text below it says where a move would send the opponent. */
  buildNested() {
    this.watchPointer(this.board.node);
    const look = { onfocusin: () => this.look(), onfocusout: () => this.look() };
    this.tools.append(this.caption);
    return el('div', { class: 'board-frame board-frame-nested', ...look }, this.board.node, this.tools);
  }

  watchPointer(node: HTMLElement) {
    node.addEventListener('pointerover', (e: PointerEvent) => this.pointed(e));
    node.addEventListener('pointerleave', () => this.hover(null));
  }

  buildViews() {
    this.radios = VIEWS.map((value) =>
      el('input', { type: 'radio', name: `view-${this.number}`, value, onchange: () => this.chooseView(value) }),
    );
    return el(
      'div',
      { class: 'segments board-view', role: 'radiogroup', 'aria-label': t('view.label') },
      VIEWS.map((view, i) => el('label', { class: `segment segment-${view}` }, this.radios?.[i], t(`view.${view}`))),
    );
  }

  buildThreats() {
    const toggle = el('input', {
      type: 'checkbox',
      checked: this.threats,
      onchange: () => void this.switchThreats(toggle.checked),
    });
    const sign = (side: string) => el('span', { class: 'threat-sign', 'data-threat': side });
    this.signs = { x: el('span'), o: el('span') };
    const legend = el(
      'small',
      { class: 'muted', 'aria-hidden': 'true' },
      sign('x'),
      this.signs.x,
      sign('o'),
      this.signs.o,
    );
    return el(
      'label',
      { class: 'check board-threats', title: t('threats.meaning') },
      toggle,
      el('span', null, t('threats.show')),
      legend,
    );
  }

  // What views call

  get chosen() {
    return this.board.chosen;
  }

  choose(cell: string | null) {
    this.board.choose(cell);
  }

  /** Puts a cell into the tab order. */
  stand(cell: string) {
    this.board.stand(cell);
    this.cube?.stand(cell);
  }

  focus() {
    if (this.shown === 'cube') this.cube?.focus();
    else this.board.focus();
  }

  update(picture: Picture) {
    this.picture = picture;
    const seen =
      this.threats && !picture.over ? { ...picture, threats: threats(this.lines, this.exact, picture.marks) } : picture;
    this.board.update(seen);
    for (const side of ['x', 'o'] as const) if (this.signs) setMark(this.signs[side], picture.names[side]);
    if (this.geometry.kind === 'nested') this.look();
    if (!this.cube) return;
    this.cube.update(seen);
    this.cube.showWon(
      picture.line.size ? this.lines.filter((line) => line.every((cell) => picture.line.has(cell))) : [],
    );
    this.look();
  }

  // Views

  chooseView(view: View) {
    setLooks({ view });
    this.arrange();
  }

  /** The chosen view, where there is room for it. */
  viewNow(): View {
    const wanted = VIEWS.find((view) => view === looks().view) ?? 'both';
    return wanted === 'both' && matchMedia(NARROW).matches ? 'layers' : wanted;
  }

  arrange() {
    this.arrangeAs(this.viewNow(), this.node);
  }

  /** Where both are shown, the cube mirrors the layers: it is not in the tab order, and nothing is read out twice. */
  arrangeAs(view: View, node: HTMLElement) {
    for (const radio of this.radios ?? []) radio.checked = radio.value === view;
    if (this.shown === view && node.dataset.view) return;
    this.shown = view;
    node.dataset.view = view;
    const cube = this.cube as Cube;
    setAttribute(this.layers as Element, 'hidden', view === 'cube' ? '' : null);
    setAttribute(cube.node, 'hidden', view === 'layers' ? '' : null);
    cube.setPassive(view === 'both');
  }

  // The cell that is looked at: hovered, selected or focused

  cellOf(event: { target: EventTarget | null }): string | null {
    return this.board.cellOf(event) ?? this.cube?.cellOf(event) ?? null;
  }

  focused(event: Event) {
    const cell = this.cellOf(event);
    if (cell) this.stand(cell);
    this.look();
  }

  /** A click on the cube beside the layers moves the keyboard focus to the same cell of the layers. */
  followClick(event: MouseEvent) {
    if (this.shown !== 'both' || !this.cube?.cellOf(event)) return;
    this.board.stand(this.cube.cellOf(event) as string);
    this.board.focus();
  }

  pointed(event: PointerEvent) {
    if (event.pointerType !== 'touch') this.hover(this.cube?.held ? null : this.cellOf(event));
  }

  hover(cell: string | null) {
    if (this.hovered === cell) return;
    this.hovered = cell;
    this.look();
  }

  /** The cell under the mouse, else the selected one, else the one with visible keyboard focus. */
  lookedAt(): string | null {
    const active = document.activeElement;
    const keyed =
      active?.matches(':focus-visible') && this.node.contains(active) ? this.cellOf({ target: active }) : null;
    return this.hovered ?? this.chosen ?? keyed;
  }

  /** Shows where a move on this small board would send the opponent. */
  lookAhead(picture: Picture) {
    const cell = this.lookedAt();
    const board = cell && !picture.pending && picture.playable.has(cell) ? picture.leads?.(cell) : undefined;
    this.board.showTarget(board);
    const whom = picture.mover && picture.names[picture.mover === 'x' ? 'o' : 'x'];
    const key = board ? 'board.leads' : 'board.leads.any';
    setText(this.caption, cell && whom && board !== undefined ? aboutMove(key, cell, { mark: whom, board }) : '');
  }

  /** Explains a move on the cell that is looked at: the lines through it, or the board that it leads to. */
  look() {
    const { picture, cube } = this;
    if (picture && this.geometry.kind === 'nested') return this.lookAhead(picture);
    if (!cube || !picture) return;
    const cell = this.lookedAt();
    const through = cell ? linesThrough(this.lines, picture.marks, cell) : [];
    const states = new Map(through.flatMap((line) => line.cells.map((each) => [each, line.state] as [string, string])));
    if (cell) states.delete(cell);
    this.board.showLines(cell, states);
    cube.showLines(cell, states);
    cube.showThrough(through);
    const place = cell && this.geometry.cells.get(cell);
    setText(
      this.caption,
      place ? capital(t('lines.caption', { cell: place.spoken, lines: linesWords(through, picture.names) })) : '',
    );
  }

  choseOn(cell: string | null) {
    this.cube?.choose(cell);
    this.look();
    this.listeners.onchoose?.(cell);
  }

  keyed(event: KeyboardEvent) {
    const inField = (event.target as Element).closest('input');
    if (event.defaultPrevented || inField || this.shown === 'layers' || !this.cube?.turnedBy(event)) return;
    event.preventDefault();
  }

  // Threats

  switchThreats(on: boolean) {
    this.threats = on;
    setLooks({ threats: on });
    if (this.picture) this.update(this.picture);
  }
}

function share(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;
}
