// The page: the frame around every view, and which view a path shows.

import { roomPath } from './net/address.ts';
import type { LiveRoom } from './net/rooms.ts';
import type { Asked } from './types/page.d.ts';
import { isModified, listen } from './ui/listen.ts';
import './firstLook.ts';
import { render } from 'preact';
import { t } from './i18n/language.ts';
import { followTabs } from './identity/tabs.ts';
import { movesName, tokenIn } from './identity/transferLink.ts';
import { challengeWords } from './lobby/challengeWords.ts';
import { LobbyFeed } from './lobby/feed.ts';
import { followLevels } from './lobby/levels.ts';
import { Announcement } from './net/announcement.ts';
import { Catalog } from './net/catalog.ts';
import { Connection, ConnectionLost } from './net/connection.ts';
import { loaded } from './net/errors.ts';
import { observe } from './net/observe.ts';
import { Rooms } from './net/rooms.ts';
import { isMyTurn, isRunning } from './room/state.ts';
import { roomPart, route } from './routes.tsx';
import { listenForKeys } from './ui/keys.tsx';
import { printLight } from './ui/print.ts';
import { guestName, setLastChoices, setToken, token } from './ui/settings.ts';
import { Shell } from './ui/shell.tsx';
import { Lost, Unloaded } from './ui/unloaded.tsx';
import { AppContext, drawnView } from './ui/view.tsx';

const SPOKEN_KEPT = 4;

/** The scroll position to restore after Back, Forward or a reload. */
const keepPlace = () => history.replaceState(scrollY, '');

/** An announced sentence; `id` distinguishes equal ones. */
type Announced = { id: number; sentence: string };

export type View = { node: HTMLElement; title: string; unmount?: () => void };

export class App extends EventTarget {
  connection: Connection;
  rooms: Rooms;
  lobby: LobbyFeed;
  catalog = new Catalog();
  announcement: Announcement;
  /** The current path with query and fragment. */
  declare path: string;
  /** The last error until it is dismissed; null if there is none. */
  declare noticed: unknown;
  /** The last announcements, the newest at the end. */
  declare spoken: Announced[];
  view: View | null = null;
  /** The view that is loading. */
  coming: Promise<() => View> | null = null;
  /** The fragment of a link that moves an identity here, until it is handled. */
  offered: string | null = null;
  /** The scroll position to return to. */
  down = 0;
  /** Scrolls to the old position as the page grows, until the user acts. */
  growth = new ResizeObserver(() => {
    scrollTo(0, this.down);
    if (scrollY > this.down - 1) this.growth.disconnect();
  });
  /** The element that shows the views. */
  main: HTMLElement | null = null;

  constructor(page: HTMLElement) {
    super();
    observe(this, { path: '', noticed: null, spoken: [] });
    const wordmark = page.querySelector('.wordmark') as Element;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.connection = new Connection(`${scheme}://${location.host}/ws`, { guestName, setToken, token });
    this.rooms = new Rooms(this.connection);
    this.lobby = new LobbyFeed(this.connection, (challenge) =>
      this.say(challengeWords(challenge, this.catalog.name(challenge.game))),
    );
    followLevels(this.rooms);
    this.announcement = new Announcement(this.connection, (text) => this.say(text));
    page.replaceChildren();
    render(
      <AppContext.Provider value={this}>
        <Shell wordmark={wordmark} />
      </AppContext.Provider>,
      page,
    );
    listenForKeys(this);
    const popstate = () => {
      this.show(this.address());
      void this.takeOffer();
    };
    const still = () => this.growth.disconnect();
    const open = () => this.opened();
    const refused = ({ detail }: CustomEvent) => this.fail(detail);
    const forgotten = () => this.fail(new Error(t('page.forgotten')));
    listen(document, { click: (event: MouseEvent) => this.followed(event) });
    listen(window, { popstate, scrollend: keepPlace, pointerdown: still, wheel: still, keydown: still });
    printLight();
    listen(this.connection, { open, refused, forgotten });
    listen(this.rooms, { refused, started: ({ detail }: CustomEvent) => this.started(detail) });
    followTabs(this);
  }

  start() {
    const path = this.address();
    // Somebody about to take over an identity does not need a guest first.
    const held = this.offered !== null && token() === null;
    if (held) this.connection.hold();
    else this.connection.start();
    this.show(path);
    void this.takeOffer().finally(() => held && this.connection.start());
  }

  // Identity

