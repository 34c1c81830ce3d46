// @ts-check
// The lobby: a kind of game is chosen, a game is begun in one click, and what goes on here is shown.

import { picture } from '../board/picture.js';
import { shortGameName } from '../i18n/gameWords.js';
import { t } from '../i18n/language.js';
import { loaded } from '../net/errors.js';
import { clockWords } from '../room/clock.js';
import { ratingWords } from '../room/words.js';
import { button, el, fill, playerLink } from '../ui/dom.js';
import { Parts } from '../ui/parts.js';
import { lastChoices, marks, setLastChoices } from '../ui/settings.js';
import { BotList } from './botList.js';
import { QuickStart, settledRating } from './quickStart.js';
import { RunningGames } from './running.js';

/** @typedef {import('../types/page.js').Rules} Rules */

/** What a pointer may be about to press. Where nothing can hover, nothing is known of it. */
const POINTED = ':is(a, button, summary):hover';
/** How long the lists wait for the line to be there: on a slow one they may as well jump. */
const PATIENCE_MS = 1_500;

export class LobbyView {
  /** @param {import('../main.js').App} app */
  constructor(app) {
    this.app = app;
    this.title = '';
    this.game = String(lastChoices().game ?? 'tictactoe');
    /** @type {Rules[]} */
    this.games = [];
    this.mounted = true;
    this.parts = new Parts();
    /**
     * For which game, among which bots and for whom a bot was chosen last.
     * @type {{id: string, bots: import('../types/page.js').Bot[], player: string|null}|null}
     */
    this.offered = null;
    /** @type {import('./featured.js').Featured|null} */
    this.featured = null;
    /** Whether that could not be loaded. */
    this.unloaded = false;
    /** Whether the invitation has been looked for. */
    this.invited = false;
    this.patient = true;
    this.patience = window.setTimeout(() => {
      this.patient = false;
      this.reveal();
    }, PATIENCE_MS);
    this.cards = el('div', { class: 'cards', role: 'radiogroup', 'aria-label': t('lobby.game') });
    this.about = el('p', { class: 'about muted' });
    this.quick = new QuickStart(app);
    this.bots = new BotList((name) => void this.quick.only(() => this.quick.create({ who: 'bot', bot: name })));
    this.mine = el('section', { class: 'panel mine-panel', hidden: true });
    this.challenges = el('section', { class: 'panel challenges', hidden: true });
    this.seeks = el('section', { class: 'panel seeks' });
    this.people = el('section', { class: 'panel people' });
    this.running = new RunningGames(app, () => this.held());
    this.lists = el(
      'div',
      { class: 'lists coming', onpointerout: () => this.update() },
      el('div', { class: 'lists-side' }, this.seeks, this.people),
      el('div', { class: 'lists-main' }, this.running.node, this.bots.node),
    );
    this.node = el(
      'div',
      { class: 'lobby' },
      el(
        'section',
        { class: 'hero' },
        el('h1', { tabindex: -1 }, t('lobby.title')),
        this.cards,
        this.about,
        this.quick.node,
      ),
      this.challenges,
      this.mine,
      this.lists,
    );
    this.onLobby = () => this.update();
    app.lobby.addEventListener('change', this.onLobby);
    app.rooms.addEventListener('change', this.onLobby);
    app.connection.addEventListener('state', this.onLobby);
    this.onOpen = () => void this.greeted();
    app.connection.addEventListener('open', this.onOpen);
    app.lobby.want(this, true);
    this.update();
    void this.load();
  }

  unmount() {
    this.mounted = false;
    clearTimeout(this.patience);
    this.app.lobby.removeEventListener('change', this.onLobby);
    this.app.rooms.removeEventListener('change', this.onLobby);
    this.app.connection.removeEventListener('state', this.onLobby);
    this.app.connection.removeEventListener('open', this.onOpen);
    this.app.lobby.want(this, false);
  }

