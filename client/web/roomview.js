// @ts-check
// A room as one sees it: players and clocks, board, moves, what one can do, chat, rules.

import { Board } from './board.js';
import { getJson, searchesOf } from './catalog.js';
import { Chat } from './chat.js';
import { clockText, clockWords, remaining_ms } from './clock.js';
import { ConnectionLost } from './connection.js';
import { button, el, fill, playerLink, setAttribute, setText } from './dom.js';
import { MoveList } from './moves.js';
import { marksAfter, playable, smallBoards } from './position.js';
import { isMyTurn, isRunning, mySide, other } from './room.js';
import { marks, token } from './settings.js';
import { counted, eventSentence, moveSentence, offerSentence, ratedSentence, ratingWords, refusalSentence, searchWords, spokenMove, statusSentence, warmingWords } from './words.js';

/** @typedef {import('./types.js').Side} Side */
/** @typedef {import('./rooms.js').LiveRoom} LiveRoom */

const CLAIM_AFTER_MS = 60_000;
const TICK_MS = 100;
const WARM_UP_MS = 1000;

export class RoomView {
  /** @param {import('./main.js').App} app @param {string} id @param {string|null} code */
  constructor(app, id, code) {
    this.app = app;
    this.id = id;
    this.code = code;
    this.title = 'Game';
    this.node = el('div', { class: 'room loading' }, el('h1', { tabindex: -1 }, 'Opening the game …'));
    /** @type {LiveRoom|null} */
    this.room = null;
    /** @type {Board|null} */
    this.board = null;
    this.mounted = true;
    this.sure = false; // asked to resign, not yet confirmed
    /** @type {Map<Element, string>} */
    this.keys = new Map();
    this.timer = 0;
    this.warmTimer = 0;
    /** How far bots are that a move waits for. @type {{done: number, of: number}|null} */
    this.warming = null;
    /** What bots found at moves that were made before this page looked. @type {Record<number, import('./types.js').Search>} */
    this.recorded = {};
    this.hint = '';
    this.bars = { top: this.buildBar(), bottom: this.buildBar() };
    this.moves = new MoveList();
    this.chat = new Chat((text) => app.attempt(app.connection.request({ t: 'say', room: id, text })));
    this.onChange = (/** @type {Event} */ e) => this.changed(/** @type {CustomEvent} */ (e).detail);
    this.onMarks = () => this.update();
    void this.enter();
  }

  async enter() {
    const { connection, rooms } = this.app;
    while (this.mounted && !this.room) {
      await connection.ready();
      try {
        this.room = rooms.live.get(this.id) ?? (await rooms.watch(this.id, this.code));
      } catch (error) {
        if (error instanceof ConnectionLost) continue;
        if (this.mounted) this.app.missing(error, 'There is no such game here: it may be over and gone, or the link is not whole.');
        return;
      }
    }
    if (!this.mounted) {
      if (this.room) this.app.leaveQuietly(this.room);
      return;
    }
    const room = /** @type {LiveRoom} */ (this.room);
    room.addEventListener('change', this.onChange);
    this.app.addEventListener('marks', this.onMarks);
    try {
      this.rules = await this.app.catalog.rules(room.state.game.game);
    } catch (error) {
      this.app.fail(error);
      this.node.append(button('Try again', () => this.app.show(location.pathname + location.hash)));
      return;
    }
    if (!this.mounted) return;
    this.build();
    this.update();
    void this.loadSearches();
    this.timer = window.setInterval(() => this.tick(), TICK_MS);
    this.app.settle(/** @type {HTMLElement} */ (this.node.querySelector('h1')));
  }

  unmount() {
    this.mounted = false;
    clearInterval(this.timer);
    clearTimeout(this.warmTimer);
    this.app.removeEventListener('marks', this.onMarks);
    if (!this.room) return;
    this.room.removeEventListener('change', this.onChange);
    this.app.leaveQuietly(this.room);
  }

