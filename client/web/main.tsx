// The page: what stands around every view, and which view a path shows.

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

/** For who comes back: Back and Forward may lead here, and so does a reload. */
const keepPlace = () => history.replaceState(scrollY, '');

/** A sentence that was announced; `id` tells equal ones apart. */
type Announced = { id: number; sentence: string };

export type View = { node: HTMLElement; title: string; unmount?: () => void };

export class App extends EventTarget {
  connection: Connection;
  rooms: Rooms;
  lobby: LobbyFeed;
  catalog = new Catalog();
  announcement: Announcement;
  /** Where one is: a path with what belongs to it. */
  declare path: string;
  /** What went wrong last, until somebody has read it; null where nothing did. */
  declare noticed: unknown;
  /** What was announced last, the newest at the end. */
  declare spoken: Announced[];
  view: View | null = null;
  /** What makes the view that is on its way. */
  coming: Promise<() => View> | null = null;
  /** The fragment of a link that moves a name here, until it is looked at. */
  offered: string | null = null;
  /** How far down one was where one comes back to. */
  down = 0;
  /** Scrolls to where one was, as the page grows to there, until one does something. */
  growth = new ResizeObserver(() => {
    scrollTo(0, this.down);
    if (scrollY > this.down - 1) this.growth.disconnect();
  });
  /** Views are shown in this element. */
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
    const { openBecoming } = await loaded(import('./identity/identityPart.tsx'));
    await openBecoming(this, tokenIn(offered));
  }

  /** From now on this browser is who has the token, or a new guest. */
  becomes(token: string | null, sentence: string) {
    this.navigate('/');
    this.rooms.reset();
    this.connection.become(token);
    this.fail(sentence);
  }

  /** A guest made this moment is who another tab is, and stays where it is. */
  joins(token: string) {
    this.rooms.reset();
    this.connection.become(token);
    this.show(this.path);
  }

  // Where one is

  navigate(path: string) {
    keepPlace();
    history.pushState(null, '', path);
    this.show(path);
    window.scrollTo(0, 0);
  }

  enter(room: string) {
    this.navigate(roomPath(room));
  }

  /** Another address of what is shown already. */
  readdress(path: string) {
    history.replaceState(null, '', path);
    this.path = path;
  }

  show(path: string) {
    // What was asked elsewhere, or of who one was, is not asked here and now.
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

  /** Shows a view when its module is here, unless one has gone elsewhere meanwhile. */
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

  /** A part of the page could not be loaded: it is asked for again when the connection is back. */
  unloaded(error: Error) {
    return drawnView(this, t('page.unloaded'), <Unloaded error={error} retry={() => this.show(this.path)} />);
  }

  /** Shows a sentence and a way back in the place of a view. */
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

  /** Puts the focus where a new view begins, unless somebody is at work in it already. */
  settle(heading: HTMLElement | null) {
    const active = document.activeElement;
    if (!active || active === document.body || active.closest('.top')) heading?.focus({ preventScroll: true });
  }

  setTitle(title: string) {
    const text = title ? `${title} · noughts` : 'noughts';
    if (document.title !== text) document.title = text;
  }

  // What views ask for

  create(message: Asked) {
    return this.attempt(() => this.make(message));
  }

  /** Makes a room and goes there; what is refused is for who asked. */
  async make(message: Asked) {
    const room = await this.arrive(this.rooms.create(message));
    setLastChoices({ game: room.state.game.game });
    return room;
  }

  join(room: string) {
    return this.attempt(() => this.arrive(this.rooms.join({ room })));
  }

  /** Goes to the room that comes, unless one has gone elsewhere meanwhile. */
  async arrive(coming: Promise<LiveRoom>) {
    roomPart().catch(() => {}); // it comes while the server answers; where it fails, the view says so
    const { path } = this;
    const room = await coming;
    if (this.path === path) this.enter(room.state.room);
    return room;
  }

  /**
   * When a view goes: whoever only watched, or whose game is over, leaves. Whoever plays, or was asked for a rematch or
   * asked for one, stays a member, so that the page can tell when it is their turn.
   */
  leaveQuietly({ state }: LiveRoom) {
    if (state.you && (!state.game.result || state.offers[0])) return;
    this.rooms.leave(state.room);
  }

  /** Games of this player's that run, and those of which that is not known yet. */
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

  // What the page says

  /** Announces a sentence once to those who listen. */
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

  /** Tells what goes wrong in the one place for that. @returns whether nothing did */
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

  /** A game begins whose player waits in the lobby: takes them there. */
  started(room: LiveRoom) {
    if (room.state.you && this.path === '/') this.enter(room.state.room);
  }
}

new App(document.getElementById('page') as HTMLElement).start();
