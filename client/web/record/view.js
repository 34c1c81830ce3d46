// @ts-check
// A recorded game, replayed: any position of it, what each move took, what bots found and what a review says. The
// address follows the position. A game that still runs is shown as far as it is, and grows.

import { BoardFrame } from '../board/frame.js';
import { forcedAfter, marksAfter, shownBoards, sideAt } from '../board/position.js';
import { exploreLink } from '../explore/link.js';
import { number, pieces, t } from '../i18n/language.js';
import { spokenMove } from '../i18n/moveWords.js';
import { getJson, searchesOf } from '../net/catalog.js';
import { PlayOnButton } from '../room/playOnButton.js';
import { countWords } from '../room/words.js';
import { button, el, fill, personName, setText, svg } from '../ui/dom.js';
import { marks, token } from '../ui/settings.js';
import { MoveList } from './moveList.js';
import { RecordReview } from './recordReview.js';
import { TimeChart } from './timeChart.js';
import { dateWords, limitsWords, recordSentence, sourceWords, timeWords } from './words.js';

const STEP_MS = 800;
const GROWS_MS = 3000;
const ADDRESS_MS = 150; // browsers bear few changes of the address a second
const EXPECTED_MOVES = 60;

/** @typedef {import('../types/page.js').Rules} Rules */

export class RecordView {
  /**
   * @param {import('../main.js').App} app @param {string} id
   * @param {URLSearchParams} query `ply` after the start, or `marks` on the board; `review` asks for one
   */
  constructor(app, id, query) {
    this.app = app;
    this.id = id;
    this.title = t('record.title');
    this.wanted = digits(query.get('ply'));
    this.wantedMarks = digits(query.get('marks'));
    this.reviewWanted = query.has('review');
    this.mounted = true;
    this.ply = 0;
    this.playing = 0;
    this.list = new MoveList((ply) => this.go(ply));
    this.list.expected = EXPECTED_MOVES;
    this.chart = new TimeChart((ply) => this.go(ply));
    this.review = new RecordReview(app, id, {
      onchange: () => this.updateReviewed(),
      ongo: (ply) => this.go(ply),
      online: (plies) => this.drawBoard(plies),
    });
    this.playOn = new PlayOnButton(app);
    this.node = el('div', { class: 'room replay loading' }, el('h1', { tabindex: -1 }, t('record.opening')));
    this.onkey = (/** @type {KeyboardEvent} */ e) => this.keyed(e);
    document.addEventListener('keydown', this.onkey);
    void this.load();
  }

  unmount() {
    this.mounted = false;
    this.pause();
    clearTimeout(this.growing);
    clearTimeout(this.addressing);
    this.review.close();
    document.removeEventListener('keydown', this.onkey);
  }

  async load() {
    try {
      const record = await getJson(`/api/games/${encodeURIComponent(this.id)}`, token());
      this.rules = await this.app.catalog.rules(record.game);
      this.take(record);
    } catch (error) {
      if (this.mounted) this.app.missing(null, t('record.missing', { reason: /** @type {Error} */ (error).message }));
      return;
    }
    if (!this.mounted) return;
    const last = this.texts.length;
    const wanted = this.wanted ?? (this.wantedMarks === null ? last : this.wantedMarks - this.start.length);
    this.ply = Math.min(Math.max(0, wanted), last);
    this.build();
    this.update();
    if (this.wantedMarks !== null || this.reviewWanted) this.address();
    this.app.settle(/** @type {HTMLElement} */ (this.node.querySelector('h1')));
    if (!this.record.termination) return this.grow();
    await this.review.open(this.reviewWanted);
  }

