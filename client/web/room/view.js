// @ts-check
// A room as one sees it: players and clocks, board, moves, what one can do, chat, rules.

import { BoardFrame } from '../board/frame.js';
import { MoveInput } from '../board/moveInput.js';
import { forcedAfter, leadsTo, marksAfter, smallBoards } from '../board/position.js';
import * as says from '../board/words.js';
import { pieces, t } from '../i18n/language.js';
import { spokenMove } from '../i18n/moveWords.js';
import { getJson, searchesOf } from '../net/catalog.js';
import { ConnectionLost } from '../net/connection.js';
import { MoveList } from '../record/moveList.js';
import { button, el, fill, playerLink, setAttribute, setText } from '../ui/dom.js';
import { copyField } from '../ui/links.js';
import { Parts } from '../ui/parts.js';
import { qrFold } from '../ui/qr.js';
import { marks, preferences, token } from '../ui/settings.js';
import { openSettings } from '../ui/settingsDialog.js';
import { OPEN as OPEN_SETTINGS } from '../ui/settingsWords.js';
import { ring } from '../ui/sound.js';
import { Chat } from './chat.js';
import { clockText, clockWords, remaining_ms } from './clock.js';
import { playable } from './playable.js';
import { PlayOnButton } from './playOnButton.js';
import { plan, plannable, resolvePremove } from './premove.js';
import { sameSettings } from './sameSettings.js';
import { isMyTurn, isRunning, mySide, other } from './state.js';
import { expected, Thoughts } from './thoughts.js';
import {
  counted,
  eventSentence,
  moveSentence,
  offerSentence,
  ratedSentence,
  ratingWords,
  refusalSentence,
  searchWords,
  statusSentence,
  warmingWords,
} from './words.js';

/** @typedef {import('../types/page.js').Side} Side */
/** @typedef {import('../net/rooms.js').LiveRoom} LiveRoom */

const CLAIM_AFTER_MS = 60_000;
const TICK_MS = 100;
/** A move that is on its way for so long is told of. */
const LONG_MS = 1000;
const WARM_UP_MS = 1000;