  build() {
    const rules = /** @type {import('./types.js').Rules} */ (this.rules);
    const room = /** @type {LiveRoom} */ (this.room);
    this.board = new Board(rules, {
      onplay: (cell) => this.play(cell),
      onrefused: (cell) => this.refused(cell),
      onchoose: () => this.updateUnder(),
    });
    this.status = el('p', { class: 'status' });
    this.before = el('div');
    this.under = el('div', { class: 'under' });
    this.thinking = el('p', { class: 'thinking muted', hidden: true });
    this.actions = el('section', { class: 'panel actions', 'aria-label': 'What you can do' });
    this.watchers = el('small', { class: 'muted' });
    this.subtitle = el('small', { class: 'muted' });
    const talkative = [room.state.seats.x, room.state.seats.o].every((seat) => seat?.kind !== 'bot') && room.state.you !== 'both';
    fill(
      this.node,
      el(
        'div',
        { class: 'table' },
        el('div', { class: 'room-head' }, el('h1', { tabindex: -1 }, rules.name), this.subtitle),
        this.status,
        this.before,
        this.bars.top.node,
        el('div', { class: 'board-area' }, this.board.node),
        this.bars.bottom.node,
        this.under,
        this.thinking,
      ),
      el(
        'div',
        { class: 'side' },
        this.actions,
        el('section', { class: 'panel' }, el('h2', null, 'Moves'), this.moves.node, this.moves.figures),
        el(
          'details',
          { class: 'panel', open: talkative || room.state.chat.length > 0 },
          el('summary', null, el('h2', null, 'Chat'), this.watchers),
          this.chat.node,
        ),
        el(
          'section',
          { class: 'panel rules' },
          el('h2', null, 'The rules'),
          rules.sentences.map((sentence) => el('p', null, sentence)),
          this.keysHelp(),
        ),
      ),
    );
    this.node.classList.remove('loading');
  }

  keysHelp() {
    const kind = /** @type {Board} */ (this.board).geometry.kind;
    const pages = { flat: '', cube: ', Page Up and Page Down change the level', nested: ', Page Up and Page Down change the board' }[kind];
    return el('p', { class: 'muted' }, `By keyboard: arrows walk the board${pages}, Enter plays.`);
  }

  buildBar() {
    const mark = el('span', { class: 'bar-mark' });
    const who = el('span', { class: 'bar-who' });
    const clock = el('span', { class: 'bar-clock', role: 'timer' });
    return { node: el('div', { class: 'bar' }, mark, who, clock), mark, who, clock };
  }

  // What one does

  /** @param {string} cell */
  play(cell) {
    this.app.clearNotice();
    void this.app.attempt(this.app.rooms.move(/** @type {LiveRoom} */ (this.room), cell)).catch(() => {});
  }

  /** @param {string} cell */
  refused(cell) {
    const state = /** @type {LiveRoom} */ (this.room).state;
    if (this.room?.pending) return;
    const sentence = refusalSentence(state, marksAfter([...state.game.start, ...state.game.moves]), cell);
    if (!sentence) return;
    this.app.say(sentence);
    this.hint = sentence;
    this.updateUnder();
  }

  /** @param {Promise<any>} promise */
  attempt(promise) {
    this.app.clearNotice();
    this.app.attempt(promise).catch(() => {});
  }

  /** @param {string} action */
  act(action) {
    this.sure = false;
    this.attempt(this.app.rooms.act(/** @type {LiveRoom} */ (this.room), action));
    this.updateActions();
  }

  // What one sees

  /** @param {import('./rooms.js').Change} change */
  changed(change) {
    const room = /** @type {LiveRoom} */ (this.room);
    if (change.kind === 'gone') {
      if (room.gone) this.app.missing(null, 'This game is gone: the room was closed.');
      return;
    }
    if (!this.board) return;
    if (change.kind === 'snapshot') void this.loadSearches();
    if (change.kind === 'event') {
      if (change.event.e === 'started' || change.event.e === 'takenback') this.recorded = {};
      this.hint = '';
      if (change.event.e !== 'said') this.sure = false;
      const sentence =
        change.event.e === 'moved'
          ? moveSentence(room.state, change.event.move, change.event.by, marks())
          : eventSentence(room.state, change.event, marks());
      if (sentence) this.app.say(sentence);
      if (change.event.e === 'declined' && room.state.you !== change.event.by) this.hint = sentence;
    }
    this.update();
  }

