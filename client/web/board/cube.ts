// A cube's layers in space: turned by dragging, by buttons and by keys, and pulled apart like drawers. The cells are
// buttons with the same names and states as on the flat layers; marks are stones that always face the viewer.

import { t } from '../i18n/language.ts';
import type { Rules } from '../types/page.d.ts';
import { icon } from '../ui/icons.ts';
import { monotonicMs } from '../ui/monotonicMs.ts';
import { preferences } from '../ui/settings.ts';
import type { Listeners, Picture } from './board.ts';
import { Board } from './board.ts';
import { button, el, setAttribute, svg } from './dom.ts';
import type { Cell, Grid } from './geometry.ts';
import type { Pose } from './projection.ts';
import { CORNERS, extent, quarter, seen, stepOf, TILTS, transform, turnedKey } from './projection.ts';

/** Its rotation in degrees, and how far it is open, from 0 to 1 */
export type Look = { spin: number; tilt: number; open: number };
export type Line = { cells: string[]; state: string };

export const FIRST_LOOK: Look = { spin: -24, tilt: 26, open: 0.7 };
export const TURN = { spin: 15, tilt: 6, open: 0.1 };
const DRAG = { spin: 0.45, tilt: 0.3 }; // degrees a pixel
const DRAG_FROM_PX = 5;
const GLIDE_MS = 220;
// Layers are laid out at this size and then scaled, so that turning needs no new layout.
const CELL_PX = 72;
/** By how many degrees stones may lag behind while the cube moves. */
const SLACK = { spin: 8, tilt: 3 };
/** The apparent size of a stone, in cells. */
const STONE = 0.52;
const MARGIN_PX = 26;
/** The gap between a layer and its name on the left, and between the name and the edge. */
const NAME_GAP_PX = 8;
const MARGIN_RIGHT_PX = 22;
const CLOSE_LABELS_PX = 15;

export class Cube extends Board {
  onlook: ((look: Look) => void) | undefined;
  open: number;
  look: Look;
  passive = false;
  dragged = false;
  /** The side from which stones were last sorted by depth. */
  ordered = -1;
  drawing = 0;
  gliding = 0;
  through: Line[] = [];
  won: Line[] = [];
  size = { width: 0, height: 0 };
  scale = 1;
  raised: Look | null | undefined;
  aim: Look | null | undefined;
  held: { x: number; y: number; look: Look } | null | undefined;
  // Set by `build`, which runs before this class's field initialisers.
  declare side: number;
  declare posts: SVGElement[];
  declare rods: SVGElement;
  declare names: Record<'levels' | 'files' | 'ranks', SVGTextElement[]>;
  /** How wide the names of the layers and the gaps beside them are, in px. */
  declare left: number;
  declare space: HTMLElement;
  declare stage: HTMLElement;
  declare slider: HTMLInputElement;
  declare pose: Pose;
  declare middle: { x: number; y: number };

  constructor(rules: Rules, listeners: Listeners & { onlook?: (look: Look) => void }, remembered?: { open?: number }) {
    super(rules, listeners);
    this.onlook = listeners.onlook;
    this.open = remembered?.open ?? FIRST_LOOK.open;
    this.look = { ...FIRST_LOOK, open: this.open };
    this.updateControls();
  }

  get cellKey() {
    return 'data-place';
  }

  get cellClass() {
    return 'cube-cell';
  }

  // Building

