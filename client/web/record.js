// @ts-check
// A game record: any position of a game that was played, step by step.

import { Board } from './board.js';
import { getJson, searchesOf } from './catalog.js';
import { button, el, fill, personName, setText } from './dom.js';
import { MoveList } from './moves.js';
import { marksAfter, smallBoards } from './position.js';
import { marks, token } from './settings.js';
import { resultSentence } from './words.js';

export class RecordView {
  /** @param {import('./main.js').App} app @param {string} id @param {number|null} ply */
  constructor(app, id, ply) {
    this.app = app;
    this.id = id;
    this.title = 'Game record';
    this.wanted = ply;
    this.mounted = true;
    this.ply = 0;
    this.list = new MoveList((ply) => this.go(ply));
    this.node = el('div', { class: 'room loading' }, el('h1', { tabindex: -1 }, 'Opening the record …'));
    void this.load();
  }

  unmount() {
    this.mounted = false;
  }

  async load() {
    try {
      this.record = await getJson(`/api/games/${encodeURIComponent(this.id)}`, token());
      this.rules = await this.app.catalog.rules(this.record.game);
    } catch (error) {
      if (this.mounted) this.app.missing(null, `There is no record to show. ${/** @type {Error} */ (error).message}`);
      return;
    }
    if (!this.mounted) return;
    this.texts = this.record.moves.map((/** @type {any} */ move) => move.move);
    this.start = this.record.start ?? [];
    this.searches = searchesOf(this.record);
    this.ply = Math.min(Math.max(0, this.wanted ?? this.texts.length), this.texts.length);
    this.build();
    this.update();
    this.app.settle(/** @type {HTMLElement} */ (this.node.querySelector('h1')));
  }

  build() {
    const rules = /** @type {import('./types.js').Rules} */ (this.rules);
    this.board = new Board(rules, { onplay: () => {} });
    this.where = el('p', { class: 'status' });
    const last = this.texts.length;
    this.slider = el('input', {
      type: 'range', min: 0, max: last, value: this.ply, 'aria-label': 'Move',
      oninput: () => this.go(Number(this.slider.value)),
    }); // prettier-ignore
    fill(
      this.node,
      el(
        'div',
        { class: 'table' },
        el('div', { class: 'room-head' }, el('h1', { tabindex: -1 }, rules.name), el('small', { class: 'muted' }, this.result())),
        el('p', { class: 'players' }, personName(nameOf(this.record.x)), ' – ', personName(nameOf(this.record.o))),
        this.where,
        el('div', { class: 'board-area' }, this.board.node),
        el(
          'div',
          { class: 'steps' },
          button('⏮', () => this.go(0), { 'aria-label': 'First position' }),
          button('◀', () => this.go(this.ply - 1), { 'aria-label': 'One move back' }),
          this.slider,
          button('▶', () => this.go(this.ply + 1), { 'aria-label': 'One move on' }),
          button('⏭', () => this.go(last), { 'aria-label': 'Last position' }),
        ),
      ),
      el(
        'div',
        { class: 'side' },
        el('section', { class: 'panel' }, el('h2', null, 'Moves'), this.list.node, this.list.figures),
        el('section', { class: 'panel rules' }, el('h2', null, 'The rules'), rules.sentences.map((s) => el('p', null, s))),
        el('section', { class: 'panel actions' }, el('a', { class: 'button', href: '/' }, 'To the lobby')),
      ),
    );
    this.node.classList.remove('loading');
    this.app.setTitle(`${nameOf(this.record.x)} – ${nameOf(this.record.o)}, ${rules.name}`);
  }

  /** @param {number} ply */
  go(ply) {
    this.ply = Math.min(Math.max(0, ply), this.texts.length);
    history.replaceState(null, '', `/game/${encodeURIComponent(this.id)}?ply=${this.ply}`);
    this.update();
    this.app.say(this.ply ? `Move ${this.ply}: ${this.texts[this.ply - 1]}` : 'Before the first move');
  }

  result() {
    if (!this.record.termination) return 'still running';
    const seat = (/** @type {any} */ who) => ({ id: '', name: nameOf(who), kind: 'person', present: true });
    const game = { game: this.record.game, result: { winner: this.record.winner ?? null, termination: this.record.termination } };
    return resultSentence(/** @type {any} */ ({ game, seats: { x: seat(this.record.x), o: seat(this.record.o) }, you: null }), marks());
  }

  update() {
    const board = /** @type {Board} */ (this.board);
    const all = [...this.start, ...this.texts.slice(0, this.ply)];
    const nested = board.geometry.kind === 'nested';
    const small = nested ? smallBoards(this.record.game, all) : { owners: [], closed: [] };
    const atEnd = this.ply === this.texts.length;
    board.update({
      marks: marksAfter(all),
      names: marks(),
      playable: new Set(),
      mover: null,
      last: all.at(-1) ?? null,
      line: new Set(atEnd ? (this.record.line ?? []) : []),
      pending: null,
      forced: null,
      owners: this.record.game === 'nine-board' ? Array(9).fill(null) : small.owners,
      closed: small.closed,
      over: true,
    });
    setText(this.where, `Position after ${this.ply} of ${this.texts.length} moves`);
    this.slider.value = String(this.ply);
    this.list.update(this.texts, this.start, marks(), this.ply, this.searches);
  }
}

/** A record names its players; a later version may tell more of each. @param {any} who @returns {string} */
function nameOf(who) {
  return typeof who === 'string' ? who : (who?.name ?? '?');
}