  /** The path with query and fragment. A secret that moves an identity here is removed from the address at once. */
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
    const { openBecoming } = await loaded(import('./identity/identityPart.tsx'));
    await openBecoming(this, tokenIn(offered));
  }

  /** From now on this browser has the token's identity, or is a new guest. */
  becomes(token: string | null, sentence: string) {
    this.navigate('/');
    this.rooms.reset();
    this.connection.become(token);
    this.fail(sentence);
  }

  /** A guest made a moment ago adopts the identity of another tab, without leaving the view. */
  joins(token: string) {
    this.rooms.reset();
    this.connection.become(token);
    this.show(this.path);
  }

  // Navigation

  navigate(path: string) {
    keepPlace();
    history.pushState(null, '', path);
    this.show(path);
    window.scrollTo(0, 0);
  }

  enter(room: string) {
    this.navigate(roomPath(room));
  }

  /** Gives the shown view another address. */
  readdress(path: string) {
    history.replaceState(null, '', path);
    this.path = path;
  }

  show(path: string) {
    // Dialogs belong to the old view or identity.
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
    this.path = path;
    this.growth.disconnect();
    this.down = history.state;
    if (this.down) this.growth.observe(document.body);
    this.clearNotice();
    this.view?.unmount?.();
    this.view = null;
    const view = route(this, path) ?? this.lost(t('page.nothing.address'));
    if (view instanceof Promise) void this.awaited(view);
    else this.place(view);
  }

  /** Shows a view when its module has loaded, unless the user has gone elsewhere meanwhile. */
  async awaited(coming: Promise<() => View>) {
    this.coming = coming;
    const make = await loaded(coming).catch((error) => () => this.unloaded(error));
    if (this.coming === coming) this.place(make());
  }

  place(view: View) {
    this.coming = null;
    this.view?.unmount?.();
    this.view = view;
    this.main?.replaceChildren(view.node);
    this.setTitle(view.title);
    this.settle(view.node.querySelector('h1') as HTMLElement | null);
  }

  lost(sentence: string) {
    return drawnView(this, t('page.nothing'), <Lost sentence={sentence} />);
  }

  /** Part of the page could not be loaded: try again when the connection is back. */
  unloaded(error: Error) {
    return drawnView(this, t('page.unloaded'), <Unloaded error={error} retry={() => this.show(this.path)} />);
  }

  /** Shows a sentence and a way back instead of a view. */
  missing(error: unknown, sentence: string) {
    const { code, message } = (error ?? {}) as { code?: string; message?: string };
    const text = !error || code === 'not_found' ? sentence : String(message);
    this.place(this.lost(text));
  }

  /** Links within the page change the view, not the document. */
  followed(event: MouseEvent) {
    const link = (event.target as Element).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented) return;
    if (event.button !== 0 || isModified(event)) return;
    if (link.getAttribute('href') === '#main') return this.skip(event);
    if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    event.preventDefault();
    this.navigate(link.pathname + link.search + link.hash);
  }

  skip(event: Event) {
    event.preventDefault();
    (this.main?.querySelector('h1') as HTMLElement | null)?.focus();
  }

  /** Focuses the start of a new view, unless the user is already active in it. */
  settle(heading: HTMLElement | null) {
    const active = document.activeElement;
    if (!active || active === document.body || active.closest('.top')) heading?.focus({ preventScroll: true });
  }

  setTitle(title: string) {
    const text = title ? `${title} · noughts` : 'noughts';
    if (document.title !== text) document.title = text;
  }

  // For views

  create(message: Asked) {
    return this.attempt(() => this.make(message));
  }

  /** Makes a room and goes there. A refusal is for the caller to handle. */
  async make(message: Asked) {
    const room = await this.arrive(this.rooms.create(message));
    setLastChoices({ game: room.state.game.game });
    return room;
  }

  join(room: string) {
    return this.attempt(() => this.arrive(this.rooms.join({ room })));
  }

  /** Goes to the room once it arrives, unless the user has gone elsewhere meanwhile. */
  async arrive(coming: Promise<LiveRoom>) {
    roomPart().catch(() => {}); // loads while the server answers; the view reports a failure
    const { path } = this;
    const room = await coming;
    if (this.path === path) this.enter(room.state.room);
    return room;
  }

  /**
   * When a view closes, spectators and players whose game is over leave. Players of a running game, or with an open
   * offer of a rematch, stay members, so that the page can say when it is their turn.
   */
  leaveQuietly({ state }: LiveRoom) {
    if (state.you && (!state.game.result || state.offers[0])) return;
    this.rooms.leave(state.room);
  }

  /** This player's running games, and those not loaded yet. */
  myGames() {
    const list = [];
    for (const [id, { state }] of this.rooms.live) {
      if (!state.you || !isRunning(state)) continue;
      const mine = isMyTurn(state);
      const game = this.catalog.name(state.game.game);
      list.push({ id, label: t(mine ? 'page.game.turn' : 'page.game.running', { game }), mine });
    }
    for (const id of this.rooms.coming) list.push({ id, label: t('page.game.unknown'), mine: false });
    return list;
  }

  // Messages

  /** Announces a sentence to screen readers once. */
  say(sentence: string) {
    const id = (this.spoken.at(-1)?.id ?? 0) + 1;
    this.spoken = [...this.spoken, { id, sentence }].slice(-SPOKEN_KEPT);
  }

  fail(error: unknown) {
    this.noticed = error;
  }

  clearNotice() {
    this.noticed = null;
  }

  /** Shows errors in the one place for them. @returns whether there was none */
  async attempt(work: () => Promise<unknown>) {
    this.clearNotice();
    try {
      await work();
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  opened() {
    this.catalog.warm = false; // it may be another server now
    if (this.connection.greetings > 1) {
      this.say(t('page.link.back'));
      if (this.noticed instanceof ConnectionLost) this.clearNotice();
    }
  }

  /** Takes a player who waits in the lobby to the game that begins. */
  started(room: LiveRoom) {
    if (room.state.you && this.path === '/') this.enter(room.state.room);
  }
}

new App(document.getElementById('page') as HTMLElement).start();