  update() {
    if (!this.board || !this.room) return;
    const { state, pending } = this.room;
    const { game } = state;
    const mine = marks();
    const all = [...game.start, ...game.moves];
    const small = this.board.geometry.kind === 'nested' ? smallBoards(game.game, all) : { owners: [], closed: [] };
    // In nine-board a won board is a won game: its line is marked, a big mark would only hide it.
    const owners = game.game === 'nine-board' ? Array(9).fill(null) : small.owners;
    this.board.update({
      marks: marksAfter(all),
      names: mine,
      playable: pending ? new Set() : playable(state, this.board.geometry),
      mover: game.started ? game.to_move : null,
      last: all.at(-1) ?? null,
      line: new Set(game.line ?? []),
      pending: pending?.move ?? null,
      forced: game.forced,
      owners,
      closed: small.closed,
      over: game.result !== null,
    });
    const tooShort = counted(state) ? '' : ratedSentence(state);
    setText(this.status, [statusSentence(state, mine), tooShort].filter(Boolean).join(' '));
    this.node.classList.toggle('my-turn', isMyTurn(state) && isRunning(state));
    this.node.classList.toggle('over', game.result !== null);
    this.node.dataset.plies = String(game.moves.length);
    this.node.dataset.game = String(game.serial);
    setText(
      this.subtitle,
      [clockWords(state.clock), state.rated ? 'rated' : null, game.serial > 1 ? `game ${game.serial}` : null].filter(Boolean).join(' · '),
    );
    setText(this.watchers, state.spectators ? `${state.spectators} watching` : '');
    this.updateBars();
    this.updateUnder();
    this.updateActions();
    this.updateThinking();
    this.watchWarmUp();
    this.moves.update(game.moves, game.start, mine, game.moves.length, { ...this.recorded, ...state.searches });
    this.chat.update(state.chat, this.app.connection.player?.id ?? null);
    const turn = isMyTurn(state) && isRunning(state) && state.you !== 'both' ? 'Your turn · ' : '';
    this.app.setTitle(turn + (this.rules?.name ?? ''));
    this.tick();
  }

  /** @returns {{top: Side, bottom: Side}} */
  sides() {
    const bottom = this.room?.state.you === 'o' ? 'o' : 'x';
    return { top: other(bottom), bottom };
  }

  updateBars() {
    const { state } = /** @type {LiveRoom} */ (this.room);
    const sides = this.sides();
    const mine = marks();
    for (const place of /** @type {const} */ (['top', 'bottom'])) {
      const side = sides[place];
      const bar = this.bars[place];
      const seat = state.seats[side];
      setText(bar.mark, mine[side]);
      bar.mark.className = `bar-mark mark-${side}`;
      bar.node.classList.toggle('to-move', state.game.to_move === side && isRunning(state));
      bar.node.classList.toggle('winner', state.game.result?.winner === side);
      this.render(bar.who, [seat, state.you, side], () => {
        if (!seat) return el('em', null, 'free seat');
        const you = state.you === side ? 'you' : null;
        const away = !seat.present && seat.kind === 'person' ? 'away' : null;
        const bot = seat.bot && seat.bot !== seat.name ? seat.bot : seat.kind === 'bot' ? 'bot' : null;
        const notes = [you, bot, seat.rating ? ratingWords(seat.rating) : null, away].filter(Boolean).join(' · ');
        return [playerLink(seat), notes && el('small', { class: away ? 'away' : null }, notes)];
      });
    }
  }

  /** Before the board: how the game comes to start. After it: what the page asks or explains just now. */
  updateUnder() {
    const { state } = /** @type {LiveRoom} */ (this.room);
    const board = /** @type {Board} */ (this.board);
    const under = this.under;
    const { you, seats, game, offers } = state;
    const waiting = !game.started && !game.result;
    const joinable = waiting && you === null && (!seats.x || !seats.o);
    this.render(this.before, [waiting, joinable, you, state.code], () => {
      if (joinable) return el('p', { class: 'ask' }, button('Sit down and play', () => this.join(), { class: 'primary big' }));
      if (!waiting || !you) return null;
      if (state.code) return this.invitation(state.code);
      return el('p', { class: 'ask muted' }, 'You may look around in the lobby meanwhile: the page takes you back when the game starts.');
    });
    this.render(under, [you, board.chosen, this.hint, offers], () => {
      if (board.chosen) {
        const cell = board.chosen;
        return el(
          'p',
          { class: 'ask' },
          `${spokenMove(cell)} chosen: touch it again, or `,
          button(`Play ${cell}`, () => (board.choose(null), this.play(cell)), { class: 'primary' }),
        );
      }
      const asked = offers.find((offer) => you && you !== 'both' && offer.by !== you);
      if (asked) {
        const answers =
          asked.what === 'rematch'
            ? [button('Play again', () => this.rematch(), { class: 'primary' })]
            : [
                button(asked.what === 'draw' ? 'Agree to a draw' : 'Allow it', () => this.act(`accept_${asked.what}`), { class: 'primary' }),
                button('No', () => this.act(`decline_${asked.what}`)),
              ];
        return el('p', { class: 'ask' }, `${offerSentence(state, asked, marks())} `, answers);
      }
      const own = offers.find((offer) => offer.by === you);
      if (own) return el('p', { class: 'ask muted' }, `${offerSentence(state, own, marks())} Waiting for the answer.`);
      return this.hint ? el('p', { class: 'ask muted' }, this.hint) : null;
    });
  }