  build() {
    const g = this.geometry;
    this.side = g.columns * CELL_PX;
    this.posts = CORNERS.map(() => svg('line', { class: 'cube-post' }));
    const under = svg('svg', { class: 'cube-drawing', 'aria-hidden': 'true' }, ...this.posts);
    this.rods = svg('g', {});
    this.names = this.buildNames();
    const over = svg(
      'svg',
      { class: 'cube-drawing', 'aria-hidden': 'true' },
      this.rods,
      ...Object.values(this.names).flat(),
    );
    const layers = g.grids.map((grid, number) => this.buildGrid(grid, number));
    // The top layer is painted last: it covers the others.
    layers.forEach((layer, number) => (layer.style.zIndex = String(layers.length - number)));
    this.space = el(
      'div',
      {
        class: 'cube-space',
        vars: { '--side': `${this.side}px`, '--cube-cell': `${CELL_PX}px`, '--columns': g.columns },
      },
      layers,
    );
    this.stage = el(
      'div',
      {
        class: 'cube-stage',
        ...this.handlers(),
        onpointerdown: (e: PointerEvent) => this.grasp(e),
        onpointermove: (e: PointerEvent) => this.drag(e),
        onpointerup: () => this.release(),
        onpointercancel: () => this.release(),
        onmousedown: (e: Event) => this.passive && e.preventDefault(), // cells outside the tab order take no focus
        ondragstart: (e: Event) => e.preventDefault(),
      },
      under,
      this.space,
      over,
    );
    new ResizeObserver((entries) => this.resized(entries[0].contentRect)).observe(this.stage);
    return el('div', { class: 'cube' }, this.stage, this.buildControls());
  }

  buildGrid(grid: Grid, number: number) {
    const rows = grid.rows.map((row) =>
      el(
        'div',
        { role: 'row', class: 'cube-row' },
        row.map((cell) => this.buildCell(cell)),
      ),
    );
    const layer = el(
      'div',
      {
        role: 'grid',
        class: 'cube-layer',
        'aria-label': this.gridLabel(number),
        vars: { '--shade': `${(18 * number) / (this.geometry.grids.length - 1)}%` },
      },
      rows,
    );
    this.grids.push(layer);
    return layer;
  }

  buildCell(cell: Cell) {
    const place = super.buildCell(cell);
    place.className = 'cube-place';
    (place.firstChild as HTMLElement).append(el('span', { class: 'stone', 'aria-hidden': 'true' }));
    return place;
  }

  buildNames() {
    const g = this.geometry;
    const name = (text: string, kind: string) => {
      const node = svg('text', { class: `cube-name ${kind}` });
      node.textContent = text;
      return node;
    };
    return {
      levels: g.grids.map((grid) => name(grid.label, 'cube-level')),
      files: g.files.map((file) => name(file, 'cube-axis')),
      ranks: g.ranks.map((rank) => name(rank, 'cube-axis')),
    };
  }

  buildControls() {
    this.slider = el('input', {
      type: 'range',
      min: 0,
      max: 100,
      'aria-label': t('cube.apart'),
      oninput: () => void this.turnTo({ ...this.look, open: Number(this.slider.value) / 100 }),
      onchange: () => this.told(),
    });
    const control = (name: 'left' | 'right' | 'up' | 'down' | 'reset', act: () => void) => {
      const label = t(`cube.${name}`);
      return button(icon(name), act, { 'aria-label': label, title: label, class: 'cube-button' });
    };
    return el(
      'div',
      { class: 'cube-controls', role: 'group', 'aria-label': t('cube.turn') },
      control('left', () => this.turn({ spin: -TURN.spin })),
      control('right', () => this.turn({ spin: TURN.spin })),
      control('up', () => this.turn({ tilt: TURN.tilt })),
      control('down', () => this.turn({ tilt: -TURN.tilt })),
      el('label', { class: 'cube-open' }, el('span', { 'aria-hidden': 'true' }, t('cube.open')), this.slider),
      control('reset', () => this.reset()),
    );
  }

  // What it shows

  face(cell: HTMLButtonElement): Element {
    return cell.firstElementChild as Element;
  }

  update(picture: Picture) {
    super.update(picture);
    this.ask();
  }

  /** New stones are turned as soon as they appear: a frame later they would jump. */
  preview(change: { hovered?: string | null; keyed?: string | null }) {
    super.preview(change);
    this.raised = null;
    this.raise();
  }

  /** A cube that merely mirrors the layers beside it is hidden from screen readers and takes no focus. */
  setPassive(passive: boolean) {
    this.passive = passive;
    setAttribute(this.stage, 'aria-hidden', passive ? 'true' : null);
    for (const [cell, each] of this.buttons)
      setAttribute(each, 'tabindex', !passive && cell === this.focusCell ? '0' : '-1');
  }

