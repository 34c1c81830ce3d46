// @ts-check
// The explorer: from any position, the moves that were played and how their games ended. Positions that are alike,
// turned or mirrored, are one; so are the moves that lead to such.

import { BoardFrame } from '../board/frame.js';
import { leadsTo, marksAfter, shownBoards, sideAt } from '../board/position.js';
import { number, pieces, t } from '../i18n/language.js';
import { capital, spokenMove } from '../i18n/moveWords.js';
import { getJson } from '../net/catalog.js';
import { percent } from '../record/words.js';
import { button, el, fill, setText } from '../ui/dom.js';
import { lastChoices, marks } from '../ui/settings.js';
import { exploreLink } from './link.js';

const ROWS = 12;
// While games are being counted; beside a ladder that is without an end, so the page asks less and less often.
const AGAIN_MS = 2000;
const AGAIN_MOST_MS = 20_000;

/**
 * @typedef {{move: string, alike: string[], games: number, x_won: number, drawn: number, o_won: number, last_game: number}} Explored
 */
/** @typedef {{games: number, x_won: number, drawn: number, o_won: number}} Count */

export class ExplorerView {
  /** @param {import('../main.js').App} app @param {URLSearchParams} query */
  constructor(app, query) {
    this.app = app;
    this.title = t('explorer.title');
    this.game = query.get('game') || String(lastChoices().game ?? 'tictactoe');
    this.moves = (query.get('moves') ?? '').split(',').filter(Boolean);
    /** Where one is on the way to: steps back count from there. */
    this.wanted = this.moves;
    this.mounted = true;
    this.asked = 0;
    this.again_ms = AGAIN_MS;
    this.all = false;
    /** @type {Set<string>} */
    this.pointed = new Set();
    this.games = el('select', { 'aria-label': t('explorer.game'), onchange: () => void this.choose(this.games.value) });
    this.trail = el('ol', { class: 'trail', 'aria-label': t('explorer.trail') });
    this.back = button(t('explorer.back'), () => this.goBack());
    this.again = button(t('explorer.start'), () => this.go([]), { 'aria-label': t('explorer.start.meaning') });
    this.where = el('p', { class: 'status' });
    this.area = el('div', { class: 'board-area' });
    this.summary = el('div', { class: 'panel summary' });
    this.played = el('div', { class: 'panel played' });
    this.pending = el('p', { class: 'muted counting', hidden: true });
    this.node = el(
      'div',
      { class: 'room explorer' },
      el(
        'div',
        { class: 'table' },
        el(
          'div',
          { class: 'room-head' },
          el('h1', { tabindex: -1 }, t('explorer.title')),
          el('div', { class: 'picker' }, this.games),
        ),
        this.where,
        this.area,
        el('div', { class: 'steps' }, this.again, this.back, this.trail),
      ),
      el('div', { class: 'side' }, this.pending, this.summary, this.played),
    );
    this.onkey = (/** @type {KeyboardEvent} */ e) => this.keyed(e);
    document.addEventListener('keydown', this.onkey);
    void this.load();
  }

  unmount() {
    this.mounted = false;
    clearTimeout(this.timer);
    document.removeEventListener('keydown', this.onkey);
  }

  /** The game and its first picture. */
  async load() {
    const asked = ++this.asked;
    try {
      this.rules = await this.app.catalog.rules(this.game);
      this.game = this.rules.id;
      await this.fillGames();
      const answer = await this.ask(this.moves);
      if (!this.mounted || asked !== this.asked) return;
      this.board = new BoardFrame(this.rules, {
        onplay: (cell) => this.go([...this.moves, cell]),
        onchoose: (cell) =>
          setText(this.where, cell ? t('explorer.chosen', { cell: capital(spokenMove(cell)) }) : this.whereWords()),
      });
      fill(this.area, this.board.node);
      this.app.setTitle(t('explorer.of', { game: this.rules.name }));
      this.show(answer);
    } catch (error) {
      if (this.mounted && asked === this.asked)
        this.app.missing(null, t('explorer.impossible', { reason: /** @type {Error} */ (error).message }));
    }
  }

