// What the player does and intends in a room: selected, planned or typed moves, offers, resigning. It owns the board
// and draws it at once on a change, so that a move appears in the frame of its touch.

import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { Picture } from '../board/board.ts';
import { BoardFrame } from '../board/frame.ts';
import { MoveInput } from '../board/moveInput.ts';
import { marksAfter, pictureOf } from '../board/position.ts';
import { t } from '../i18n/language.ts';
import { aboutMove, spokenMove } from '../i18n/moveWords.ts';
import type { App } from '../main.tsx';
import type { LiveRoom } from '../net/rooms.ts';
import type { Act, Rules } from '../types/page.d.ts';
import { listen } from '../ui/listen.ts';
import { marks, preferences } from '../ui/settings.ts';
import type { Plan } from './playable.ts';
import { plan, plannable, playable, resolvePremove } from './playable.ts';
import { isRunning, other } from './state.ts';
import { refusalSentence } from './words.ts';

export class Hand {
  readonly app: App;
  readonly room: LiveRoom;
  readonly rules: Rules;
  readonly board: BoardFrame;
  readonly typed: MoveInput;
  /** The cell that a second touch would play. */
  readonly chosen = signal<string | null>(null);
  /** The move to be played at this player's next turn. */
  readonly planned = signal<Plan | null>(null);
  /** A sentence about what has just happened. */
  readonly hint = signal('');
  /** Asked to resign, not yet confirmed. */
  readonly sure = signal(false);
  /** The moves that a bot expects, while the player looks at them. */
  readonly imagined = signal<string[]>([]);

  constructor(app: App, room: LiveRoom, rules: Rules) {
    this.app = app;
    this.room = room;
    this.rules = rules;
    this.board = new BoardFrame(rules, {
      onplay: (cell) => this.play(cell),
      onrefused: (cell) => this.refuse(cell),
      onchoose: (cell) => this.choose(cell),
      confirms: () => this.likes.confirm,
      onplan: (cell) => this.plan(cell),
    });
    this.typed = new MoveInput(this.board.geometry, (cell) => this.playTyped(cell));
    this.board.node.addEventListener('keydown', (event) => this.typed.takeKey(event as KeyboardEvent));
    guardLooks(this.board.node, () => this.imagined.peek().length > 0);
  }

  /** Keeps the board drawn. @returns a function that stops it */
  start() {
    const game = computed(() => this.room.state.game);
    const you = computed(() => this.room.state.you);
    const stop = effect(() => {
      void [game.value, you.value, this.room.pending, this.planned.value, this.imagined.value, this.marks, this.likes];
      untracked(() => {
        this.board.update(this.picture());
        this.typed.update(playable(this.room.state, this.board.geometry));
      });
    });
    const dropped = effect(() => {
      if (!this.likes.premove) untracked(() => this.unplan());
    });
    const deaf = listen(document, { keydown: (event: KeyboardEvent) => this.escaped(event) });
    return () => [stop, dropped, deaf].forEach((end) => end());
  }

  /** This player's preferences. */
  get marks() {
    return marks();
  }

  get likes() {
    return preferences();
  }

  // Actions

  play(cell: string) {
    void this.app.attempt(() => this.app.rooms.move(this.room, cell));
  }

  playChosen() {
    const cell = this.chosen.peek();
    this.board.choose(null);
    if (cell) this.play(cell);
  }

  /** Plans a move, or cancels it if it is planned already. */
  plan(cell: string) {
    if (this.planned.peek()?.move === cell) return this.unplan();
    batch(() => {
      this.hint.value = '';
      this.planned.value = plan(this.room.state, cell);
    });
    this.app.say(aboutMove('plan.made', cell));
  }

  unplan() {
    const planned = this.planned.peek();
    if (!planned) return;
    this.app.say(aboutMove('plan.dropped', planned.move));
    this.planned.value = null;
  }

