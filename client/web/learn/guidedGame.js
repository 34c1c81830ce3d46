// @ts-check
// A guided first game: the reader makes the moves that are shown, the other side answers as written, and X wins.

import { t } from '../i18n/language.js';
import { capital, spokenMove } from '../i18n/moveWords.js';
import { button, el, fill, setText } from '../ui/dom.js';
import { marks } from '../ui/settings.js';
import { LearnBoard } from './board.js';
import { lessonFor } from './lessons.js';

export class GuidedGame {
  /**
   * @param {import('../main.js').App} app @param {import('../types/page.js').Rules} rules @param {() => void} playReal
   * @param {boolean} hasPuzzles
   */
  constructor(app, rules, playReal, hasPuzzles) {
    this.app = app;
    this.lesson = lessonFor(rules);
    this.playReal = playReal;
    this.hasPuzzles = hasPuzzles;
    /** Of the steps, those that are done. */
    this.done = 0;
    this.status = el('p', { class: 'status learn-status' });
    this.hint = el('p', { class: 'learn-hint' });
    this.dots = el(
      'ol',
      { class: 'learn-dots', 'aria-hidden': 'true' },
      this.lesson.steps.map(() => el('li')),
    );
    this.progress = el('p', { class: 'muted learn-progress' });
    this.back = button(t('learn.back'), () => this.go(this.done - 1));
    this.again = button(t('learn.again'), () => this.go(0));
    this.after = el('div', { class: 'learn-after' });
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
        el('div', { class: 'learn-steps' }, this.dots, this.progress),
        this.status,
        this.hint,
        this.after,
      ),
      el('div', { class: 'board-area' }, this.board.node),
      el('div', { class: 'learn-side' }, el('div', { class: 'learn-tools' }, this.back, this.again)),
    );
    this.update();
  }

  get step() {
    return this.lesson.steps[this.done] ?? null;
  }

  /** The moves on the board now. */
  get moves() {
    return this.lesson.moves.slice(0, this.step ? this.step.ply : this.lesson.moves.length);
  }

  /** @param {number} done */
  go(done) {
    const tool = document.activeElement;
    this.done = done;
    this.update();
    this.app.say(this.sentence());
    if (tool === this.back && this.back.disabled) this.again.focus();
    if (document.activeElement === document.body || /** @type {HTMLButtonElement|null|undefined} */ (tool)?.disabled)
      this.board.focus();
  }

  /** @param {string} cell */
  played(cell) {
    const { step } = this;
    if (!step) return;
    const asked = this.lesson.moves[step.ply];
    if (cell !== asked) {
      const trap = step.traps?.[cell];
      this.tell(
        trap
          ? t(trap, this.values(step))
          : t('learn.not-this', { move: capital(spokenMove(cell)), asked: spokenMove(asked) }),
      );
      return;
    }
    this.done += 1;
    this.update();
    this.app.say([this.answered(), this.sentence()].filter(Boolean).join(' '));
    if (!this.step) /** @type {HTMLElement|null} */ (this.after.querySelector('button'))?.focus();
  }

  /** @param {string} sentence */
  tell(sentence) {
    setText(this.hint, sentence);
    this.app.say(sentence);
  }

  /** @param {import('./lessons.js').Step} step */
  values(step) {
    const names = marks();
    return { ...step.values, x: names.x, o: names.o, move: spokenMove(this.lesson.moves[step.ply]) };
  }

  /** What to do now, or that one has won. */
  sentence() {
    return this.step ? t(this.step.key, this.values(this.step)) : t('learn.won', { x: marks().x });
  }

  /** What the other side has just played, or that moves were made; empty before the first move. */
  answered() {
    const { step } = this;
    if (!step || step.ply === 0) return '';
    const before = this.lesson.steps[this.done - 1];
    if (!before) return t('learn.begun', { x: marks().x });
    const move = spokenMove(this.lesson.moves[step.ply - 1]);
    const skipped = step.ply - before.ply > 2;
    return t(skipped ? 'learn.later' : 'learn.answer', { o: marks().o, move });
  }

  update() {
    const { step, done } = this;
    const all = this.lesson.steps.length;
    const asked = step && this.lesson.moves[step.ply];
    this.board.show(this.moves, { open: step !== null, pointed: asked ? [asked] : [] });
    if (asked && !this.node.contains(document.activeElement)) this.board.stand(asked);
    fill(
      this.status,
      step ? [el('span', { class: 'learn-answer' }, this.answered(), ' '), this.sentence()] : this.sentence(),
    );
    setText(this.hint, '');
    setText(this.progress, step ? t('learn.step', { step: done + 1, of: all }) : t('learn.done'));
    [...this.dots.children].forEach((dot, i) => (dot.className = i < done ? 'done' : i === done ? 'now' : ''));
    this.back.disabled = done === 0;
    this.again.disabled = done === 0;
    fill(
      this.after,
      !step && [
        button(t('learn.real'), this.playReal, { class: 'primary' }),
        this.hasPuzzles && el('a', { class: 'button', href: '#puzzles' }, t('learn.to-puzzles')),
      ],
    );
    this.hint.hidden = !step;
    this.node.classList.toggle('over', !step);
  }
}