  async fillGames() {
    const listed = await this.app.catalog.games();
    const rules = /** @type {import('../types/page.js').Rules} */ (this.rules);
    const offered = listed.some((each) => each.id === rules.id) ? listed : [...listed, rules];
    fill(
      this.games,
      offered.map((each) => el('option', { value: each.id }, each.name)),
    );
    this.games.value = rules.id;
  }

  /** @param {string[]} moves */
  ask(moves) {
    const list = moves.map(encodeURIComponent).join(',');
    return getJson(`/api/explorer?game=${encodeURIComponent(this.game)}&moves=${list}`);
  }

  /** @param {string} game */
  async choose(game) {
    this.game = game;
    this.moves = this.wanted = [];
    history.pushState(null, '', exploreLink(game, []));
    clearTimeout(this.timer);
    await this.load();
  }

  /** @param {string[]} moves */
  async go(moves) {
    const asked = ++this.asked;
    this.wanted = moves;
    clearTimeout(this.timer);
    try {
      const answer = await this.ask(moves);
      if (!this.mounted || asked !== this.asked) return;
      this.moves = moves;
      this.all = false;
      this.again_ms = AGAIN_MS;
      history.pushState(null, '', exploreLink(this.game, moves));
      this.app.clearNotice();
      this.show(answer);
      this.app.say(this.spoken());
    } catch (error) {
      if (!this.mounted || asked !== this.asked) return;
      this.wanted = this.moves;
      this.app.fail(error);
    }
  }

  goBack() {
    if (this.wanted.length) void this.go(this.wanted.slice(0, -1));
  }

