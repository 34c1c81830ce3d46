// @ts-check
// Puzzles: positions of recorded games in which one move alone wins in time, or alone does not lose. What is right, what
// refutes the rest and how the game goes on comes with the puzzle, proven when it was made.

import { sideAt } from '../board/position.js';
import { t } from '../i18n/language.js';
import { capital, spokenMove } from '../i18n/moveWords.js';
import { loaded } from '../net/errors.js';
import { button, el, fill, setAttribute, setText } from '../ui/dom.js';
import { marks } from '../ui/settings.js';
import { LearnBoard } from './board.js';
import { keepSolved, solved } from './solved.js';

/**
 * @typedef {{right: Record<string, {reply: string, turn: Turn}|null>, refute: string|null, except: Record<string, string>}} Turn
 * @typedef {{moves: string[], kind: 'win'|'save', plies: number, alone: boolean, difficulty: number,
 *            source: {game: number, x?: string, o?: string}, turn: Turn}} Puzzle
 */

/** Cells among which a hint says that the move is. */
const HINTED = 4;
/** @type {Promise<{default: {games: Record<string, Puzzle[]>}}>|null} */
let asked = null;

/** @param {string} game @returns {Promise<Puzzle[]>} */
export async function puzzlesOf(game) {
  asked ??= /** @type {NonNullable<typeof asked>} */ (
    /** @type {unknown} */ (loaded(import('./puzzles.json', { with: { type: 'json' } })))
  );
  try {
    return (await asked).default.games[game] ?? [];
  } catch (error) {
    asked = null; // so that the next caller tries again
    throw error;
  }
}

export class Puzzles {
  /** @param {import('../main.js').App} app @param {import('../types/page.js').Rules} rules @param {Puzzle[]} puzzles */
  constructor(app, rules, puzzles) {
    this.app = app;
    this.rules = rules;
    this.puzzles = puzzles;
    this.number = Math.max(
      0,
      puzzles.findIndex((puzzle) => !solved().has(this.nameOf(puzzle))),
    );
    this.task = el('h2', { class: 'learn-task', tabindex: -1 });
    this.about = el('p', { class: 'muted' });
    this.status = el('p', { class: 'status learn-status' });
    this.list = el('ol', { class: 'learn-list', 'aria-label': t('learn.puzzles') });
    /** @type {HTMLButtonElement} */
    this.hint = button(t('learn.hint'), () => this.giveHint());
    this.retry = button(t('learn.retry'), () => this.takeBack(), { class: 'primary' });
    this.show = button(t('learn.solution'), () => this.showSolution());
    this.next = button(t('learn.next'), () => this.open((this.number + 1) % this.puzzles.length, true), {
      class: 'primary',
    });
    this.board = new LearnBoard(rules, {
      onplay: (cell) => this.played(cell),
      tell: (sentence) => this.tell(sentence),
    });
    this.node = el(
      'div',
      { class: 'learn-play' },
      el(
        'div',
        { class: 'learn-words' },
        this.task,
        this.about,
        this.status,
        el('div', { class: 'learn-tools' }, this.retry, this.next, this.hint, this.show),
      ),
      el('div', { class: 'board-area' }, this.board.node),
      el('div', { class: 'learn-side' }, this.list),
    );
    this.open(this.number, false);
  }

  get puzzle() {
    return this.puzzles[this.number];
  }

  /** What a solved puzzle is remembered by. @param {Puzzle} puzzle */
  nameOf(puzzle) {
    return `${this.rules.id} ${puzzle.moves.join(' ')}`;
  }

  /** @param {number} number @param {boolean} loud */
  open(number, loud) {
    this.number = number;
    /** @type {string[]} */
    this.moves = this.puzzle.moves;
    /** @type {Turn|null} null once it is solved or its solution was shown */
    this.turn = this.puzzle.turn;
    /** A wrong move and what refutes it stand on the board. */
    this.wrong = false;
    /** @type {string[]} */
    this.pointed = [];
    setText(this.status, '');
    this.update();
    // The keyboard comes to the last move: what the puzzle is about is mostly near.
    this.board.stand(/** @type {string} */ (this.moves.at(-1)));
    if (!loud) return;
    this.app.say(this.taskWords());
    this.task.focus({ preventScroll: true });
  }

  // What the reader does

  /** @param {string} cell */
  played(cell) {
    const { turn } = this;
    if (!turn || this.wrong) return;
    this.pointed = [];
    if (!(cell in turn.right)) {
      this.refute(cell, turn);
      return;
    }
    const answer = turn.right[cell];
    const before = this.moves;
    this.moves = answer ? [...before, cell, answer.reply] : [...before, cell];
    this.turn = answer?.turn ?? null;
    if (!answer) keepSolved(this.nameOf(this.puzzle));
    this.update();
    if (answer)
      this.tell(
        t('learn.right', { move: capital(spokenMove(cell)), reply: spokenMove(answer.reply), ...this.names() }),
      );
    else {
      this.tell(
        t(this.puzzle.kind === 'win' ? 'learn.solved' : 'learn.saved', {
          move: capital(spokenMove(cell)),
          ...this.names(),
        }),
      );
      this.next.focus({ preventScroll: true });
    }
  }