  async load() {
    try {
      this.games = await this.app.catalog.games();
    } catch (error) {
      this.app.fail(error);
      fill(
        this.cards,
        button(t('page.again'), () => void this.load()),
      );
      this.lists.classList.remove('coming');
      return;
    }
    if (!this.mounted) return;
    if (!this.games.some((rules) => rules.id === this.game)) this.game = this.games[0].id;
    fill(
      this.cards,
      this.games.map((rules) =>
        el(
          'label',
          { class: 'card' },
          el('input', {
            type: 'radio',
            name: 'game',
            value: rules.id,
            checked: rules.id === this.game,
            onchange: () => void this.picked(rules.id),
          }),
          picture(rules),
          el('span', null, shortGameName(rules)),
        ),
      ),
    );
    void this.choose(this.game);
    this.parts.clear(); // the lists may name games by their rules now
    this.update();
  }

  /** What somebody chose is remembered; what is chosen for them is not. @param {string} id */
  picked(id) {
    setLastChoices({ game: id });
    return this.choose(id);
  }

  /** @param {string} id */
  async choose(id) {
    this.game = id;
    const rules = this.games.find((each) => each.id === id);
    if (!rules) return;
    fill(
      this.about,
      el('strong', null, rules.name),
      ' ',
      rules.sentences.join(' '),
      ' ',
      el('a', { href: `/learn/${encodeURIComponent(id)}` }, t('lobby.learn', { game: shortGameName(rules) })),
    );
    this.quick.choose(id);
    this.quick.node.hidden = false;
    this.update();
    try {
      const bots = await this.app.catalog.bots(id);
      await this.offer(id, bots);
      if (this.mounted && this.game === id) this.bots.show(rules, bots);
    } catch (error) {
      if (this.mounted && this.game === id) this.bots.fail(/** @type {Error} */ (error), () => void this.choose(id));
    }
    this.reveal();
  }

  /** Finds the bot for who one is. @param {string} id @param {import('../types/page.js').Bot[]} bots */
  async offer(id, bots) {
    const player = this.app.connection.player?.id ?? null;
    this.offered = { bots, id, player };
    const rating = await settledRating(player, id, bots);
    if (this.mounted && this.game === id && this.offered.player === player) this.quick.offer(bots, rating);
  }

  /** The server says who one is: after the bots were shown, on a slow line. */
  async greeted() {
    const { offered, game, app } = this;
    if (offered?.id === game && offered.player !== app.connection.player?.id) await this.offer(game, offered.bots);
  }

  /** Whether a pointer is on something in the lists: then nothing there may move. */
  held() {
    return matchMedia('(hover: hover)').matches && this.lists.querySelector(POINTED) !== null;
  }

  update() {
    if (!this.mounted) return;
    const lobby = this.app.lobby.state;
    const me = this.app.connection.player?.id ?? null;
    const mine = this.app.myRooms();
    this.parts.update(this.challenges, lobby?.challenges ?? [], () => {
      const list = (lobby?.challenges ?? []).filter((challenge) => challenge.by.id !== me);
      this.challenges.hidden = !list.length;
      return [
        el('h2', null, t('lobby.challenged')),
        el(
          'ul',
          null,
          list.map((challenge) => this.seekRow(challenge, t('lobby.accept'))),
        ),
      ];
    });
    this.parts.update(this.mine, mine, () => {
      this.mine.hidden = !mine.length;
      return [
        el('h2', null, t('lobby.mine')),
        el(
          'ul',
          null,
          mine.map((room) =>
            el('li', null, el('span', { class: 'row-what' }, room.label), roomLink(room.id, t('lobby.go-on'))),
          ),
        ),
      ];
    });
    this.quick.update();
    const own = new Set(mine.map((room) => room.id));
    const count = this.running.update(lobby?.rooms.filter((room) => !own.has(room.room)) ?? null);
    if (lobby && !count) void this.invite();
    this.reveal();
    if (this.held()) return;
    this.parts.update(this.seeks, lobby && [lobby.seeks, me], () => {
      const seeks = lobby?.seeks ?? [];
      return [
        el('h2', null, t('lobby.seeks')),
        seeks.length
          ? el(
              'ul',
              null,
              seeks.map((seek) => this.seekRow(seek, t('lobby.play'))),
            )
          : el('p', { class: 'empty' }, t(lobby ? 'lobby.seeks.none' : 'lobby.looking')),
      ];
    });
    this.parts.update(this.people, lobby && [lobby.people, lobby.players, me], () => {
      const people = (lobby?.people ?? []).filter((player) => player.id !== me);
      return [
        el('h2', null, t('lobby.people')),
        people.length
          ? el(
              'ul',
              null,
              people.map((player) => this.personRow(player)),
            )
          : el('p', { class: 'empty' }, t('lobby.people.none')),
      ];
    });
  }

