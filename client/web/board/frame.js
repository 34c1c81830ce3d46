// @ts-check
// A board with what surrounds it. Cubes are shown as layers, as a turning cube, or as both, with one state and one
// place of the keyboard; on boards without small boards a switch marks where a side would complete a line.

import { t } from '../i18n/language.js';
import { capital } from '../i18n/moveWords.js';
import { el, setAttribute, setText } from '../ui/dom.js';
import { looks, setLooks } from '../ui/settings.js';
import { Board } from './board.js';
import { Cube } from './cube.js';
import { inARow, linesOf, linesThrough, linesWords, threats } from './lines.js';
import { pinchable } from './pinch.js';
import { targetSentence } from './words.js';

/** @typedef {import('./board.js').Picture} Picture */
/** @typedef {'layers'|'cube'|'both'} View */

/** @type {View[]} */
const VIEWS = ['layers', 'cube', 'both'];
const NARROW = '(max-width: 60rem)'; // as in the stylesheets: there is no room for both
/** From this many columns on a phone's cells are too small for a finger. */
const LARGE = 10;
let made = 0;

export class BoardFrame {
  /** @param {import('../types/page.js').Rules} rules @param {import('./board.js').Board['listeners']} listeners */
  constructor(rules, listeners) {
    this.listeners = listeners;
    this.board = new Board(rules, { ...listeners, onchoose: (cell) => this.choseOn(cell) });
    this.geometry = this.board.geometry;
    this.lines = linesOf(this.geometry, inARow(rules));
    this.threats = looks().threats === true;
    /** @type {Picture|null} */
    this.picture = null;
    /** @type {string|null} */
    this.hovered = null;
    /** @type {Cube|null} */
    this.cube = null;
    /** @type {View} */
    this.shown = 'layers';
    this.number = made++;
    this.caption = el('p', { class: 'muted board-caption' });
    this.node = this.build(rules);
  }