export class RoomView {
  /** @param {import('../main.js').App} app @param {string} id @param {string|null} code */
  constructor(app, id, code) {
    this.app = app;
    this.id = id;
    this.code = code;
    this.title = t('room.title');
    this.node = el('div', { class: 'room loading' }, el('h1', { tabindex: -1 }, t('room.opening')));
    /** @type {LiveRoom|null} */
    this.room = null;
    /** @type {BoardFrame|null} */
    this.board = null;
    this.mounted = true;
    this.sure = false; // asked to resign, not yet confirmed
    this.parts = new Parts();
    this.timer = 0;
    this.warmTimer = 0;
    /** How far bots are that a move waits for. @type {{done: number, of: number}|null} */
    this.warming = null;
    /**
     * What bots found at moves that were made before this page looked.
     * @type {Record<number, import('../types/page.js').Search>}
     */
    this.recorded = {};
    this.hint = '';
    /** What is to be played at this player's next turn. @type {import('./premove.js').Plan|null} */
    this.planned = null;
    this.bars = { top: this.buildBar(), bottom: this.buildBar() };
    this.moves = new MoveList();
    this.playOn = new PlayOnButton(app);
    this.thoughts = new Thoughts(() => this.update());
    this.chat = new Chat((text) => app.attempt(app.connection.request({ t: 'say', room: id, text })));
    this.onChange = (/** @type {Event} */ e) =>
      this.changed(/** @type {CustomEvent<import('../net/rooms.js').Change>} */ (e).detail);
    this.onMarks = () => {
      if (!preferences().premove) this.unplan();
      this.update();
    };
    this.onEscape = (/** @type {KeyboardEvent} */ e) => this.escaped(e);
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
        if (this.mounted) this.app.missing(error, t('room.missing'));
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
    this.app.addEventListener('preferences', this.onMarks);
    document.addEventListener('keydown', this.onEscape);
    try {
      this.rules = await this.app.catalog.rules(room.state.game.game);
    } catch (error) {
      this.app.fail(error);
      this.node.append(button(t('page.again'), () => this.app.show(location.pathname + location.hash)));
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
    this.app.removeEventListener('preferences', this.onMarks);
    document.removeEventListener('keydown', this.onEscape);
    if (!this.room) return;
    this.room.removeEventListener('change', this.onChange);
    this.app.leaveQuietly(this.room);
  }

  build() {
    const rules = /** @type {import('../types/page.js').Rules} */ (this.rules);
    const room = /** @type {LiveRoom} */ (this.room);
    this.board = new BoardFrame(rules, {
      onplay: (cell) => this.play(cell),
      onrefused: (cell) => this.refused(cell),
      onchoose: (cell) => this.chose(cell),
      confirms: () => preferences().confirm,
      onplan: (cell) => this.plan(cell),
    });
    this.thoughts.guard(this.board.node);
    this.typed = new MoveInput(this.board.geometry, (cell) => this.playTyped(cell));
    /** @type {HTMLElement} */
    this.status = el('p', { class: 'status' });
    /** @type {HTMLElement} */
    /** @type {HTMLElement} */
    this.before = el('div');
    /** @type {HTMLElement} */
    this.under = el('div', { class: 'under' });
    /** @type {HTMLElement} */
    this.actions = el('section', { class: 'panel actions', 'aria-label': t('room.actions') });
    this.actions.addEventListener('click', (e) => e.detail > 1 && e.stopPropagation(), true); // once is meant
    /** @type {HTMLElement} */
    this.watchers = el('small', { class: 'muted' });
    /** @type {HTMLElement} */
    this.subtitle = el('small', { class: 'muted' });
    const talkative =
      [room.state.seats.x, room.state.seats.o].every((seat) => seat?.kind !== 'bot') && room.state.you !== 'both';
    fill(
      this.node,
      el(
        'div',
        { class: 'table' },
        el('div', { class: 'room-head' }, el('h1', { tabindex: -1 }, rules.name), this.subtitle),
        this.status,
        this.before,
        this.bars.top.node,
        el(
          'div',
          { class: 'board-area', onkeydown: (/** @type {KeyboardEvent} */ e) => this.typed?.takeKey(e) },
          this.board.node,
        ),
        this.bars.bottom.node,
        this.under,
        this.thoughts.node,
      ),
      el(
        'div',
        { class: 'side' },
        this.actions,
        el(
          'section',
          { class: 'panel' },
          el('h2', null, t('moves.title')),
          this.moves.node,
          this.moves.figures,
          this.typed.node,
        ),
        el(
          'details',
          { class: 'panel', open: talkative || room.state.chat.length > 0 },
          el('summary', null, el('h2', null, t('chat.title')), this.watchers),
          this.chat.node,
        ),
        el(
          'section',
          { class: 'panel rules' },
          el('h2', null, t('room.rules')),
          rules.sentences.map((sentence) => el('p', null, sentence)),
          el('p', { class: 'muted' }, t(`room.keys.${this.board.geometry.kind}`)),
          el(
            'div',
            null,
            button(OPEN_SETTINGS, () => openSettings(this.app)),
          ),
        ),
      ),
    );
    this.node.classList.remove('loading');
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

  /** @param {string|null} cell */
  chose(cell) {
    if (cell) this.app.say(says.chosenSentence(cell));
    this.updateUnder();
  }

  /** Escape takes back what was only meant, wherever the keyboard is. @param {KeyboardEvent} event */
  escaped(event) {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (this.board?.chosen) this.board.choose(null);
    else this.unplan();
  }

  /** Plans a move, or gives it up where it is planned already. @param {string} cell */
  plan(cell) {
    if (this.planned?.move === cell) return this.unplan();
    this.hint = '';
    this.planned = plan(/** @type {LiveRoom} */ (this.room).state, cell);
    this.app.say(says.plannedSentence(cell));
    this.update();
  }

  /** @param {string} cell @returns {string|null} */
  playTyped(cell) {
    const { state, pending } = /** @type {LiveRoom} */ (this.room);
    const board = /** @type {BoardFrame} */ (this.board);
    if (pending) return t('room.sending', { move: spokenMove(pending.move) });
    const open = playable(state, board.geometry);
    const planning = preferences().premove && plannable(state, board.geometry).has(cell);
    if (!open.has(cell) && !planning)
      return refusalSentence(state, marksAfter([...state.game.start, ...state.game.moves]), cell);
    board.stand(cell);
    board.focus();
    board.choose(null);
    if (open.has(cell)) this.play(cell);
    else this.plan(cell);
    return null;
  }

  unplan() {
    if (!this.planned) return;
    this.app.say(says.unplannedSentence(this.planned.move));
    this.planned = null;
    this.update();
  }

  /**
   * Rings where somebody waits for it: at one's turn against another, and at the end.
   * @param {import('../types/page.js').RoomEvent} event
   */
  sound(event) {
    const { state } = /** @type {LiveRoom} */ (this.room);
    if (!state.you) return;
    if (event.e === 'ended') ring('end');
    else if (state.you !== 'both' && isMyTurn(state) && (event.e === 'moved' || event.e === 'started')) ring('turn');
  }

  /** Plays what was planned, once, or says why not. @param {boolean} away */
  settlePlan(away) {
    const { planned } = this;
    const room = /** @type {LiveRoom} */ (this.room);
    if (!planned) return;
    const what = resolvePremove(
      planned,
      room.state,
      playable(room.state, /** @type {BoardFrame} */ (this.board).geometry),
      away,
    );
    if (what === 'kept') return;
    this.planned = null;
    if (what === 'play') return this.play(planned.move);
    if (room.state.game.result) return; // its sentence says enough
    this.hint = what === 'illegal' ? says.illegalPlanSentence(planned.move) : says.lostPlanSentence(planned.move);
    this.app.say(this.hint);
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

  /** @param {Promise<unknown>} promise */
  attempt(promise) {
    this.app.clearNotice();
    this.app.attempt(promise).catch(() => {});
  }

  /** @param {import('../types/page.js').Act['action']} action */
  act(action) {
    this.sure = false;
    this.attempt(this.app.rooms.act(/** @type {LiveRoom} */ (this.room), action));
    this.updateActions();
  }

  // What one sees

  /** @param {import('../net/rooms.js').Change} change */
  changed(change) {
    const room = /** @type {LiveRoom} */ (this.room);
    if (change.kind === 'gone') {
      if (room.gone) this.app.missing(null, t('room.closed'));
      return;
    }
    if (!this.board) return;
    // In a rated game they are told when it is over.
    if (change.kind === 'snapshot' || change.event?.e === 'ended') void this.loadSearches();
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
    if (change.kind === 'event' && preferences().sound) this.sound(change.event);
    if (change.kind === 'snapshot') this.settlePlan(true);
    else if (change.kind === 'event') this.settlePlan(change.event.seq <= room.missed);
    this.update();
  }

  update() {
    if (!this.board || !this.room) return;
    const { state, pending } = this.room;
    const { game } = state;
    const mine = marks();
    const found = preferences().thoughts ? { ...this.recorded, ...state.searches } : {};
    const line = preferences().thoughts ? expected(state, found) : [];
    const imagined = this.thoughts.looking ? line : [];
    const all = [...game.start, ...game.moves, ...imagined];
    const small = this.board.geometry.kind === 'nested' ? smallBoards(game.game, all) : { owners: [], closed: [] };
    // In nine-board a won board is a won game: its line is marked, a big mark would only hide it.
    const owners = game.game === 'nine-board' ? Array(9).fill(null) : small.owners;
    const open = imagined.length ? new Set() : playable(state, this.board.geometry);
    // All other cells stay as they are while a move is on its way: changing hundreds takes longer than the server does.
    if (pending) open.delete(pending.move);
    this.board.update({
      marks: marksAfter(all),
      names: mine,
      playable: open,
      mover: game.started ? game.to_move : null,
      last: all.at(-1) ?? null,
      line: new Set(game.line ?? []),
      pending: pending?.move ?? null,
      forced: imagined.length
        ? forcedAfter(/** @type {import('../types/page.js').Rules} */ (this.rules), all)
        : game.forced,
      owners,
      closed: small.closed,
      over: game.result !== null,
      plannable: preferences().premove ? plannable(state, this.board.geometry) : new Set(),
      planned: this.planned?.move ?? null,
      pointed: new Set(imagined),
      leads: (cell) => leadsTo(/** @type {import('../types/page.js').Rules} */ (this.rules), all, cell),
      planner: state.you === 'both' ? null : state.you,
    });
    const tooShort = counted(state) ? '' : ratedSentence(state);
    setText(this.status, [statusSentence(state, mine), tooShort].filter(Boolean).join(' '));
    this.node.classList.toggle('my-turn', isMyTurn(state) && isRunning(state));
    this.node.classList.toggle('over', game.result !== null);
    this.node.classList.toggle(
      'with-bot',
      [state.seats.x, state.seats.o].some((seat) => seat?.kind === 'bot'),
    );
    this.node.dataset.plies = String(game.moves.length);
    this.node.dataset.game = String(game.serial);
    setText(
      this.subtitle,
      [
        clockWords(state.clock),
        state.rated ? t('room.rated') : null,
        game.serial > 1 ? t('room.game-number', { number: game.serial }) : null,
      ]
        .filter(Boolean)
        .join(' · '),
    );
    setText(this.watchers, state.spectators ? t('room.watching', { count: state.spectators }) : '');
    this.updateBars();
    if (this.typed) this.typed.node.hidden = !state.you || !isRunning(state);
    this.typed?.node.classList.toggle('kept', state.you !== null); // its room, so that nothing jumps at the end
    this.updateUnder();
    this.updateActions();
    this.watchWarmUp();
    this.updateThinking(line);
    this.moves.update(game.moves, game.start, mine, game.moves.length, found);
    this.chat.update(state.chat, this.app.connection.player?.id ?? null);
    const title = this.rules?.name ?? '';
    this.app.setTitle(
      isMyTurn(state) && isRunning(state) && state.you !== 'both' ? t('room.your-turn', { title }) : title,
    );
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
        if (!seat) return el('em', null, t('seat.free'));
        const you = state.you === side ? t('seat.you') : null;
        const away = !seat.present && seat.kind === 'person' ? t('seat.away') : null;
        const bot = seat.bot && seat.bot !== seat.name ? seat.bot : seat.kind === 'bot' ? t('seat.bot') : null;
        const notes = [you, bot, seat.rating ? ratingWords(seat.rating) : null, away].filter(Boolean).join(' · ');
        return [playerLink(seat), notes && el('small', { class: away ? 'away' : null }, notes)];
      });
    }
  }