  /** Where nobody plays there is something to look at all the same. */
  async invite() {
    if (!this.games.length || this.unloaded) return;
    try {
      const { Featured } = await loaded(import('./featured.js'));
      if (!this.mounted) return;
      if (!this.featured) {
        this.featured = new Featured(this.app, this.quick.only);
        fill(this.running.none, this.featured.node);
      }
      await this.featured.show(this.game);
    } catch (error) {
      this.unloaded = true;
      fill(
        this.running.none,
        el('p', { class: 'empty' }, /** @type {Error} */ (error).message),
        button(t('page.again'), () => void this.inviteAgain()),
      );
    }
    this.invited = true;
    this.reveal();
  }

  /** Lets the lists be seen once what stands above and in them is here, or cannot be had for now: so nothing jumps. */
  reveal() {
    const { connection, lobby } = this.app;
    const known = lobby.state
      ? this.running.order.length > 0 || this.invited
      : connection.failures > 0 || !this.patient;
    if (known && this.bots.node.firstChild) this.lists.classList.remove('coming');
  }

  inviteAgain() {
    this.unloaded = false;
    return this.invite();
  }

  /** @param {import('../types/page.js').Seek} seek @param {string} label */
  seekRow(seek, label) {
    const own = seek.by.id === this.app.connection.player?.id;
    const details = [
      clockWords(seek.clock),
      seek.rated && t('lobby.rated'),
      !own && t('lobby.seat', { mark: marks()[seek.seat === 'x' ? 'o' : 'x'] }),
    ]
      .filter(Boolean)
      .join(' · ');
    return el(
      'li',
      null,
      el(
        'span',
        { class: 'row-what' },
        el('strong', null, this.app.catalog.name(seek.game)),
        el('small', null, own ? t('lobby.yours') : rated(seek.by), ' · ', details),
      ),
      own
        ? roomLink(seek.room, t('lobby.open'))
        : button(label, () => void this.quick.only(() => this.app.join({ room: seek.room })), {
            class: 'primary',
            'data-key': seek.room,
          }),
    );
  }

  /** @param {import('../types/page.js').Player} player */
  personRow(player) {
    return el(
      'li',
      null,
      el(
        'span',
        { class: 'row-what' },
        el('span', null, playerLink(player)),
        player.kind === 'bot' && el('small', null, t('lobby.bot')),
      ),
      el('a', { class: 'button', href: `/#create=player:${player.id}`, 'data-key': player.id }, t('lobby.challenge')),
    );
  }
}

/** A name and, where this kind of game has one, a rating. @param {import('../types/page.js').ListedPlayer} player */
function rated(player) {
  return [playerLink(player), player.rating && ` ${ratingWords(player.rating)}`];
}

/** @param {string} id @param {string} label */
function roomLink(id, label) {
  return el('a', { class: 'button', href: `/room/${encodeURIComponent(id)}`, 'data-key': id }, label);
}