  /** @param {import('../types/page.js').GameAnswer} record */
  take(record) {
    /** @type {import('../types/page.js').GameAnswer} */
    this.record = record;
    /** @type {import('../types/page.js').MoveAnswer[]} */
    this.moves = record.moves ?? [];
    /** @type {string[]} */
    this.texts = this.moves.map((move) => move.move);
    /** @type {string[]} */
    this.start = record.start ?? [];
    /** @type {Record<number, import('../types/page.js').Search>} */
    this.searches = searchesOf(record);
    /** @type {string[]} */
    this.times = this.moves.map((move) => timeWords(move.think_ms));
    /** @type {import('./timeChart.js').TimedMove[]} */
    this.timed = this.moves.map((move) => ({ side: move.by, move: move.move, ms: move.think_ms }));
    this.marks = marks();
    this.review.game = {
      rules: /** @type {Rules} */ (this.rules),
      start: this.start,
      texts: this.texts,
      over: !!record.termination,
      names: { x: record.x.name, o: record.o.name },
    };
  }

  /** Looks again after a running game. */
  grow() {
    this.growing = window.setTimeout(async () => {
      const record = await getJson(`/api/games/${encodeURIComponent(this.id)}`, token()).catch(() => null);
      if (!this.mounted) return;
      if (record) {
        const atEnd = this.ply === this.texts.length;
        const before = this.texts.length;
        this.take(record);
        this.slider.max = String(this.texts.length);
        this.ply = atEnd ? this.texts.length : Math.min(this.ply, this.texts.length);
        fill(this.about, this.facts());
        this.tellResult();
        this.update();
        if (atEnd && before !== this.texts.length) this.tellMove();
      }
      if (!this.record.termination) this.grow();
    }, GROWS_MS);
  }

  build() {
    const rules = /** @type {Rules} */ (this.rules);
    const board = new BoardFrame(rules, { onplay: () => {} });
    this.board = board;
    /** @type {HTMLElement} */
    this.boardArea = el('div', { class: 'board-area' }, board.node);
    /** @type {HTMLElement} */
    this.where = el('p', { class: 'muted' });
    /** @type {HTMLElement} */
    this.result = el('p', { class: 'status over-result' });
    /** @type {HTMLInputElement} */
    this.slider = el('input', {
      type: 'range',
      min: 0,
      max: this.texts.length,
      value: this.ply,
      'aria-label': t('record.slider'),
      oninput: () => void this.go(Number(this.slider.value)),
    });
    /** @type {HTMLButtonElement} */
    this.play = iconButton('play', () => this.toggle(), t('record.play'));
    /** @type {HTMLElement} */
    this.heading = el('h2', null);
    /** @type {HTMLElement} */
    this.details = el('dl', { class: 'facts' });
    /** @type {HTMLElement} */
    this.about = el('dl', { class: 'facts' });
    /** @type {HTMLElement} */
    this.explore = el('a', { class: 'button' }, t('record.explore'));
    /** @type {HTMLElement} */
    this.copied = el('p', { class: 'muted copied', hidden: true });
    fill(
      this.node,
      el(
        'div',
        { class: 'table' },
        el(
          'div',
          { class: 'room-head' },
          el('h1', { tabindex: -1 }, rules.name),
          el('small', { class: 'muted' }, dateWords(this.record.started_ms)),
        ),
        el('p', { class: 'players' }, this.person('x'), ' – ', this.person('o')),
        this.result,
        this.record.fault && el('p', { class: 'fault bad' }, this.record.fault),
        this.boardArea,
        el(
          'div',
          { class: 'steps' },
          iconButton('first', () => this.go(0), t('record.first')),
          iconButton('back', () => this.go(this.ply - 1), t('record.back')),
          this.play,
          iconButton('on', () => this.go(this.ply + 1), t('record.on')),
          iconButton('last', () => this.go(this.texts.length), t('record.last')),
          this.slider,
        ),
        el('div', { class: 'steps-under' }, this.where, el('small', { class: 'muted keys' }, t('record.keys'))),
        this.review.panel.node,
        this.chart.node,
        this.review.short.node,
      ),
      el(
        'div',
        { class: 'side' },
        el('section', { class: 'panel' }, el('h2', null, t('record.moves')), this.list.node),
        el(
          'section',
          { class: 'panel', 'aria-label': t('record.move.this') },
          this.heading,
          this.list.figures,
          this.details,
        ),
        el(
          'section',
          { class: 'panel actions' },
          this.playOn.node,
          this.explore,
          button(t('record.copy'), () => void this.copy(), { title: t('record.copy.meaning') }),
          this.download(t('record.jsonl'), 'jsonl'),
          this.download(t('record.txt'), 'txt'),
          this.copied,
        ),
        el('section', { class: 'panel' }, el('h2', null, t('record.about')), this.about),
        el(
          'section',
          { class: 'panel rules' },
          el('h2', null, t('record.rules')),
          rules.sentences.map((s) => el('p', null, s)),
        ),
      ),
    );
    fill(this.about, this.facts());
    this.tellResult();
    this.node.classList.remove('loading');
    this.app.setTitle(t('record.of', { x: this.record.x.name, o: this.record.o.name, game: rules.name }));
  }