  stand(cell: string) {
    if (this.passive) this.focusCell = cell;
    else super.stand(cell);
  }

  /** The lines through the selected or hovered cell. */
  showThrough(lines: Line[]) {
    this.through = lines;
    this.ask();
  }

  /** The lines that won. */
  showWon(lines: string[][]) {
    this.won = lines.map((cells) => ({ cells, state: 'won' }));
    this.ask();
  }

  // Turning

  turn(by: Partial<Look>, gently: boolean = true) {
    const from = this.aim ?? this.look;
    const to = { spin: from.spin + (by.spin ?? 0), tilt: from.tilt + (by.tilt ?? 0), open: from.open + (by.open ?? 0) };
    if (gently) this.glide(within(to));
    else this.turnTo(to);
    if (by.open) this.told(within(to));
  }

  reset() {
    // Take the shorter way round.
    this.look.spin -= 360 * Math.round((this.look.spin - FIRST_LOOK.spin) / 360);
    this.glide({ ...FIRST_LOOK });
    this.told(FIRST_LOOK);
  }

  turnTo(look: Look) {
    cancelAnimationFrame(this.gliding);
    this.gliding = 0;
    this.aim = null;
    this.look = within(look);
    this.ask();
  }

  /** Over a few frames, or at once where motion is reduced. */
  glide(to: Look) {
    if (still()) return this.turnTo(to);
    const from = { ...this.look };
    const began = monotonicMs();
    cancelAnimationFrame(this.gliding);
    this.aim = to;
    const step = () => {
      const part = Math.min(1, (monotonicMs() - began) / GLIDE_MS);
      const eased = 1 - (1 - part) ** 3;
      const between = (key: keyof Look) => from[key] + eased * (to[key] - from[key]);
      this.look = { spin: between('spin'), tilt: between('tilt'), open: between('open') };
      this.draw();
      if (part < 1) this.gliding = requestAnimationFrame(step);
      else this.turnTo(to);
    };
    this.gliding = requestAnimationFrame(step);
  }

  told(look: Look = this.look) {
    this.onlook?.(look);
  }

  /** Handles a key. @returns whether the cube did something */
  turnedBy(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    const by = event.shiftKey ? SHIFTED[event.key] : PLAIN[event.key];
    if (by) this.turn(by);
    else if (event.key === '0') this.reset();
    else return false;
    return true;
  }

  grasp(event: PointerEvent) {
    this.touched = event.pointerType === 'touch';
    this.dragged = false;
    if (!event.isPrimary || event.button !== 0) return;
    this.held = { x: event.clientX, y: event.clientY, look: { ...this.look } };
  }

  drag(event: PointerEvent) {
    if (!this.held || !event.isPrimary) return;
    const [right, down] = [event.clientX - this.held.x, event.clientY - this.held.y];
    if (!this.dragged) {
      if (Math.hypot(right, down) < DRAG_FROM_PX) return;
      this.dragged = true;
      this.stage.classList.add('turning');
      if (event.isTrusted) this.stage.setPointerCapture(event.pointerId);
    }
    const { look } = this.held;
    this.turnTo({ spin: look.spin + DRAG.spin * right, tilt: look.tilt + DRAG.tilt * down, open: this.look.open });
  }

  release() {
    this.held = null;
    this.ask();
    this.stage.classList.remove('turning');
  }

  /** After a drag, the cell under the pointer must not be played. */
  clicked(event: Event) {
    if (this.dragged && (event as MouseEvent).detail > 0) return;
    super.clicked(event);
  }

  sizeOf(cell: HTMLButtonElement) {
    const { width, height } = cell.getBoundingClientRect();
    return Math.min(width, height);
  }

  /** Arrow keys move in the direction they show on the screen, however the cube is turned. */
  keyOf(event: KeyboardEvent) {
    return turnedKey(event.key, this.look.spin);
  }