  /** Before the board: how the game comes to start. After it: what the page asks or explains just now. */
  updateUnder() {
    const { state } = /** @type {LiveRoom} */ (this.room);
    const board = /** @type {BoardFrame} */ (this.board);
    const { under } = this;
    const { you, seats, game, offers } = state;
    const waiting = !game.started && !game.result;
    const joinable = waiting && you === null && (!seats.x || !seats.o);
    this.render(this.before, [waiting, joinable, you, state.code], () => {
      if (joinable)
        return el(
          'p',
          { class: 'ask' },
          button(t('room.sit-down'), () => this.join(), { class: 'primary big' }),
        );
      if (!waiting || !you) return null;
      if (state.code) return this.invitation(state.code);
      const link = `${location.origin}/room/${encodeURIComponent(this.id)}`;
      return [
        el('p', { class: 'ask muted' }, t('room.look-around')),
        el(
          'div',
          { class: 'invitation quiet' },
          copyField(this.app, link, t('room.link')),
          qrFold(link, t('room.invite.qr')),
        ),
      ];
    });
    const late = this.isLate();
    this.render(under, [you, board.chosen, this.planned, this.hint, offers, late], () => {
      if (late)
        return el('p', { class: 'ask muted' }, t('room.sending', { move: spokenMove(this.room?.pending?.move ?? '') }));
      if (board.chosen) {
        const cell = board.chosen;
        const act = () => {
          board.choose(null);
          this.play(cell);
        };
        const play = button(t('room.play-cell', { move: cell }), act, { class: 'primary' });
        return el('p', { class: 'ask' }, pieces('room.chosen', { move: spokenMove(cell), button: play }));
      }
      const asked = offers.find((offer) => you && you !== 'both' && offer.by !== you);
      if (asked) {
        const { what } = asked;
        const answers =
          what === 'rematch'
            ? [button(t('room.play-again'), () => this.rematch(), { class: 'primary' })]
            : [
                button(t(`room.accept.${what}`), () => this.act(`accept_${what}`), { class: 'primary' }),
                button(t('room.decline'), () => this.act(`decline_${what}`)),
              ];
        return el('p', { class: 'ask' }, `${offerSentence(state, asked, marks())} `, answers);
      }
      const own = offers.find((offer) => offer.by === you);
      if (own) return el('p', { class: 'ask muted' }, t('room.asked', { offer: offerSentence(state, own, marks()) }));
      if (this.planned) {
        return el(
          'p',
          { class: 'ask' },
          `${says.plannedSentence(this.planned.move)} `,
          button(t('board.cancel'), () => this.unplan(), { 'data-key': 'unplan' }),
        );
      }
      return this.hint ? el('p', { class: 'ask muted' }, this.hint) : null;
    });
  }