  /** @param {'x'|'o'} side */
  person(side) {
    const who = this.record[side];
    return [
      el('span', { class: `mark-${side} move-mark` }, this.marks?.[side]),
      ' ',
      el('a', { href: `/player/${encodeURIComponent(who.id)}` }, personName(who.name)),
    ];
  }

  tellResult() {
    setText(this.result, recordSentence(this.record, marks()));
  }

  /** What is known of the game as a whole, as terms and descriptions. */
  facts() {
    const { record } = this;
    const player = (/** @type {'x'|'o'} */ side) => {
      const version = record[`${side}_version`];
      return fact(marks()[side], this.person(side).slice(2), version && ` ${t('record.version', { version })}`);
    };
    const began = dateWords(record.started_ms);
    const took = record.ended_ms === null ? -1 : record.ended_ms - record.started_ms;
    const run = record.source === 'ladder' && record.run ? `/ladder?run=${encodeURIComponent(record.run)}` : null;
    const where = run ? el('a', { href: run }, sourceWords(record)) : sourceWords(record);
    const opening = record.opening ?? this.start.join(' ');
    return [
      player('x'),
      player('o'),
      fact(t('record.played'), took >= 0 ? t('record.played.took', { when: began, time: timeWords(took) }) : began),
      fact(t('record.limits'), limitsWords(record)),
      fact(t('record.where'), record.rated ? pieces('record.where.rated', { where }) : where),
      !record.termination &&
        record.room &&
        fact(t('record.live'), el('a', { href: `/room/${encodeURIComponent(record.room)}` }, t('record.live.watch'))),
      opening && fact(t('record.start'), el('a', { href: exploreLink(record.game, this.start) }, opening)),
      record.pair_game &&
        fact(
          t('record.pair'),
          pieces('record.pair.swapped', {
            game: el('a', { href: `/game/${record.pair_game}` }, t('record.pair.other')),
          }),
        ),
      fact(t('record.game'), t('record.game.number', { id: String(record.id), count: this.moves.length })),
    ];
  }

