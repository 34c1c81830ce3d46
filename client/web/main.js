// @ts-check
// The page: what stands around every view, and which view a path shows.

import { Catalog } from './catalog.js';
import { Connection, ConnectionLost } from './connection.js';
import { CreateView } from './create.js';
import { button, el, fill, personName, setAttribute, setText } from './dom.js';
import { ExplorerView } from './explorer.js';
import { LadderView } from './ladder.js';
import { LobbyFeed, LobbyView } from './lobby.js';
import { PlayerView } from './player.js';
import { openProfile } from './profile.js';
import { RecordView } from './record.js';
import { isMyTurn, isRunning } from './room.js';
import { Rooms } from './rooms.js';
import { RoomView } from './roomview.js';
import * as settings from './settings.js';
import { StatsView } from './stats.js';

const SPOKEN_KEPT = 4;
/** What the header leads to, and its path. */
const PLACES = [
  ['Ladder', '/ladder'],
  ['Stats', '/stats'],
  ['Explore', '/explorer'],
];

/** @typedef {{node: HTMLElement, title: string, unmount?: () => void}} View */

export class App extends EventTarget {
  /** @param {HTMLElement} page */
  constructor(page) {
    super();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.connection = new Connection(`${scheme}://${location.host}/ws`, settings);
    this.rooms = new Rooms(this.connection);
    this.lobby = new LobbyFeed(this.connection);
    this.catalog = new Catalog();
    /** @type {View|null} */
    this.view = null;
    this.path = '';

    this.you = button('', () => openProfile(this), { class: 'you', title: 'Your name and marks' });
    this.places = el('nav', { class: 'places', 'aria-label': 'Records' }, PLACES.map(([name, href]) => el('a', { href }, name)));
    this.elsewhere = el('nav', { class: 'elsewhere', 'aria-label': 'Your running games' });
    this.main = el('main', { id: 'main' });
    this.notice = el('div', { class: 'toast notice', role: 'alert' });
    this.link = el('div', { class: 'toast link', hidden: true });
    this.spoken = el('div', { class: 'spoken', role: 'status', 'aria-live': 'polite', 'aria-relevant': 'additions' });
    page.append(
      el('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ e) => this.skip(e) }, 'To the content'),
      el('header', { class: 'top' }, el('a', { class: 'brand', href: '/', 'aria-label': 'noughts, to the lobby' }, wordmark()), this.places, this.elsewhere, this.you),
      this.main,
      el('div', { class: 'toasts' }, this.link, this.notice),
      this.spoken,
    );

    document.addEventListener('click', (e) => this.followed(e));
    window.addEventListener('popstate', () => this.show(location.pathname + location.search + location.hash));
    this.connection.addEventListener('state', () => this.updateLink());
    this.connection.addEventListener('open', () => this.opened());
    this.connection.addEventListener('refused', (e) => this.fail(/** @type {CustomEvent} */ (e).detail));
    this.connection.addEventListener('forgotten', () =>
      this.fail(new Error('The server does not know this browser any more: you are a new guest now.')),
    );
    this.rooms.addEventListener('refused', (e) => this.fail(/** @type {CustomEvent} */ (e).detail));
    this.rooms.addEventListener('change', () => this.updateElsewhere());
    this.rooms.addEventListener('started', (e) => this.started(/** @type {CustomEvent} */ (e).detail));
    setInterval(() => this.updateLink(), 500);
  }

  start() {
    this.connection.start();
    this.show(location.pathname + location.search + location.hash);
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
    if (!view) return;
    this.view = view;
    fill(this.main, view.node);
    this.setTitle(view.title);
    this.updatePlaces();
    this.updateElsewhere();
    this.settle(/** @type {HTMLElement|null} */ (view.node.querySelector('h1')));
  }

  /** @param {string} path @returns {View|null} */
  route(path) {
    const url = new URL(path, location.origin);
    const parts = url.pathname.split('/').filter(Boolean).map(decode);
    const hash = decode(url.hash.slice(1));
    if (parts.length === 0) return hash.startsWith('create') ? new CreateView(this, given(hash)) : new LobbyView(this);
    if (parts.length === 2 && parts[0] === 'room') return new RoomView(this, parts[1], hash || null);
    if (parts.length === 2 && parts[0] === 'game') {
      return new RecordView(this, parts[1], url.searchParams);
    }
    if (parts.length === 1 && parts[0] === 'explorer') return new ExplorerView(this, url.searchParams);
    if (parts.length === 1 && parts[0] === 'ladder') return new LadderView(this, url.searchParams);
    if (parts.length === 1 && parts[0] === 'stats') return new StatsView(this);
    if (parts.length === 2 && parts[0] === 'player') return new PlayerView(this, parts[1]);
    if (parts.length === 2 && parts[0] === 'join') return this.joining(parts[1]);
    return lost('There is nothing at this address.');
  }

  /** The view while an invitation is taken up. @param {string} code @returns {View} */
  joining(code) {
    let wanted = true;
    const view = {
      node: el('div', { class: 'lost' }, el('h1', { tabindex: -1 }, 'Taking up the invitation …')),
      title: 'Invitation',
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
          if (wanted) this.missing(error, 'This invitation does not lead to a game: it may have been used up, or the link is not whole.');
          return;
        }
      }
    };
    void join();
    return view;
  }

  /** Shows a sentence and a way back in the place of a view. @param {any} error @param {string} sentence */
  missing(error, sentence) {
    const text = !error || error.code === 'not_found' ? sentence : /** @type {Error} */ (error).message;
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

  /** Puts the focus where a new view begins, unless somebody is at work in it already. @param {HTMLElement|null} heading */
  settle(heading) {
    const active = document.activeElement;
    if (!active || active === document.body || !active.isConnected || active.closest('.top')) heading?.focus({ preventScroll: true });
  }

  /** @param {string} title */
  setTitle(title) {
    const text = title ? `${title} · noughts` : 'noughts';
    if (document.title !== text) document.title = text;
  }

  // What views ask for

  /** @param {Record<string, any>} message */
  async create(message) {
    this.clearNotice();
    try {
      const room = await this.rooms.create(message);
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
   * @param {import('./rooms.js').LiveRoom} room
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
      const turn = isRunning(state) ? (isMyTurn(state) ? 'your turn' : 'running') : 'waiting';
      list.push({ id, label: `${name}: ${turn}`, mine: isRunning(state) && isMyTurn(state), started: state.game.started });
    }
    for (const id of this.connection.rooms) {
      if (!this.rooms.live.has(id) && !this.rooms.left.has(id)) list.push({ id, label: 'A game of yours', mine: false, started: true });
    }
    return list;
  }

  // What the page says

  /** Announces a sentence once to those who listen. @param {string} sentence */
  say(sentence) {
    this.spoken.append(el('p', null, sentence));
    while (this.spoken.children.length > SPOKEN_KEPT) this.spoken.firstChild?.remove();
  }

  /** The one place for errors. @param {any} error */
  fail(error) {
    const message = error instanceof Error ? error.message : String(error);
    fill(this.notice, el('span', null, message), button('×', () => this.clearNotice(), { class: 'quiet', 'aria-label': 'Dismiss' }));
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
      this.say('Connected again.');
      if (this.notice.textContent?.includes('no connection')) this.clearNotice();
    }
    this.updateElsewhere();
  }

  updateLink() {
    const { state, player, failures } = this.connection;
    const name = player?.name ?? 'You';
    if (this.you.dataset.name !== name) {
      this.you.dataset.name = name;
      fill(this.you, personName(name));
    }
    const broken = state === 'waiting' || (state === 'connecting' && failures > 0);
    if (broken && this.link.hidden) this.say('The connection is lost. Reconnecting.');
    this.link.hidden = !broken;
    if (!broken) return;
    if (!this.link.firstChild) {
      fill(this.link, el('span', { class: 'spinner', 'aria-hidden': 'true' }), el('span', { class: 'link-text' }), button('Now', () => this.connection.retryNow()));
    }
    const seconds = Math.ceil((this.connection.retryAt - performance.now()) / 1000);
    const when = state === 'waiting' && seconds > 1 ? ` in ${seconds} s` : ' …';
    setText(/** @type {Element} */ (this.link.querySelector('.link-text')), `Connection lost. Reconnecting${when}`);
  }

  updatePlaces() {
    const here = new URL(this.path, location.origin).pathname;
    for (const link of this.places.children) setAttribute(link, 'aria-current', link.getAttribute('href') === here ? 'page' : null);
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
      shown && el('a', { class: shown.mine ? 'pill urgent' : 'pill', href: `/room/${encodeURIComponent(shown.id)}` }, shown.label),
      !shown && list.length > 0 && el('a', { class: 'pill', href: '/' }, `${list.length} games of yours`),
    );
  }

  /** A game begins whose player waits in the lobby: takes them there. @param {import('./rooms.js').LiveRoom} room */
  started(room) {
    if (room.state.you && this.view instanceof LobbyView) this.navigate(`/room/${encodeURIComponent(room.state.room)}`);
  }
}

/** @param {string} sentence @returns {View} */
function lost(sentence) {
  return {
    node: el('div', { class: 'lost' }, el('h1', { tabindex: -1 }, 'Nothing here'), el('p', null, sentence), el('a', { class: 'button primary', href: '/' }, 'To the lobby')),
    title: 'Nothing here',
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
  return [el('span', { class: 'mark-x', 'aria-hidden': 'true' }, '×'), el('span', { class: 'mark-o', 'aria-hidden': 'true' }, '○'), el('span', { class: 'brand-text' }, ' noughts')];
}

new App(/** @type {HTMLElement} */ (document.getElementById('page'))).start();
