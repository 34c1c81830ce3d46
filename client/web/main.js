// @ts-check
// The page: what stands around every view, and which view a path shows.

import './firstLook.js';
import { t } from './i18n/language.js';
import { openProfile } from './identity/profile.js';
import { followTabs } from './identity/tabs.js';
import { movesName, tokenIn } from './identity/transferLink.js';
import { LobbyFeed } from './lobby/feed.js';
import { followLevels } from './lobby/levels.js';
import { LobbyView } from './lobby/view.js';
import { Catalog } from './net/catalog.js';
import { Connection, ConnectionLost } from './net/connection.js';
import { loaded } from './net/errors.js';
import { latencyNote } from './net/latency.js';
import { Rooms } from './net/rooms.js';
import { isMyTurn, isRunning } from './room/state.js';
import { button, el, fill, personName, setAttribute, setText, svg } from './ui/dom.js';
import { keysButton, listenForKeys } from './ui/keys.js';
import { guestName, setLastChoices, setToken, token } from './ui/settings.js';
import { openSettings } from './ui/settingsDialog.js';
import { MARKS, TITLE as SETTINGS } from './ui/settingsWords.js';

const SPOKEN_KEPT = 4;
/** Three sliders. */
const GEAR = 'M2 5h8m4 0h4M2 10h2m4 0h10M2 15h8m4 0h4M12 3v4M6 8v4M12 13v4';
/** What the header leads to. */
const PLACES = ['learn', 'ladder', 'stats', 'explorer'];

/** @typedef {{node: HTMLElement, title: string, unmount?: () => void}} View */