  /**
   * A link where all may read the game; else fetched with the token, which a link cannot send.
   * @param {string} label @param {string} form
   */
  download(label, form) {
    const href = `/api/games/${encodeURIComponent(this.id)}.${form}`;
    const download = `noughts-${this.id}.${form}`;
    const known = { download, title: t(`record.${form}.meaning`) };
    if (!this.record.private) return el('a', { class: 'button', href, ...known }, label);
    const save = async () => {
      const response = await fetch(href, { headers: { authorization: `Bearer ${token()}` } });
      const url = URL.createObjectURL(await response.blob());
      el('a', { href: url, download }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    };
    return button(label, () => void save().catch(() => this.app.fail(new Error(t('record.download.failed')))), {
      title: known.title,
    });
  }

  // Steps

  /** @param {number} ply @param {boolean} [byItself] */
  go(ply, byItself = false) {
    if (!byItself) this.pause();
    const to = Math.min(Math.max(0, ply), this.texts.length);
    if (to === this.ply) return;
    this.ply = to;
    clearTimeout(this.addressing);
    this.addressing = window.setTimeout(() => this.address(), ADDRESS_MS);
    this.update();
    this.tellMove();
  }

  address() {
    clearTimeout(this.addressing);
    history.replaceState(null, '', `/game/${encodeURIComponent(this.id)}?ply=${this.ply}`);
  }

  tellMove() {
    const ply = this.ply - 1;
    if (ply < 0) return this.app.say(t(this.start.length ? 'record.said.opening' : 'record.said.first'));
    const side = sideAt(this.start.length + ply);
    const end =
      this.ply === this.texts.length && this.record.termination ? ` ${recordSentence(this.record, marks())}` : '';
    const values = {
      ply: this.ply,
      of: this.texts.length,
      mark: marks()[side],
      move: spokenMove(this.texts[ply]),
      time: this.times[ply],
    };
    const played = t('record.said', values);
    this.app.say(played + this.review.words(ply) + end);
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.ply === this.texts.length) this.go(0);
    const step = () => {
      this.go(this.ply + 1, true);
      if (this.ply === this.texts.length) this.pause();
    };
    this.playing = window.setInterval(step, STEP_MS);
    this.updatePlay();
  }

  pause() {
    clearInterval(this.playing);
    this.playing = 0;
    if (this.board) this.updatePlay();
  }