  /** While games are being counted. */
  againLater() {
    const asked = this.asked;
    this.timer = window.setTimeout(async () => {
      const answer = await this.ask(this.moves).catch(() => null);
      if (!this.mounted || asked !== this.asked) return;
      if (answer) this.show(answer);
      else this.againLater();
    }, this.again_ms);
    this.again_ms = Math.min(AGAIN_MOST_MS, 1.5 * this.again_ms);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (!this.board || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    if (/** @type {Element} */ (event.target).closest?.('input, select, textarea, dialog, .board')) return;
    if (event.key === 'ArrowLeft' && this.moves.length) this.goBack();
    else if (event.key === 'Home' && this.moves.length) void this.go([]);
    else return;
    event.preventDefault();
  }

  // What is shown

  /** @param {import('../types/page.js').ExplorerAnswer} answer */
  show(answer) {
    const stood = this.focused();
    /** @type {import('../types/page.js').ExplorerAnswer} */
    this.answer = answer;
    this.pointed = new Set();
    this.update();
    this.updateTrail();
    this.updateSummary();
    this.updatePlayed();
    this.focusAgain(stood);
    const { pending } = answer;
    this.pending.hidden = !pending;
    if (pending) {
      setText(this.pending, t('explorer.pending', { count: pending }));
      this.againLater();
    }
  }

  update() {
    const board = /** @type {BoardFrame} */ (this.board);
    const rules = /** @type {import('../types/page.js').Rules} */ (this.rules);
    const { answer, moves } = this;
    const over = !answer.to_move;
    const { owners, closed } = shownBoards(rules, moves);
    board.update({
      marks: marksAfter(moves),
      names: marks(),
      playable: new Set(answer.legal),
      mover: answer.to_move,
      last: moves.at(-1) ?? null,
      line: new Set(answer.line),
      pending: null,
      forced: rules.nested ? (answer.forced ?? null) : undefined,
      owners,
      closed,
      over,
      hints: this.hints(),
      pointed: this.pointed,
      leads: (cell) => leadsTo(rules, moves, cell),
    });
    setText(this.where, this.whereWords());
  }

  /** What was played is tinted, the more the more often; moves set up beforehand count where nobody chose one. */
  hints() {
    /** @type {Map<string, {text: string, heat: number}>} */
    const hints = new Map();
    /** @type {Explored[]} */
    const moves = this.answer.next.length ? this.answer.next : this.answer.set_up;
    const most = Math.max(1, ...moves.map((each) => each.games));
    for (const each of moves) {
      const hint = { text: t('explorer.games', { count: each.games }), heat: 0.25 + (0.75 * each.games) / most };
      for (const cell of [each.move, ...each.alike]) hints.set(cell, hint);
    }
    return hints;
  }

  /** The part of the page that has the focus and is about to be built anew. */
  focused() {
    const active = document.activeElement;
    return [this.played, this.trail, this.back, this.again].find((part) => part.contains(active)) ?? null;
  }

  /** @param {HTMLElement|null} part */
  focusAgain(part) {
    if (!part || (part.contains(document.activeElement) && !(part instanceof HTMLButtonElement && part.disabled)))
      return;
    const next = part === this.played ? part.querySelector('tbody button') : part.querySelector('.current');
    const open = /** @type {HTMLElement|null} */ (
      next ?? (this.back.disabled ? this.node.querySelector('h1') : this.back)
    );
    open?.focus({ preventScroll: true });
  }

  whereWords() {
    const { to_move, winner, forced } = this.answer;
    const count = this.moves.length;
    if (!to_move)
      return winner ? t('explorer.over.won', { count, mark: this.mark(winner) }) : t('explorer.over.drawn', { count });
    const where = this.rules?.nested ? (forced ? '.board' : '.any') : '';
    return t(`explorer.${count ? 'after' : 'first'}${where}`, { count, mark: this.mark(to_move), board: forced });
  }

  /** @param {'x'|'o'} side */
  mark(side) {
    return marks()[side];
  }

  spoken() {
    const { games, next } = this.answer;
    const sentences = [this.whereWords(), t('explorer.went', { count: games })];
    if (next[0]) sentences.push(t('explorer.most', { move: spokenMove(next[0].move), count: next[0].games }));
    return sentences.join(' ');
  }

  updateTrail() {
    const { moves } = this;
    this.back.disabled = this.again.disabled = !moves.length;
    fill(
      this.trail,
      moves.map((move, ply) => {
        const side = sideAt(ply);
        const here = ply === moves.length - 1;
        const content = [
          el('span', { class: `mark-${side} move-mark`, 'aria-hidden': 'true' }, marks()[side]),
          ' ',
          move,
        ];
        const link = button('', () => this.go(moves.slice(0, ply + 1)), {
          class: `move${here ? ' current' : ''}`,
          'aria-current': here ? 'step' : null,
        });
        fill(link, content);
        return el('li', null, link);
      }),
    );
  }

  updateSummary() {
    const { answer } = this;
    fill(this.summary, [
      el('h2', null, t('explorer.here')),
      answer.games > 0
        ? [
            el(
              'p',
              null,
              pieces('explorer.went.strong', {
                count: answer.games,
                games: el('strong', null, t('explorer.games', { count: answer.games })),
              }),
            ),
            outcomeBar(answer),
            legend(answer),
          ]
        : el('p', { class: 'empty' }, this.emptyWords()),
    ]);
  }

  emptyWords() {
    const { answer } = this;
    if (!answer.to_move) return t('explorer.empty.over');
    if (answer.pending) return t('explorer.empty.pending');
    if (!this.moves.length) return t('explorer.empty.game', { game: this.rules?.name });
    return t('explorer.empty.position');
  }

  updatePlayed() {
    const { answer } = this;
    const chosen = /** @type {Explored[]} */ (answer.next);
    const setUp = /** @type {Explored[]} */ (answer.set_up);
    this.played.hidden = !chosen.length && !setUp.length;
    const shown = this.all ? chosen : chosen.slice(0, ROWS);
    fill(this.played, [
      chosen.length > 0 && [el('h2', null, t('explorer.played')), this.table(shown)],
      chosen.length > shown.length &&
        button(t('explorer.all', { count: chosen.length }), () => this.showAll(), { class: 'quiet' }),
      setUp.length > 0 && [
        el('h2', null, t('explorer.set-up')),
        el('p', { class: 'muted small-print' }, t('explorer.set-up.meaning')),
        this.table(setUp),
      ],
      el('p', { class: 'muted small-print' }, t('explorer.alike.meaning')),
    ]);
  }

  showAll() {
    this.all = true;
    this.updatePlayed();
    /** @type {HTMLElement|undefined} */ (this.played.querySelectorAll('tbody button')[ROWS])?.focus();
  }

  /** @param {Explored[]} moves */
  table(moves) {
    const mover = /** @type {'x'|'o'} */ (this.answer.to_move);
    const names = marks();
    const point = (/** @type {Explored|null} */ each) => {
      this.pointed = new Set(each ? [each.move, ...each.alike] : []);
      this.update();
    };
    return el(
      'table',
      { class: 'explored', onmouseleave: () => point(null), onfocusout: () => point(null) },
      el(
        'thead',
        null,
        el(
          'tr',
          null,
          [
            t('explorer.head.move'),
            t('explorer.head.games'),
            t('explorer.head.score', { mark: names[mover] }),
            t('explorer.head.results', names),
          ].map((head) => el('th', { scope: 'col' }, head)),
        ),
      ),
      el(
        'tbody',
        null,
        moves.map((each) =>
          el(
            'tr',
            { onmouseenter: () => point(each), onfocusin: () => point(each) },
            el('th', { scope: 'row' }, this.moveButton(each, mover)),
            el('td', { class: 'number' }, number(each.games)),
            el('td', { class: 'number' }, score(each, mover)),
            el(
              'td',
              null,
              outcomeBar(each),
              el(
                'div',
                { class: 'outcome-line' },
                el(
                  'span',
                  { 'aria-hidden': 'true' },
                  [each.x_won, each.drawn, each.o_won].map((part) => number(part)).join(' / '),
                ),
                this.lastGame(each),
              ),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {Explored} each @param {'x'|'o'} mover */
  moveButton(each, mover) {
    const count = each.alike.length;
    const label = t(count ? 'explorer.play.alike' : 'explorer.play', { move: spokenMove(each.move), count });
    const play = button('', () => this.go([...this.moves, each.move]), { class: 'move', 'aria-label': label });
    fill(play, el('span', { class: `mark-${mover} move-mark`, 'aria-hidden': 'true' }, marks()[mover]), ' ', each.move);
    return [
      play,
      count > 0 && el('small', { class: 'muted', title: each.alike.join(' ') }, t('explorer.alike', { count })),
    ];
  }

  /** @param {Explored} each */
  lastGame(each) {
    return el(
      'a',
      {
        href: `/game/${each.last_game}?marks=${this.moves.length + 1}`,
        'aria-label': t('explorer.last.meaning', { move: spokenMove(each.move) }),
      },
      t('explorer.last'),
    );
  }
}

/**
 * A bar of the shares that X won, that were drawn and that O won, in words for those who do not see it.
 * @param {Count} count
 */
function outcomeBar(count) {
  const part = (/** @type {string} */ name, /** @type {number} */ games) =>
    games > 0 && el('span', { class: `outcome-${name}`, vars: { '--part': games } });
  return el(
    'div',
    { class: 'outcome', role: 'img', 'aria-label': counts(count) },
    part('x', count.x_won),
    part('drawn', count.drawn),
    part('o', count.o_won),
  );
}

/** @param {Count} count */
function legend(count) {
  const names = marks();
  const entry = (/** @type {string} */ name, /** @type {string} */ words) =>
    el('li', null, el('span', { class: `swatch outcome-${name}`, 'aria-hidden': 'true' }), words);
  const won = (/** @type {'x'|'o'} */ side, /** @type {number} */ part) =>
    t('explorer.legend.won', { mark: names[side], share: percent(part, count.games) });
  const drawn = t('explorer.legend.drawn', { share: percent(count.drawn, count.games) });
  return el(
    'ul',
    { class: 'legend' },
    entry('x', won('x', count.x_won)),
    entry('drawn', drawn),
    entry('o', won('o', count.o_won)),
  );
}

/** "X 12 · drawn 3 · O 5" @param {Count} count */
function counts(count) {
  const names = marks();
  return t('explorer.counts', { ...names, x_won: count.x_won, drawn: count.drawn, o_won: count.o_won });
}

/** The mover's points of what could be had, a draw being half. @param {Count} count @param {'x'|'o'} mover */
function score(count, mover) {
  const won = mover === 'x' ? count.x_won : count.o_won;
  return percent(won + count.drawn / 2, count.games);
}