  /** Whether a move has been on its way for long. */
  isLate() {
    const pending = this.room?.pending;
    return !!pending && performance.now() - pending.since > LONG_MS;
  }

  /** @param {string} code */
  invitation(code) {
    const link = `${location.origin}/join/${encodeURIComponent(code)}`;
    return el(
      'div',
      { class: 'invitation' },
      el('p', null, pieces('room.invite', { strong: el('strong', null, t('room.invite.send')) })),
      copyField(this.app, link, t('room.invite.link')),
      qrFold(link, t('room.invite.qr')),
    );
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
    const canTakeBack =
      running && !state.rated && (you === 'both' ? !!game.moves.length : game.moves.length > (you === 'o' ? 1 : 0));
    const away = running && opponent && opponent.kind === 'person' && !opponent.present;
    const bots = seats.x?.kind === 'bot' && seats.o?.kind === 'bot';
    const mayRematch = game.result && game.started && (you !== null || (bots && room.made));
    this.playOn.update(
      /** @type {import('../types/page.js').Rules} */ (this.rules),
      game.result && game.started ? [...game.start, ...game.moves] : null,
    );
    const seen = [
      this.playOn.node.hidden,
      running,
      early,
      you,
      this.sure,
      drawOffered,
      takebackAsked,
      rematchAsked,
      rematchOffered,
      canTakeBack,
      !!away,
      !!mayRematch,
      game.id,
      game.result,
      state.code,
      game.started,
    ];
    this.render(this.actions, seen, () => {
      /** @type {import('../ui/dom.js').Child[]} */
      const list = [];
      const add = (/** @type {string} */ label, /** @type {() => void} */ f, /** @type {string} */ name = '') =>
        list.push(button(label, f, { class: name, 'data-key': label }));
      if (running && you && this.sure) {
        list.push(el('span', { class: 'sure' }, t('room.give-up')));
        // First, where the keyboard goes and where a second click may land: neither gives the game up.
        add(t('room.resign.no'), () => this.ask(false));
        add(t('room.resign.yes'), () => this.act('resign'), 'danger');
        return list;
      }
      if (mayRematch) {
        if (rematchAsked) list.push(el('span', { class: 'muted' }, t('room.rematch.asked')));
        else if (!rematchOffered) add(t(bots ? 'room.play-again' : 'room.rematch'), () => this.rematch(), 'primary');
      }
      if (game.result) add(t('room.like-this'), () => void this.app.create(sameSettings(state, room.asked)));
      if (running && you) {
        if (canTakeBack && !takebackAsked) add(t('room.take-back'), () => this.act('offer_takeback'));
        if (!drawOffered && !early)
          add(t(you === 'both' ? 'room.draw.agree' : 'room.draw.offer'), () => this.act('offer_draw'));
        if (away) add(t('room.claim'), () => this.claim());
        if (early) add(t('room.abort'), () => this.act('abort'));
        else add(t('room.resign'), () => this.ask(true));
      }
      if (you && !game.started && !game.result) add(t('room.cancel'), () => this.act('abort'));
      if (state.code && game.started) add(t('room.watch-link'), () => void this.copyWatchLink());
      if (game.result && game.id !== null && game.moves.length) {
        list.push(el('a', { class: 'button', href: `/game/${game.id}?review` }, t('room.review')));
      }
      if (!this.playOn.node.hidden) list.push(this.playOn.node);
      if (game.result && game.id !== null)
        list.push(el('a', { class: 'button', href: `/game/${game.id}` }, t('room.record')));
      if (!running || !you)
        list.push(el('a', { class: 'button quiet', href: '/' }, t(game.result && you ? 'room.new' : 'room.to-lobby')));
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
      this.hint = t('room.claim.wait', { count: Math.ceil(left_ms / 1000) });
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
      this.hint = t('room.watch-link.copied');
    } catch {
      this.hint = t('room.watch-link.shown', { link });
    }
    this.app.say(this.hint);
    this.updateUnder();
  }

  /** @param {string[]} line what the bot expects */
  updateThinking(line) {
    const { thinking, game } = /** @type {LiveRoom} */ (this.room).state;
    const told = preferences().thoughts ? thinking : null;
    const found = told ? `${told.by ? `${marks()[told.by]}: ` : ''}${searchWords(told)} · ` : '';
    const waits = !thinking && this.warming ? warmingWords(this.warming) : '';
    this.thoughts.show(game.result ? '' : found || waits, line);
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
      this.update();
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
    if (this.room.pending) this.updateUnder();
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
      setAttribute(node, 'aria-label', t('seat.clock', { mark: marks()[sides[place]] }));
    }
  }

  /**
   * The focus goes on to what is next inside, else to the board.
   * @param {HTMLElement} part @param {unknown} seen @param {() => import('../types/page.js').Child} build
   */
  render(part, seen, build) {
    this.parts.update(part, seen, build, () => {
      const next = part.querySelector('button, a, input');
      if (next instanceof HTMLElement) next.focus();
      else this.board?.focus();
    });
  }
}
