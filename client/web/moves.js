// @ts-check
// The list of moves, in pairs as players write them.

import { el, fill } from './dom.js';
import { sideAt } from './position.js';

export class MoveList {
  /** @param {((ply: number) => void)|null} [onchoose] makes each move a button that leads to its position */
  constructor(onchoose) {
    this.onchoose = onchoose ?? null;
    this.key = '';
    this.node = el('ol', { class: 'moves', 'aria-label': 'Moves', tabindex: onchoose ? null : 0 });
  }

  /**
   * @param {string[]} moves @param {string[]} start set up before the first move @param {{x: string, o: string}} marks
   * @param {number} [shown] number of moves on the board; the last of them is marked
   */
  update(moves, start, marks, shown = moves.length) {
    const key = JSON.stringify([moves, start, marks, shown]);
    if (key === this.key) return;
    this.key = key;
    const all = [...start.map((text) => ({ text, ply: -1 })), ...moves.map((text, ply) => ({ text, ply }))];
    const rows = [];
    for (let i = 0; i < all.length; i += 2) {
      rows.push(
        el(
          'li',
          null,
          el('span', { class: 'move-number' }, `${i / 2 + 1}.`),
          all.slice(i, i + 2).map((move, j) => this.entry(move, sideAt(i + j), marks, shown)),
        ),
      );
    }
    this.node.classList.toggle('long', all.some((move) => move.text.length > 3));
    if (rows.length) fill(this.node, rows);
    else fill(this.node, el('li', { class: 'muted' }, 'No move yet.'));
    const last = this.node.querySelector('.current');
    // Only the list itself scrolls: scrollIntoView would move the page under a player's finger.
    if (last) this.node.scrollTop = last.offsetTop - this.node.clientHeight / 2;
  }

  /** @param {{text: string, ply: number}} move @param {'x'|'o'} side @param {{x: string, o: string}} marks @param {number} shown */
  entry(move, side, marks, shown) {
    const current = move.ply === shown - 1 && move.ply >= 0;
    const name = `move${current ? ' current' : ''}${move.ply < 0 ? ' muted' : ''}`;
    const content = [el('span', { class: `mark-${side} move-mark`, 'aria-hidden': 'true' }, marks[side]), ' ', move.text];
    if (!this.onchoose || move.ply < 0) return el('span', { class: name, title: move.ply < 0 ? 'set up before the game' : null }, content);
    const onclick = () => this.onchoose?.(move.ply + 1);
    return el('button', { type: 'button', class: name, onclick, 'aria-current': current ? 'step' : null }, content);
  }
}