  updatePlay() {
    const label = t(this.playing ? 'record.pause' : 'record.play');
    if (this.play.getAttribute('aria-label') === label) return;
    fill(this.play, icon(this.playing ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', label);
    this.play.setAttribute('title', label);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (!this.board || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    const target = event.target instanceof Element ? event.target : document.body;
    // These have keys of their own; the board's arrows walk over it, and space there plays nothing.
    if (target.closest('input, select, textarea, dialog')) return;
    if (event.key === ' ' ? target.closest('button:not(.cell, .cube-cell), a, summary') : target.closest('.board'))
      return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.go(this.ply - 1),
      ArrowRight: () => this.go(this.ply + 1),
      Home: () => this.go(0),
      End: () => this.go(this.texts.length),
      ' ': () => this.toggle(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault(); // the page stays put
    act();
  }

  async copy() {
    this.address();
    let told = t('record.copied');
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      told = t('record.copied.not', { link: location.href });
    }
    setText(this.copied, told);
    this.copied.hidden = false;
    this.app.say(told);
  }

  // What is shown

  /** The position; instead of its last move so many of the best line, if any. @param {number} [beyond] */
  drawBoard(beyond = 0) {
    const board = /** @type {BoardFrame} */ (this.board);
    const rules = /** @type {Rules} */ (this.rules);
    const line = this.review.line(this.ply - 1, beyond);
    const all = [...this.start, ...this.texts.slice(0, this.ply - (beyond ? 1 : 0)), ...line];
    const atEnd = !beyond && this.ply === this.texts.length;
    const over = atEnd && !!this.record.termination;
    const { owners, closed } = shownBoards(rules, all);
    board.update({
      marks: marksAfter(all),
      names: marks(),
      playable: new Set(),
      mover: over ? null : sideAt(all.length),
      last: all.at(-1) ?? null,
      line: new Set(atEnd ? (this.record.line ?? []) : []),
      pending: null,
      forced: over ? null : forcedAfter(rules, all),
      owners,
      closed,
      over,
      pointed: new Set(line),
    });
    this.boardArea.classList.toggle('imagined', beyond > 0);
    this.playOn.update(rules, this.record.termination ? all : null);
    const place = over ? this.place() : t('record.to-move', { place: this.place(), mark: marks()[sideAt(all.length)] });
    setText(this.where, beyond ? t('record.beyond', { count: line.length }) : place);
  }

  place() {
    return this.ply ? t('record.after', { ply: this.ply, count: this.texts.length }) : t('record.before');
  }

  update() {
    this.drawBoard();
    const all = [...this.start, ...this.texts.slice(0, this.ply)];
    this.slider.value = String(this.ply);
    this.slider.setAttribute('aria-valuetext', this.place());
    this.updateReviewed();
    this.updateMove();
    this.updatePlay();
    this.explore.setAttribute('href', exploreLink(this.record.game, all));
    if (this.copied) this.copied.hidden = true;
  }

  /** All that shows what is judged of the game, and where one is in it. */
  updateReviewed() {
    if (!this.board) return;
    const { texts, ply } = this;
    const mine = this.marks ?? marks();
    this.list.update(texts, this.start, mine, ply, this.searches, this.times, this.review.judged);
    this.chart.update(this.timed, mine, ply, this.limits(), this.review.values(mine));
    this.review.update(ply, mine);
  }

  limits() {
    const { clock, x_limit, o_limit } = this.record;
    return { x: x_limit?.move_ms ?? clock?.move_ms, o: o_limit?.move_ms ?? clock?.move_ms };
  }

  /** All that the record tells of the last move on the board. */
  updateMove() {
    const move = this.moves[this.ply - 1];
    if (!move) {
      setText(this.heading, t(this.start.length ? 'record.move.opening' : 'record.before'));
      fill(this.details, this.start.length > 0 && fact(t('record.set-up'), this.start.join(' ')));
      return;
    }
    const told = this.ply - 1 in this.searches; // above, in a line
    const rate = move.nodes && move.think_ms ? (1000 * move.nodes) / move.think_ms : 0;
    const left_ms = move[`${move.by}_ms`];
    setText(this.heading, t('record.move', { ply: this.ply }));
    fill(this.details, [
      fact(t('record.move.time'), timeWords(move.think_ms)),
      left_ms != null && fact(t('record.move.left'), timeWords(left_ms)),
      !!move.wait_ms && fact(t('record.move.waited'), timeWords(move.wait_ms)),
      !told && !!move.nodes && fact(t('record.move.nodes'), number(move.nodes)),
      rate > 0 && fact(t('record.move.rate'), countWords(rate)),
      !told && move.value != null && fact(t('record.move.value'), number(move.value, { maximumSignificantDigits: 6 })),
      !told &&
        move.win_in &&
        fact(
          t(move.win_in > 0 ? 'record.move.wins' : 'record.move.loses'),
          t('record.plies', { count: Math.abs(move.win_in) }),
        ),
      !!move.pruned && fact(t('record.move.pruned'), number(move.pruned)),
    ]);
  }
}

/** @param {string|null} text */
function digits(text) {
  return text && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** Drawn, since not every font has these signs. @type {Record<string, string>} */
const ICONS = {
  first: 'M4 4v12M16 4l-8 6l8 6z',
  back: 'M13 4l-8 6l8 6z',
  play: 'M10 2a8 8 0 1 0 .01 0M8 6.5v7l6 -3.5z',
  pause: 'M7 4v12M13 4v12',
  on: 'M7 4l8 6l-8 6z',
  last: 'M16 4v12M4 4l8 6l-8 6z',
};

/** @param {string} name */
function icon(name) {
  return svg(
    'svg',
    { viewBox: '0 0 20 20', class: `icon icon-${name}`, 'aria-hidden': 'true' },
    svg('path', { d: ICONS[name] }),
  );
}

/** @param {string} name @param {() => void} onclick @param {string} label */
function iconButton(name, onclick, label) {
  const made = button('', onclick, { 'aria-label': label, title: label });
  made.append(icon(name));
  return made;
}

/** @param {string} term @param {...import('../ui/dom.js').Child} description */
function fact(term, ...description) {
  return el('div', null, el('dt', null, term), el('dd', null, description));
}