  // Drawing

  resized({ width, height }: { width: number; height: number }) {
    this.size = { width, height };
    if (!width || !height) return;
    this.left = this.names.levels[0].getComputedTextLength() + 2 * NAME_GAP_PX; // names differ in one digit only
    this.draw();
  }

  /** Draws once in the next frame, however many changes come before it. */
  ask() {
    if (!this.size?.width || this.drawing) return;
    this.drawing = requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.drawing);
    this.drawing = 0;
    const { spin, tilt, open } = this.look;
    const levels = this.geometry.grids.length;
    const pose = { spin, tilt, step: stepOf(open, tilt, levels) };
    const { width, height } = this.size;
    const box = extent(pose, levels);
    this.scale =
      Math.min((width - this.left - MARGIN_RIGHT_PX) / (2 * box.side), (height - 2 * MARGIN_PX) / (box.up + box.down)) /
      this.side;
    this.pose = pose;
    this.middle = {
      x: (width + this.left - MARGIN_RIGHT_PX) / 2,
      y: height / 2 + ((box.up - box.down) / 2) * this.scale * this.side,
    };
    const { style } = this.space;
    style.transform = `translate(${this.middle.x}px, ${this.middle.y}px)`;
    // One screen pixel, rounded coarsely: all cells depend on it.
    const hair = `${Math.round(5 / this.scale) / 5}px`;
    if (style.getPropertyValue('--hair') !== hair) style.setProperty('--hair', hair);
    this.raise();
    this.grids.forEach(
      (layer, number) => (layer.style.transform = transform(this.levelOf(number), pose, this.side, this.scale)),
    );
    this.order(quarter(spin - 45));
    this.drawNames();
    this.drawRods();
    this.updateControls();
  }

  /**
   * Turns and stretches stones against the tilt of their layer, so that they seem to stand upright. This repaints them,
   * which takes most of a frame's time: so only visible marks are updated, and while the cube moves only once the lag
   * shows.
   */
  raise() {
    const { picture, look, raised } = this;
    const moves = this.gliding || (this.held && this.dragged);
    if (
      moves &&
      raised &&
      Math.abs(raised.spin - look.spin) < SLACK.spin &&
      Math.abs(raised.tilt - look.tilt) < SLACK.tilt
    )
      return;
    this.raised = look;
    const upright = `rotate(${look.spin.toFixed(1)}deg) scaleY(${(1 / Math.sin((look.tilt * Math.PI) / 180)).toFixed(3)}) translateY(-12%)`;
    const shown = [
      picture?.pending,
      picture?.planned,
      ...this.previewed,
      ...(picture?.marks.keys() ?? []),
      ...(picture?.threats?.keys() ?? []),
    ];
    for (const cell of shown) {
      const stone = cell && (this.buttons.get(cell)?.firstElementChild as HTMLElement);
      if (stone) stone.style.transform = upright;
    }
  }

  levelOf(grid: number) {
    return grid - (this.geometry.grids.length - 1) / 2;
  }

  /**
   * The position of a point on the stage.
   * @param column from the middle, in cells, as `row` and `level`
   */
  at(column: number, row: number, level: number) {
    const { columns } = this.geometry;
    const point = seen({ x: column / columns, z: row / columns, level }, this.pose);
    const size = this.scale * this.side;
    const { x, y } = this.middle;
    return { x: x + point.x * size, y: y + point.y * size, near: point.near };
  }

  atCell(text: string) {
    const cell = this.geometry.cells.get(text) as Cell;
    const half = (this.geometry.columns - 1) / 2;
    return this.at(cell.column - half, cell.row - half, this.levelOf(cell.grid));
  }

  /** The depth order of the stones, seen from this side. */
  order(side: number) {
    if (side === this.ordered) return;
    this.ordered = side;
    const columns = side === 0 || side === 3 ? -1 : 1;
    const rows = side === 0 || side === 1 ? -1 : 1;
    for (const cell of this.geometry.cells.values()) {
      const each = this.buttons.get(cell.text) as HTMLElement;
      each.style.zIndex = String(20 + columns * cell.column + rows * cell.row);
    }
  }

  drawNames() {
    const { columns, rows, grids } = this.geometry;
    const half = columns / 2;
    const low = this.levelOf(grids.length - 1);
    const corners = CORNERS.map(([x, z]) => [x * columns, z * columns]);
    corners.forEach(([x, z], i) => {
      const [from, to] = [this.at(x, z, this.levelOf(0)), this.at(x, z, low)];
      place(this.posts[i], { x1: from.x, y1: from.y, x2: to.x, y2: to.y });
    });
    const tight = this.pose.step * this.scale * this.side < CLOSE_LABELS_PX;
    this.names.levels.forEach((name, number) => {
      const left = corners.map(([x, z]) => this.at(x, z, this.levelOf(number))).reduce((a, b) => (b.x < a.x ? b : a));
      place(name, {
        x: left.x - NAME_GAP_PX,
        y: left.y + 4,
        visibility: tight && number % (grids.length - 1) ? 'hidden' : 'visible',
      });
    });
    // Along the nearest edges, where nothing covers them.
    const front = this.at(0, half, low).near > this.at(0, -half, low).near ? 1 : -1;
    const side = this.at(half, 0, low).near > this.at(-half, 0, low).near ? 1 : -1;
    this.names.files.forEach((name, i) => place(name, this.beside(i - half + 0.5, front * (half + 0.42), low)));
    this.names.ranks.forEach((name, i) => place(name, this.beside(side * (half + 0.42), i - rows / 2 + 0.5, low)));
  }

  beside(column: number, row: number, level: number) {
    const { x, y } = this.at(column, row, level);
    return { x, y: y + 5 };
  }

  /** Lines run from stone to stone, so that no mark is crossed out. */
  drawRods() {
    const radius = (STONE / 2) * this.scale * CELL_PX + 2;
    const rods = [];
    for (const { cells, state } of [...this.through, ...this.won]) {
      for (let i = 1; i < cells.length; i++) {
        const [from, to] = [this.atCell(cells[i - 1]), this.atCell(cells[i])];
        const length = Math.hypot(to.x - from.x, to.y - from.y);
        const cut = Math.min(radius, length * 0.42) / (length || 1);
        rods.push({
          class: `rod rod-${state}`,
          x1: from.x + cut * (to.x - from.x),
          y1: from.y + cut * (to.y - from.y),
          x2: to.x - cut * (to.x - from.x),
          y2: to.y - cut * (to.y - from.y),
        });
      }
    }
    while (this.rods.childElementCount > rods.length) this.rods.lastChild?.remove();
    while (this.rods.childElementCount < rods.length) this.rods.append(svg('line', {}));
    rods.forEach((rod, i) => place(this.rods.children[i], rod));
  }

  updateControls() {
    const percent = String(Math.round(100 * this.look.open));
    if (this.slider.value !== percent) this.slider.value = percent;
    setAttribute(this.slider, 'aria-valuetext', t('cube.how-open', { percent }));
  }
}

function still() {
  return preferences().animation === 'off' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function within({ spin, tilt, open }: Look): Look {
  return { spin, tilt: Math.min(TILTS.most, Math.max(TILTS.least, tilt)), open: Math.min(1, Math.max(0, open)) };
}

function place(node: Element, attributes: Record<string, string | number>) {
  for (const [name, value] of Object.entries(attributes))
    setAttribute(node, name, typeof value === 'number' ? value.toFixed(1) : value);
}

const SHIFTED: Record<string, Partial<Look>> = {
  ArrowLeft: { spin: -TURN.spin },
  ArrowRight: { spin: TURN.spin },
  ArrowUp: { tilt: TURN.tilt },
  ArrowDown: { tilt: -TURN.tilt },
  '+': { open: TURN.open },
};
const PLAIN: Record<string, Partial<Look>> = {
  '+': { open: TURN.open },
  '=': { open: TURN.open },
  '-': { open: -TURN.open },
};