  /** @param {string} cell @param {Turn} turn */
  refute(cell, turn) {
    const after = this.board.table.after([...this.moves, cell]);
    const reply = after.toMove ? (turn.except[cell] ?? turn.refute) : null;
    this.moves = reply ? [...after.moves, reply] : after.moves;
    this.wrong = true;
    this.update();
    this.tell(this.whyNot(cell, reply, turn));
    this.retry.focus({ preventScroll: true });
  }

  /** @param {string} cell @param {string|null} reply @param {Turn} turn */
  whyNot(cell, reply, turn) {
    const values = { move: capital(spokenMove(cell)), reply: reply ? spokenMove(reply) : '', ...this.names() };
    if (!reply) return t('learn.wrong.end', values);
    const after = this.board.position;
    if (after.winner) return t('learn.wrong.lost', values);
    if (this.puzzle.kind === 'save') return t('learn.wrong.saved-not', values);
    if (this.puzzle.alone && turn === this.puzzle.turn) return t('learn.wrong.gone', values);
    return t('learn.wrong.late', { ...values, count: this.movesLeft() });
  }

  takeBack() {
    this.moves = this.moves.slice(0, this.moves.length - this.beyond());
    this.wrong = false;
    this.update();
    this.tell(this.taskWords());
    this.board.focus();
  }

  /** Moves on the board that do not belong to the solution: the wrong one, and its refutation if there is one. */
  beyond() {
    const own = (this.moves.length - this.puzzle.moves.length) % 2;
    return own || 2;
  }

  giveHint() {
    const { turn } = this;
    if (!turn) return;
    const key = Object.keys(turn.right)[0];
    const { legal } = this.board.position;
    const at = legal.indexOf(key);
    const among = Math.min(HINTED, legal.length);
    const from = Math.max(0, Math.min(at - (at % among), legal.length - among));
    this.pointed = legal.slice(from, from + among);
    this.update();
    this.tell(t('learn.hinted', { cells: this.pointed.map(spokenMove).join(', '), ...this.names() }));
  }

  /** Plays the main line to its end. */
  showSolution() {
    const line = [];
    for (let turn = /** @type {Turn|null} */ (this.puzzle.turn); turn; ) {
      /** @type {[string, {reply: string, turn: Turn}|null]} */
      const [move, answer] = Object.entries(turn.right)[0];
      line.push(move, ...(answer ? [answer.reply] : []));
      turn = answer?.turn ?? null;
    }
    this.moves = [...this.puzzle.moves, ...line];
    this.turn = null;
    this.wrong = false;
    this.update();
    this.tell(
      t('learn.shown', {
        line: line.map((move, i) => `${marks()[sideAt(this.puzzle.moves.length + i)]} ${spokenMove(move)}`).join(', '),
      }),
    );
    this.next.focus({ preventScroll: true });
  }

  // What is shown

  /** The side that solves and the other, by their marks. */
  names() {
    const names = marks();
    const side = sideAt(this.puzzle.moves.length);
    return { side: names[side], other: names[side === 'x' ? 'o' : 'x'] };
  }

  /** The solver's moves to the end, the next counted. */
  movesLeft() {
    const gone = this.wrong ? this.beyond() : 0;
    const made = this.moves.length - gone - this.puzzle.moves.length;
    return (this.puzzle.plies + 1 - made) / 2;
  }

  taskWords() {
    const names = this.names();
    if (this.puzzle.kind === 'save') return t('learn.task.save', names);
    return t('learn.task.win', { ...names, count: (this.puzzle.plies + 1) / 2 });
  }

  /** @param {string} sentence */
  tell(sentence) {
    setText(this.status, sentence);
    this.app.say(sentence);
  }

  update() {
    const { puzzle, turn } = this;
    const { x, o } = puzzle.source;
    const names = marks();
    this.board.show(this.moves, { open: turn !== null && !this.wrong, pointed: this.pointed });
    setText(this.task, this.taskWords());
    const level = t(`learn.difficulty.${puzzle.difficulty}`);
    const count = puzzle.moves.length;
    setText(
      this.about,
      x && o
        ? t('learn.from.bots', { level, x: `${x} (${names.x})`, o: `${o} (${names.o})`, count })
        : t('learn.from', { level, count }),
    );
    this.retry.hidden = !this.wrong;
    this.hint.hidden = !turn || this.wrong === true;
    this.show.hidden = !turn;
    this.next.hidden = turn !== null;
    this.updateList();
  }

  updateList() {
    const done = solved();
    if (!this.list.firstChild)
      fill(
        this.list,
        this.puzzles.map((_, i) =>
          el(
            'li',
            null,
            button(String(i + 1), () => this.open(i, true)),
          ),
        ),
      );
    this.puzzles.forEach((puzzle, i) => {
      const each = /** @type {HTMLElement} */ (this.list.children[i].firstChild);
      const isSolved = done.has(this.nameOf(puzzle));
      each.classList.toggle('solved', isSolved);
      setAttribute(each, 'aria-current', i === this.number ? 'true' : null);
      setAttribute(each, 'aria-label', t(isSolved ? 'learn.puzzle.solved' : 'learn.puzzle', { number: i + 1 }));
    });
  }
}