  /** @param {string} code */
  invitation(code) {
    const link = `${location.origin}/join/${encodeURIComponent(code)}`;
    return el(
      'div',
      { class: 'invitation' },
      el('p', null, el('strong', null, 'Send this link to your friend.'), ' The game starts when it is opened.'),
      this.copyField(link, 'Link to join'),
    );
  }

  /** @param {string} link @param {string} label */
  copyField(link, label) {
    const input = el('input', { type: 'text', readonly: true, value: link, 'aria-label': label, onfocus: () => input.select() });
    const copy = button('Copy', async () => {
      try {
        await navigator.clipboard.writeText(link);
        copy.textContent = 'Copied';
        this.app.say('The link is copied.');
      } catch {
        input.focus(); // selected at least: without https a page may not write to the clipboard
        input.select();
      }
    }, { class: 'primary' });
    const share = 'share' in navigator && button('Share', () => void navigator.share({ url: link }).catch(() => {}));
    return el('div', { class: 'copy' }, input, copy, share);
  }

  updateActions() {
    const room = /** @type {LiveRoom} */ (this.room);
    const { state } = room;
    const { game, you, offers, seats } = state;
    const side = mySide(state);
    const opponent = side && you !== 'both' ? seats[other(side)] : null;
    const running = isRunning(state);
    const early = game.moves.length < 2;
    const drawOffered = offers.some((offer) => offer.what === 'draw' && offer.by === you);
    const takebackAsked = offers.some((offer) => offer.what === 'takeback' && offer.by === you);
    const rematchAsked = offers.some((offer) => offer.what === 'rematch' && offer.by === you);
    const rematchOffered = offers.some((offer) => offer.what === 'rematch' && offer.by !== you);
    const canTakeBack = running && !state.rated && (you === 'both' ? !!game.moves.length : game.moves.length > (you === 'o' ? 1 : 0));
    const away = running && opponent && opponent.kind === 'person' && !opponent.present;
    const bots = seats.x?.kind === 'bot' && seats.o?.kind === 'bot';
    const mayRematch = game.result && game.started && (you !== null || (bots && room.made));
    const seen = [running, early, you, this.sure, drawOffered, takebackAsked, rematchAsked, rematchOffered, canTakeBack, !!away,
      !!mayRematch, game.id, game.result, state.code, game.started]; // prettier-ignore
    this.render(this.actions, seen, () => {
      /** @type {import('./dom.js').Child[]} */
      const list = [];
      const add = (/** @type {string} */ label, /** @type {() => void} */ f, /** @type {string} */ name = '') =>
        list.push(button(label, f, { class: name, 'data-key': label }));
      if (running && you && this.sure) {
        list.push(el('span', { class: 'sure' }, 'Give this game up?'));
        add('Yes, resign', () => this.act('resign'), 'danger');
        add('No, play on', () => this.ask(false));
        return list;
      }
      if (mayRematch) {
        if (rematchAsked) list.push(el('span', { class: 'muted' }, 'You asked for a rematch.'));
        else if (!rematchOffered) add(bots ? 'Play again' : 'Rematch', () => this.rematch(), 'primary');
      }
      if (running && you) {
        if (canTakeBack && !takebackAsked) add('Take back', () => this.act('offer_takeback'));
        if (!drawOffered && !early) add(you === 'both' ? 'Agree to a draw' : 'Offer draw', () => this.act('offer_draw'));
        if (away) add('Claim the win', () => this.claim());
        if (early) add('Abort', () => this.act('abort'));
        else add('Resign', () => this.ask(true));
      }
      if (you && !game.started && !game.result) add('Cancel this game', () => this.act('abort'));
      if (state.code && game.started) add('Copy link to watch', () => void this.copyWatchLink());
      if (game.result && game.id !== null) list.push(el('a', { class: 'button', href: `/game/${game.id}` }, 'Look through it'));
      if (!running || !you) list.push(el('a', { class: 'button quiet', href: '/' }, game.result && you ? 'New game' : 'Back to the lobby'));
      return list;
    });
  }