  /** Plays the planned move, or says why not; either way it is no longer planned. */
  settlePlan(away: boolean) {
    const planned = this.planned.peek();
    const { state } = this.room;
    if (!planned) return;
    const what = resolvePremove(planned, state, playable(state, this.board.geometry), away);
    if (what === 'kept') return;
    this.planned.value = null;
    if (what === 'play') return this.play(planned.move);
    if (state.game.result) return; // the result's sentence is enough
    this.tell(aboutMove(what === 'illegal' ? 'plan.illegal' : 'plan.lost', planned.move));
  }

  act(action: Act['action']) {
    void this.app.attempt(() => this.app.rooms.act(this.room, action));
  }

  rematch() {
    void this.app.attempt(() => this.app.connection.request({ t: 'rematch', room: this.room.state.room }));
  }

  join() {
    const { code, state } = this.room;
    void this.app.attempt(() => this.app.rooms.join(code ? { code } : { room: state.room }));
  }

  /** When this player can claim the win against an absent opponent, by monotonicMs(). */
  claimAt() {
    const { state, claimAt } = this.room;
    const { you } = state;
    return isRunning(state) && (you === 'x' || you === 'o') ? claimAt[other(you)] : undefined;
  }

  /** Shows and announces a sentence. */
  tell(sentence: string) {
    this.hint.value = sentence;
    this.app.say(sentence);
  }

  // Internals

  choose(cell: string | null) {
    if (cell) this.app.say(aboutMove('board.chosen', cell));
    this.chosen.value = cell;
  }

  /** Escape cancels a selected or planned move, wherever the focus is. */
  escaped(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (this.board.chosen) this.board.choose(null);
    else this.unplan();
  }

  refuse(cell: string) {
    if (this.room.pending) return;
    const sentence = this.refusal(cell);
    if (sentence) this.tell(sentence);
  }

  refusal(cell: string) {
    const { state } = this.room;
    return refusalSentence(state, marksAfter([...state.game.start, ...state.game.moves]), cell);
  }

  playTyped(cell: string): string | null {
    const { state, pending } = this.room;
    const { board } = this;
    if (pending) return t('room.sending', { move: spokenMove(pending.move) });
    const open = playable(state, board.geometry).has(cell);
    if (!open && !(this.likes.premove && plannable(state, board.geometry).has(cell))) return this.refusal(cell);
    board.stand(cell);
    board.focus();
    board.choose(null);
    if (open) this.play(cell);
    else this.plan(cell);
    return null;
  }

  picture(): Picture {
    const { rules, board } = this;
    const { pending, state } = this.room;
    const { game } = state;
    const imagined = this.imagined.peek();
    const all = [...game.start, ...game.moves, ...imagined];
    const open = imagined.length ? new Set<string>() : playable(state, board.geometry);
    // All other cells stay unchanged while a move is on its way: updating hundreds takes longer than the server's
    // answer.
    if (pending) open.delete(pending.move);
    return {
      ...pictureOf(rules, all, this.marks),
      playable: open,
      mover: game.started ? game.to_move : null,
      line: new Set(game.line ?? []),
      pending: pending?.move ?? null,
      over: game.result !== null,
      plannable: this.likes.premove ? plannable(state, board.geometry) : new Set(),
      planned: this.planned.peek()?.move ?? null,
      pointed: new Set(imagined),
      planner: state.you === 'both' ? null : state.you,
    };
  }
}

/** A touch that ends a preview of expected moves plays nothing: it may hit a move that is only a preview. */
function guardLooks(board: Element, looking: () => boolean) {
  let ends = false;
  board.addEventListener(
    'pointerdown',
    (event) => (ends = looking() && (event as PointerEvent).pointerType === 'touch'),
    true,
  );
  board.addEventListener(
    'click',
    (event) => {
      // A click by keyboard has no detail.
      if (ends && (event as MouseEvent).detail > 0) event.stopPropagation();
      ends = false;
    },
    true,
  );
}