  /** @param {import('../types/page.js').Rules} rules */
  build(rules) {
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
        onkeydown: (/** @type {KeyboardEvent} */ e) => this.keyed(e),
        onfocusin: (/** @type {Event} */ e) => this.focused(e),
        onfocusout: () => this.look(),
      },
      views,
      el('div', { class: 'board-tools' }, this.buildViews(), this.buildThreats()),
      this.caption,
    );
    this.watchPointer(views);
    views.addEventListener('click', (/** @type {MouseEvent} */ e) => this.followClick(e));
    new ResizeObserver(() => this.arrange()).observe(node);
    this.arrangeAs(this.viewNow(), node);
    return node;
  }

  /** Large boards can be enlarged where the screen is small, by two fingers or a box: they are panned then. */
  buildFlat() {
    const tools = el('div', { class: 'board-tools' }, this.buildThreats());
    if (this.geometry.columns < LARGE) return el('div', { class: 'board-frame' }, this.board.node, tools);
    const pane = el('div', { class: 'board-pane' }, this.board.node);
    const frame = el('div', { class: 'board-frame' }, pane, tools);
    const toggle = el('input', {
      type: 'checkbox',
      checked: looks().zoom === true,
      onchange: () => void zoom(toggle.checked),
    });
    const enlarge = (/** @type {boolean} */ on, /** @type {number|null} */ px) => {
      toggle.checked = on;
      frame.classList.toggle('enlarged', on);
      if (on && px) frame.style.setProperty('--zoomed', `${px}px`);
      else frame.style.removeProperty('--zoomed');
    };
    const zoom = (/** @type {boolean} */ on) => {
      setLooks({ zoom: on });
      enlarge(on, null);
      if (on) this.center(pane);
    };
    const size = () => /** @type {HTMLElement} */ (this.board.buttons.get(this.board.focusCell)).offsetWidth;
    const { columns } = this.geometry;
    // What is not cells keeps its size.
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

  /** Brings the last move, else the middle, into the middle of what is seen. @param {HTMLElement} pane */
  center(pane) {
    const cell = this.board.buttons.get(this.picture?.last ?? this.board.focusCell);
    if (!cell) return;
    const at = cell.getBoundingClientRect();
    const seen = pane.getBoundingClientRect();
    pane.scrollBy(
      at.left + at.width / 2 - seen.left - seen.width / 2,
      at.top + at.height / 2 - seen.top - seen.height / 2,
    );
  }

  /** Below it stands where a move would send the opponent. */
  buildNested() {
    this.watchPointer(this.board.node);
    const look = { onfocusin: () => this.look(), onfocusout: () => this.look() };
    return el('div', { class: 'board-frame board-frame-nested', ...look }, this.board.node, this.caption);
  }

  /** @param {HTMLElement} node */
  watchPointer(node) {
    node.addEventListener('pointerover', (/** @type {PointerEvent} */ e) => this.pointed(e));
    node.addEventListener('pointerleave', () => this.hover(null));
  }

  buildViews() {
    /** @type {HTMLInputElement[]} */
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
    const sign = (/** @type {string} */ side) => el('span', { class: 'threat-sign', 'data-threat': side });
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

  // What pages do with a board

  get chosen() {
    return this.board.chosen;
  }

  /** @param {string|null} cell */
  choose(cell) {
    this.board.choose(cell);
  }

  /** Makes a cell the one where the keyboard comes to. @param {string} cell */
  stand(cell) {
    this.board.stand(cell);
    this.cube?.stand(cell);
  }

  focus() {
    if (this.shown === 'cube') this.cube?.focus();
    else this.board.focus();
  }

  /** @param {Picture} picture */
  update(picture) {
    this.picture = picture;
    const seen = this.threats && !picture.over ? { ...picture, threats: threats(this.lines, picture.marks) } : picture;
    this.board.update(seen);
    for (const side of /** @type {const} */ (['x', 'o']))
      if (this.signs) setText(this.signs[side], picture.names[side]);
    if (this.geometry.kind === 'nested') this.look();
    if (!this.cube) return;
    this.cube.update(seen);
    this.cube.showWon(
      picture.line.size ? this.lines.filter((line) => line.every((cell) => picture.line.has(cell))) : [],
    );
    this.look();
  }

  // Views

  /** @param {View} view */
  chooseView(view) {
    setLooks({ view });
    this.arrange();
  }

  /** The one that was chosen, where there is room for it. @returns {View} */
  viewNow() {
    const wanted = VIEWS.find((view) => view === looks().view) ?? 'both';
    return wanted === 'both' && matchMedia(NARROW).matches ? 'layers' : wanted;
  }

  arrange() {
    this.arrangeAs(this.viewNow(), this.node);
  }

  /**
   * Where both are seen the cube goes along: it is not in the tab order, and nothing is read out twice.
   * @param {View} view @param {HTMLElement} node
   */
  arrangeAs(view, node) {
    for (const radio of this.radios ?? []) radio.checked = radio.value === view;
    if (this.shown === view && node.dataset.view) return;
    this.shown = view;
    node.dataset.view = view;
    const cube = /** @type {Cube} */ (this.cube);
    setAttribute(/** @type {Element} */ (this.layers), 'hidden', view === 'cube' ? '' : null);
    setAttribute(cube.node, 'hidden', view === 'layers' ? '' : null);
    cube.setPassive(view === 'both');
  }

  // What is looked at

  /** @param {{target: EventTarget|null}} event @returns {string|null} */
  cellOf(event) {
    return this.board.cellOf(event) ?? this.cube?.cellOf(event) ?? null;
  }

  /** @param {Event} event */
  focused(event) {
    const cell = this.cellOf(event);
    if (cell) this.stand(cell);
    this.look();
  }

  /** A click on the cube beside the layers puts the keyboard there, on the layers. @param {MouseEvent} event */
  followClick(event) {
    if (this.shown !== 'both' || !this.cube?.cellOf(event)) return;
    this.board.stand(/** @type {string} */ (this.cube.cellOf(event)));
    this.board.focus();
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    if (event.pointerType !== 'touch') this.hover(this.cube?.held ? null : this.cellOf(event));
  }

  /** @param {string|null} cell */
  hover(cell) {
    if (this.hovered === cell) return;
    this.hovered = cell;
    this.look();
  }

  /** The cell under the mouse, else the one that is chosen or that the keyboard is on. @returns {string|null} */
  lookedAt() {
    const active = document.activeElement;
    const keyed =
      active?.matches(':focus-visible') && this.node.contains(active) ? this.cellOf({ target: active }) : null;
    return this.hovered ?? this.chosen ?? keyed;
  }

  /** Shows where a move on this small board would send the opponent. @param {Picture} picture */
  lookAhead(picture) {
    const cell = this.lookedAt();
    const board = cell && !picture.pending && picture.playable.has(cell) ? picture.leads?.(cell) : undefined;
    this.board.showTarget(board);
    const whom = picture.mover && picture.names[picture.mover === 'x' ? 'o' : 'x'];
    setText(this.caption, cell && whom && board !== undefined ? targetSentence(cell, board, whom) : '');
  }

  /** Shows what a move on the cell that is looked at means: the lines through it, or the board that it leads to. */
  look() {
    const { picture, cube } = this;
    if (picture && this.geometry.kind === 'nested') return this.lookAhead(picture);
    if (!cube || !picture) return;
    const cell = this.lookedAt();
    const through = cell ? linesThrough(this.lines, picture.marks, cell) : [];
    const states = new Map(
      through.flatMap((line) => line.cells.map((each) => /** @type {[string, string]} */ ([each, line.state]))),
    );
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

  /** @param {string|null} cell */
  choseOn(cell) {
    this.cube?.choose(cell);
    this.look();
    this.listeners.onchoose?.(cell);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const inField = /** @type {Element} */ (event.target).closest('input');
    if (event.defaultPrevented || inField || this.shown === 'layers' || !this.cube?.turnedBy(event)) return;
    event.preventDefault();
  }

  // Threats

  /** @param {boolean} on */
  switchThreats(on) {
    this.threats = on;
    setLooks({ threats: on });
    if (this.picture) this.update(this.picture);
  }
}

/** @param {unknown} value @returns {number|undefined} */
function share(value) {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;
}