  /** @param {boolean} sure */
  ask(sure) {
    this.sure = sure;
    this.updateActions();
  }

  claim() {
    const room = /** @type {LiveRoom} */ (this.room);
    const side = mySide(room.state);
    const since = side && room.absentSince[other(side)];
    const left_ms = since ? since + CLAIM_AFTER_MS - performance.now() : 0;
    if (left_ms > 0) {
      this.hint = `Your opponent has just left. You can claim the win in ${Math.ceil(left_ms / 1000)} seconds.`;
      this.app.say(this.hint);
      this.updateUnder();
    } else this.act('claim_win');
  }

  rematch() {
    this.attempt(this.app.connection.request({ t: 'rematch', room: this.id }));
  }

  join() {
    const code = this.room?.code ?? this.code;
    this.attempt(this.app.rooms.join(code ? { code } : { room: this.id }));
  }

  async copyWatchLink() {
    const code = this.room?.state.code;
    const link = `${location.origin}/room/${encodeURIComponent(this.id)}#${encodeURIComponent(code ?? '')}`;
    try {
      await navigator.clipboard.writeText(link);
      this.hint = 'The link to watch is copied.';
    } catch {
      this.hint = `The link to watch: ${link}`;
    }
    this.app.say(this.hint);
    this.updateUnder();
  }

  updateThinking() {
    const { thinking, game } = /** @type {LiveRoom} */ (this.room).state;
    const node = this.thinking;
    const words = thinking
      ? `${thinking.by ? marks()[thinking.by] + ': ' : ''}${searchWords(thinking)} · ${thinking.pv.slice(0, 6).join(' ')}`
      : this.warming && warmingWords(this.warming);
    node.hidden = !words || game.result !== null;
    if (words) setText(node, words);
  }

  /** Where a bot's answer is long in coming, finds out whether the server still compiles its searches. */
  watchWarmUp() {
    const { state } = /** @type {LiveRoom} */ (this.room);
    const side = state.game.to_move;
    clearTimeout(this.warmTimer);
    if (this.app.catalog.warm || !side || !state.seats[side]?.bot || state.thinking) {
      this.warming = null;
      return;
    }
    this.warmTimer = window.setTimeout(async () => {
      const warming = await this.app.catalog.warmUp().catch(() => null);
      if (!this.mounted) return;
      this.warming = warming;
      this.watchWarmUp();
      this.updateThinking();
    }, WARM_UP_MS);
  }

  /** Bots' figures come with their moves; those of earlier moves are in the record. */
  async loadSearches() {
    const { game, seats, searches } = /** @type {LiveRoom} */ (this.room).state;
    const bots = seats.x?.kind === 'bot' || seats.o?.kind === 'bot';
    if (!bots || game.id === null || !game.moves.length || Object.keys(searches ?? {}).length) return;
    const record = await getJson(`/api/games/${game.id}`, token()).catch(() => null);
    if (!this.mounted || !record || this.room?.state.game.id !== game.id) return;
    this.recorded = searchesOf(record);
    this.update();
  }

  tick() {
    if (!this.room) return;
    const { clock, ts, game } = this.room.state;
    const now = this.app.connection.serverNow();
    const sides = this.sides();
    for (const place of /** @type {const} */ (['top', 'bottom'])) {
      const node = this.bars[place].clock;
      node.hidden = !clock;
      if (!clock) continue;
      const left_ms = remaining_ms(clock, sides[place], ts, game.result ? null : now);
      setText(node, clockText(left_ms));
      node.classList.toggle('low', left_ms < 10_000 && clock.running === sides[place]);
      setAttribute(node, 'aria-label', `${marks()[sides[place]]}'s clock`);
    }
  }

  /**
   * Builds the content of `parent` anew only when what it depends on has changed, and keeps the focus inside it.
   * @param {HTMLElement} parent @param {any} seen @param {() => import('./dom.js').Child} build
   */
  render(parent, seen, build) {
    const key = JSON.stringify(seen);
    if (this.keys.get(parent) === key) return;
    this.keys.set(parent, key);
    const active = parent.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    const was = active?.dataset.key ?? null;
    fill(parent, build());
    if (!active) return;
    const same = was && parent.querySelector(`[data-key="${CSS.escape(was)}"]`);
    const next = same || parent.querySelector('button, a, input');
    if (next instanceof HTMLElement) next.focus();
    else this.board?.focus();
  }
}