export class App extends EventTarget {
  /** @param {HTMLElement} page */
  constructor(page) {
    super();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.connection = new Connection(`${scheme}://${location.host}/ws`, { guestName, setToken, token });
    this.rooms = new Rooms(this.connection);
    this.lobby = new LobbyFeed(this.connection);
    followLevels(this.rooms);
    this.catalog = new Catalog();
    /** @type {View|null} */
    this.view = null;
    /** What the notice tells. @type {unknown} */
    this.noticed = null;
    /** What makes the view that is on its way. @type {Promise<() => View>|null} */
    this.coming = null;
    this.path = '';
    /** The fragment of a link that moves a name here, until it is looked at. @type {string|null} */
    this.offered = null;

    this.you = button('', () => openProfile(this), { class: 'you', title: MARKS });
    const gear = button(
      svg('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, svg('path', { d: GEAR })),
      () => openSettings(this),
      { class: 'gear', 'aria-label': SETTINGS, title: SETTINGS },
    );
    this.places = el(
      'nav',
      { class: 'places', 'aria-label': t('page.places') },
      PLACES.map((place) => el('a', { href: `/${place}` }, t(`page.${place}`))),
    );
    this.elsewhere = el('nav', { class: 'elsewhere', 'aria-label': t('page.elsewhere') });
    this.main = el('main', { id: 'main' });
    this.notice = el('div', { class: 'toast notice', role: 'alert' });
    this.link = el('div', { class: 'toast link', hidden: true });
    this.spoken = el('div', { class: 'spoken', role: 'status', 'aria-live': 'polite', 'aria-relevant': 'additions' });
    fill(
      page,
      el('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ e) => this.skip(e) }, t('page.skip')),
      el(
        'header',
        { class: 'top' },
        el('a', { class: 'brand', href: '/', 'aria-label': t('page.home') }, wordmark()),
        this.places,
        this.elsewhere,
        gear,
        this.you,
      ),
      this.main,
      el('footer', { class: 'foot' }, keysButton(), latencyNote(this.connection)),
      el('section', { class: 'toasts', 'aria-label': t('page.messages') }, this.link, this.notice),
      this.spoken,
    );

    listenForKeys();
    document.addEventListener('click', (e) => this.followed(e));
    window.addEventListener('popstate', () => {
      this.show(this.address());
      void this.takeOffer();
    });
    this.connection.addEventListener('state', () => this.updateLink());
    this.connection.addEventListener('open', () => this.opened());
    this.connection.addEventListener('refused', (e) => this.fail(/** @type {CustomEvent} */ (e).detail));
    this.connection.addEventListener('forgotten', () => this.fail(new Error(t('page.forgotten'))));
    this.rooms.addEventListener('refused', (e) => this.fail(/** @type {CustomEvent} */ (e).detail));
    this.rooms.addEventListener('change', () => this.updateElsewhere());
    this.rooms.addEventListener('started', (e) => this.started(/** @type {CustomEvent} */ (e).detail));
    followTabs(this);
    setInterval(() => this.updateLink(), 500);
  }

  start() {
    const path = this.address();
    // Whoever is about to become somebody need not be made a guest first.
    const held = this.offered !== null && token() === null;
    if (held) this.connection.hold();
    else this.connection.start();
    this.show(path);
    void this.takeOffer().finally(() => held && this.connection.start());
  }

  // Who one is

  /** The path and what belongs to it. A secret that moves a name here is taken out of the address at once. */
  address() {
    if (movesName(location.hash)) {
      this.offered = location.hash;
      history.replaceState(null, '', location.pathname + location.search);
    }
    return location.pathname + location.search + location.hash;
  }

  async takeOffer() {
    const { offered } = this;
    this.offered = null;
    if (offered === null) return;
    const { openBecoming } = await loaded(import('./identity/dialogs.js'));
    await openBecoming(this, tokenIn(offered));
  }

  /**
   * From now on this browser is who has the token, or a new guest.
   * @param {string|null} token @param {string} sentence
   */
  becomes(token, sentence) {
    this.closeDialogs();
    this.navigate('/');
    this.rooms.reset();
    this.connection.become(token);
    this.fail(sentence);
  }

  /** What was asked of who one was is not asked of who one is now. */
  closeDialogs() {
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  }

  /** A guest made this moment is who another tab is, and stays where it is. @param {string} token */
  joins(token) {
    this.closeDialogs();
    this.rooms.reset();
    this.connection.become(token);
    this.show(this.path);
  }

  // Where one is

  /** @param {string} path @param {{replace?: boolean}} [how] */
  navigate(path, how) {
    if (how?.replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.show(path);
    window.scrollTo(0, 0);
  }

  /** @param {string} path */
  show(path) {
    this.path = path;
    this.clearNotice();
    this.view?.unmount?.();
    this.view = null;
    const view = this.route(path);
    if (view instanceof Promise) void this.awaited(view);
    else this.place(view);
  }

  /**
   * Shows a view when its module is here, unless one has gone elsewhere meanwhile.
   * @param {Promise<() => View>} coming
   */
  async awaited(coming) {
    this.coming = coming;
    this.updatePlaces();
    const make = await loaded(coming).catch((error) => () => lost(error.message));
    if (this.coming === coming) this.place(make());
  }

  /** @param {View} view */
  place(view) {
    this.coming = null;
    this.view = view;
    fill(this.main, view.node);
    this.setTitle(view.title);
    this.updatePlaces();
    this.updateElsewhere();
    this.settle(/** @type {HTMLElement|null} */ (view.node.querySelector('h1')));
  }

  /**
   * What the lobby does not need is loaded when somebody goes there.
   * @param {string} path @returns {View|Promise<() => View>}
   */
  route(path) {
    const url = new URL(path, location.origin);
    const parts = url.pathname.split('/').filter(Boolean).map(decode);
    const hash = decode(url.hash.slice(1));
    if (parts.length === 0 && hash.startsWith('create'))
      return import('./lobby/create.js').then(
        ({ CreateView }) =>
          () =>
            new CreateView(this, given(hash)),
      );
    if (parts.length === 0) return new LobbyView(this);
    if (parts.length === 2 && parts[0] === 'room')
      return import('./room/view.js').then(
        ({ RoomView }) =>
          () =>
            new RoomView(this, parts[1], hash || null),
      );
    if (parts.length === 2 && parts[0] === 'game')
      return import('./record/view.js').then(
        ({ RecordView }) =>
          () =>
            new RecordView(this, parts[1], url.searchParams),
      );
    if (parts.length === 1 && parts[0] === 'explorer')
      return import('./explore/view.js').then(
        ({ ExplorerView }) =>
          () =>
            new ExplorerView(this, url.searchParams),
      );
    if (parts.length === 1 && parts[0] === 'ladder')
      return import('./ladder/view.js').then(
        ({ LadderView }) =>
          () =>
            new LadderView(this, url.searchParams),
      );
    if (parts.length === 1 && parts[0] === 'stats')
      return import('./stats/view.js').then(
        ({ StatsView }) =>
          () =>
            new StatsView(this),
      );
    if (parts.length === 2 && parts[0] === 'player')
      return import('./ladder/player.js').then(
        ({ PlayerView }) =>
          () =>
            new PlayerView(this, parts[1]),
      );
    if (parts.length === 1 && parts[0] === 'learn')
      return import('./learn/view.js').then(
        ({ LearnView }) =>
          () =>
            new LearnView(this),
      );
    if (parts.length === 2 && parts[0] === 'learn')
      return import('./learn/view.js').then(
        ({ LearnGameView }) =>
          () =>
            new LearnGameView(this, parts[1], hash),
      );
    if (parts.length === 2 && parts[0] === 'join') return this.joining(parts[1]);
    return lost(t('page.nothing.address'));
  }

  /** The view while an invitation is taken up. @param {string} code @returns {View} */
  joining(code) {
    let wanted = true;
    const view = {
      node: el('div', { class: 'lost' }, el('h1', { tabindex: -1 }, t('page.joining'))),
      title: t('page.joining.title'),
      unmount: () => (wanted = false),
    };
    const join = async () => {
      while (wanted) {
        await this.connection.ready();
        try {
          const room = await this.rooms.join({ code });
          if (wanted) this.navigate(`/room/${encodeURIComponent(room.state.room)}`, { replace: true });
          return;
        } catch (error) {
          if (error instanceof ConnectionLost) continue;
          if (wanted) this.missing(error, t('page.joining.missing'));
          return;
        }
      }
    };
    void join();
    return view;
  }

  /** Shows a sentence and a way back in the place of a view. @param {unknown} error @param {string} sentence */
  missing(error, sentence) {
    const { code, message } = /** @type {{code?: string, message?: string}} */ (error ?? {});
    const text = !error || code === 'not_found' ? sentence : String(message);
    this.view?.unmount?.();
    this.view = lost(text);
    fill(this.main, this.view.node);
    this.setTitle(this.view.title);
    this.settle(/** @type {HTMLElement} */ (this.view.node.querySelector('h1')));
  }

  /** Links within the page change the view, not the document. @param {MouseEvent} event */
  followed(event) {
    const link = /** @type {Element} */ (event.target).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented) return;
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    event.preventDefault();
    this.navigate(link.pathname + link.search + link.hash);
  }

  /** @param {Event} event */
  skip(event) {
    event.preventDefault();
    /** @type {HTMLElement|null} */ (this.main.querySelector('h1'))?.focus();
  }

  /**
   * Puts the focus where a new view begins, unless somebody is at work in it already.
   * @param {HTMLElement|null} heading
   */
  settle(heading) {
    const active = document.activeElement;
    if (!active || active === document.body || !active.isConnected || active.closest('.top'))
      heading?.focus({ preventScroll: true });
  }

  /** @param {string} title */
  setTitle(title) {
    const text = title ? `${title} · noughts` : 'noughts';
    if (document.title !== text) document.title = text;
  }

  // What views ask for

  /** @param {import('./types/page.js').Asked} message */
  async create(message) {
    this.clearNotice();
    try {
      const room = await this.rooms.create(message);
      setLastChoices({ game: room.state.game.game });
      this.navigate(`/room/${encodeURIComponent(room.state.room)}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {{room?: string, code?: string}} which */
  async join(which) {
    this.clearNotice();
    try {
      const room = await this.rooms.join(which);
      this.navigate(`/room/${encodeURIComponent(room.state.room)}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * When a view goes: whoever only watched, or whose game is over, leaves. Whoever plays stays a member, so that the
   * page can tell when it is their turn.
   * @param {import('./net/rooms.js').LiveRoom} room
   */
  leaveQuietly(room) {
    if (room.state.you && !room.state.game.result) return;
    this.rooms.leave(room.state.room);
  }

  /** Rooms where this player sits and the game waits or runs. */
  myRooms() {
    const list = [];
    for (const [id, room] of this.rooms.live) {
      const { state } = room;
      if (!state.you || state.game.result) continue;
      const name = this.catalog.name(state.game.game);
      const how = isRunning(state) ? (isMyTurn(state) ? 'turn' : 'running') : 'waiting';
      list.push({
        id,
        label: t(`page.game.${how}`, { game: name }),
        mine: isRunning(state) && isMyTurn(state),
        started: state.game.started,
      });
    }
    for (const id of this.connection.rooms) {
      if (!this.rooms.live.has(id) && !this.rooms.left.has(id))
        list.push({ id, label: t('page.game.unknown'), mine: false, started: true });
    }
    return list;
  }

  // What the page says

  /** Announces a sentence once to those who listen. @param {string} sentence */
  say(sentence) {
    this.spoken.append(el('p', null, sentence));
    while (this.spoken.children.length > SPOKEN_KEPT) this.spoken.firstChild?.remove();
  }

  /** The one place for errors. @param {unknown} error */
  fail(error) {
    const message = error instanceof Error ? error.message : String(error);
    this.noticed = error;
    fill(
      this.notice,
      el('span', null, message),
      button('×', () => this.clearNotice(), { class: 'quiet', 'aria-label': t('page.dismiss') }),
    );
  }

  clearNotice() {
    if (this.notice.firstChild) fill(this.notice);
  }

  /** Tells what goes wrong, and lets the caller know. @template T @param {Promise<T>} promise @returns {Promise<T>} */
  async attempt(promise) {
    try {
      return await promise;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  opened() {
    this.catalog.warm = false; // it may be another server now
    if (this.connection.greetings > 1) {
      this.say(t('page.link.back'));
      if (this.noticed instanceof ConnectionLost) this.clearNotice();
    }
    this.updateElsewhere();
  }

  updateLink() {
    const { state, player, failures } = this.connection;
    const name = player?.name ?? t('page.you');
    if (this.you.dataset.name !== name) {
      this.you.dataset.name = name;
      fill(this.you, personName(name));
    }
    const broken = state === 'waiting' || (state === 'connecting' && failures > 0);
    if (broken && this.link.hidden) this.say(t('page.link.lost'));
    this.link.hidden = !broken;
    if (!broken) return;
    if (!this.link.firstChild) {
      fill(
        this.link,
        el('span', { class: 'spinner', 'aria-hidden': 'true' }),
        el('span', { class: 'link-text' }),
        button(t('page.link.now'), () => this.connection.retryNow()),
      );
    }
    const seconds = Math.ceil((this.connection.retryAt - performance.now()) / 1000);
    const text = state === 'waiting' && seconds > 1 ? t('page.link.in', { seconds }) : t('page.link.trying');
    setText(/** @type {Element} */ (this.link.querySelector('.link-text')), text);
  }

  updatePlaces() {
    const here = new URL(this.path, location.origin).pathname;
    for (const link of this.places.children)
      setAttribute(link, 'aria-current', link.getAttribute('href') === here ? 'page' : null);
  }

  updateElsewhere() {
    const here = decode(new URL(this.path, location.origin).pathname);
    // The lobby lists one's games itself.
    const list = here === '/' ? [] : this.myRooms().filter((room) => room.started && here !== `/room/${room.id}`);
    const shown = list.find((room) => room.mine) ?? (list.length === 1 ? list[0] : null);
    const key = JSON.stringify([shown, list.length]);
    if (this.elsewhere.dataset.key === key) return;
    this.elsewhere.dataset.key = key;
    fill(
      this.elsewhere,
      shown &&
        el(
          'a',
          { class: shown.mine ? 'pill urgent' : 'pill', href: `/room/${encodeURIComponent(shown.id)}` },
          shown.label,
        ),
      !shown && list.length > 0 && el('a', { class: 'pill', href: '/' }, t('page.games', { count: list.length })),
    );
  }

  /**
   * A game begins whose player waits in the lobby: takes them there.
   * @param {import('./net/rooms.js').LiveRoom} room
   */
  started(room) {
    if (room.state.you && this.view instanceof LobbyView) this.navigate(`/room/${encodeURIComponent(room.state.room)}`);
  }
}

/** @param {string} sentence @returns {View} */
function lost(sentence) {
  return {
    node: el(
      'div',
      { class: 'lost' },
      el('h1', { tabindex: -1 }, t('page.nothing')),
      el('p', null, sentence),
      el('a', { class: 'button primary', href: '/' }, t('page.to-lobby')),
    ),
    title: t('page.nothing'),
  };
}

/** `create`, `create=bots`, `create=player:ID` @param {string} hash */
function given(hash) {
  const value = hash.slice('create='.length);
  if (value.startsWith('player:')) return { who: 'player', player: value.slice('player:'.length) };
  return value ? { who: value } : {};
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function wordmark() {
  return [
    el('span', { class: 'mark-x', 'aria-hidden': 'true' }, '×'),
    el('span', { class: 'mark-o', 'aria-hidden': 'true' }, '○'),
    el('span', { class: 'brand-text' }, ' noughts'),
  ];
}

new App(/** @type {HTMLElement} */ (document.getElementById('page'))).start();
