// @ts-check
// The lobby: what it knows (kept by the server's `lobby` messages) and how it looks.

import { firstBot } from './catalog.js';
import { clockWords } from './clock.js';
import { button, el, fill, playerLink } from './dom.js';
import { picture } from './picture.js';
import { lastChoices, setLastChoices } from './settings.js';
import { plural, ratingWords } from './words.js';

/** The lists of the lobby, asked for only while a view wants them. */
export class LobbyFeed extends EventTarget {
  /** @param {import('./connection.js').Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    /** @type {import('./types.js').Lobby|null} */
    this.state = null;
    /** @type {Set<object>} */
    this.wanted = new Set();
    connection.addEventListener('open', () => {
      if (this.wanted.size) this.ask(true);
    });
    connection.addEventListener('message', (e) => {
      const message = /** @type {CustomEvent} */ (e).detail;
      if (message.t !== 'lobby') return;
      this.state = message;
      this.dispatchEvent(new Event('change'));
    });
  }

  /** @param {object} view @param {boolean} on */
  want(view, on) {
    const before = this.wanted.size;
    if (on) this.wanted.add(view);
    else this.wanted.delete(view);
    if (!before !== !this.wanted.size) this.ask(on);
  }

  /** @param {boolean} on */
  ask(on) {
    this.connection.request({ t: 'lobby', on }).catch(() => {}); // asked again when the line is back
  }
}

export class LobbyView {
  /** @param {import('./main.js').App} app */
  constructor(app) {
    this.app = app;
    this.title = '';
    this.game = String(lastChoices().lobbyGame ?? 'tictactoe');
    /** @type {import('./types.js').Rules[]} */
    this.games = [];
    this.mounted = true;
    this.shown = new Map();
    this.cards = el('div', { class: 'cards', role: 'radiogroup', 'aria-label': 'Game' });
    this.ways = el('div', { class: 'hero-ways' });
    this.about = el('p', { class: 'about muted' });
    this.mine = el('section', { class: 'panel mine-panel', hidden: true });
    this.challenges = el('section', { class: 'panel challenges', hidden: true });
    this.seeks = el('section', { class: 'panel' });
    this.running = el('section', { class: 'panel' });
    this.people = el('section', { class: 'panel' });
    this.node = el(
      'div',
      { class: 'lobby' },
      el(
        'section',
        { class: 'hero' },
        el('h1', { tabindex: -1 }, 'Noughts and crosses, and where they lead'),
        this.cards,
        this.about,
        this.ways,
      ),
      this.challenges,
      this.mine,
      el('div', { class: 'lists' }, this.seeks, this.running, this.people),
    );
    this.onLobby = () => this.update();
    app.lobby.addEventListener('change', this.onLobby);
    app.rooms.addEventListener('change', this.onLobby);
    app.connection.addEventListener('state', this.onLobby);
    app.lobby.want(this, true);
    this.update();
    void this.load();
  }

  unmount() {
    this.mounted = false;
    this.app.lobby.removeEventListener('change', this.onLobby);
    this.app.rooms.removeEventListener('change', this.onLobby);
    this.app.connection.removeEventListener('state', this.onLobby);
    this.app.lobby.want(this, false);
  }

  async load() {
    try {
      this.games = await this.app.catalog.games();
    } catch (error) {
      this.app.fail(error);
      fill(this.cards, button('Try again', () => void this.load()));
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
            onchange: () => this.choose(rules.id),
          }),
          picture(rules),
          el('span', null, shortName(rules)),
        ),
      ),
    );
    fill(
      this.ways,
      button('Play a bot now', () => void this.playBot(), { class: 'primary big' }),
      button('Play a friend', () => void this.app.create({ game: this.game, seat: 'random', opponent: { kind: 'invite' } }), {
        class: 'big',
      }),
      button('Play anybody', () => void this.app.create({ game: this.game, seat: 'random', opponent: { kind: 'open' } }), {
        class: 'big',
      }),
      el('a', { class: 'button big quiet', href: '/#create' }, 'More ways …'),
    );
    this.choose(this.game);
    this.shown.clear(); // the lists may name games by their rules now
    this.update();
  }

  /** @param {string} id */
  choose(id) {
    this.game = id;
    setLastChoices({ lobbyGame: id, game: id });
    const rules = this.games.find((each) => each.id === id);
    fill(this.about, rules ? [el('strong', null, rules.name), ' ', rules.sentences.join(' ')] : null);
  }

  async playBot() {
    try {
      const bot = firstBot(await this.app.catalog.bots(this.game));
      if (!bot) throw new Error('No bot plays this game yet.');
      const pace = lastChoices().human ? { pace: 'human' } : {};
      await this.app.create({ game: this.game, seat: 'x', opponent: { kind: 'bot', bot: bot.name }, ...pace });
    } catch (error) {
      this.app.fail(error);
    }
  }

  update() {
    const lobby = this.app.lobby.state;
    const me = this.app.connection.player?.id ?? null;
    this.section('challenges', this.challenges, lobby?.challenges ?? [], () => {
      const list = (lobby?.challenges ?? []).filter((challenge) => challenge.by.id !== me);
      this.challenges.hidden = !list.length;
      return [el('h2', null, 'You are challenged'), el('ul', null, list.map((challenge) => this.seekRow(challenge, 'Accept')))];
    });
    const mine = this.app.myRooms();
    this.section('mine', this.mine, mine, () => {
      this.mine.hidden = !mine.length;
      return [
        el('h2', null, 'Your games'),
        el('ul', null, mine.map((room) => el('li', null, el('span', { class: 'row-what' }, room.label), roomLink(room.id, 'Go on')))),
      ];
    });
    this.section('seeks', this.seeks, lobby && [lobby.seeks, me], () => {
      const seeks = lobby?.seeks ?? [];
      return [
        el('h2', null, 'Open games'),
        seeks.length
          ? el('ul', null, seeks.map((seek) => this.seekRow(seek, 'Play')))
          : el('p', { class: 'empty' }, lobby ? 'Nobody is waiting just now. Choose a game above and play a bot at once, or a friend by link.' : 'Looking …'),
      ];
    });
    this.section('running', this.running, lobby?.rooms ?? null, () => {
      const rooms = lobby?.rooms ?? [];
      return [
        el('h2', null, 'Running games'),
        rooms.length
          ? el('ul', null, rooms.map((room) => this.runningRow(room)))
          : el('p', { class: 'empty' }, 'No game to watch. ', el('a', { href: '/#create=bots' }, 'Let two bots play.')),
      ];
    });
    this.section('people', this.people, lobby && [lobby.people, lobby.players, me], () => {
      const people = (lobby?.people ?? []).filter((player) => player.id !== me);
      return [
        el('h2', null, 'Who is here'),
        people.length
          ? el('ul', null, people.map((player) => this.personRow(player)))
          : el('p', { class: 'empty' }, 'You are the first. Send a friend the link of a game.'),
      ];
    });
  }

  /** Builds a list anew only when it has changed, so that a button is not taken away under a finger.
   * @param {string} name @param {HTMLElement} section @param {any} data @param {() => any} build */
  section(name, section, data, build) {
    const key = JSON.stringify(data) ?? '';
    if (this.shown.get(name) === key) return;
    this.shown.set(name, key);
    const focused = section.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.key
      : null;
    fill(section, build());
    if (focused) /** @type {HTMLElement|null} */ (section.querySelector(`[data-key="${CSS.escape(focused)}"]`))?.focus();
  }

  /** @param {import('./types.js').Seek} seek @param {string} label */
  seekRow(seek, label) {
    const own = seek.by.id === this.app.connection.player?.id;
    const details = [clockWords(seek.clock), seek.rated ? 'rated' : null, own ? null : `you are ${seek.seat === 'x' ? 'O' : 'X'}`];
    return el(
      'li',
      null,
      el(
        'span',
        { class: 'row-what' },
        el('strong', null, this.app.catalog.name(seek.game)),
        el('small', null, own ? 'yours' : rated(seek.by), ' · ', details.filter(Boolean).join(' · ')),
      ),
      own
        ? roomLink(seek.room, 'Open')
        : button(label, () => void this.app.join({ room: seek.room }), { class: 'primary', 'data-key': seek.room }),
    );
  }

  /** @param {import('./types.js').Lobby['rooms'][number]} room */
  runningRow(room) {
    return el(
      'li',
      null,
      el(
        'span',
        { class: 'row-what' },
        el('strong', null, this.app.catalog.name(room.game)),
        el('small', null, rated(room.x), ' – ', rated(room.o), ` · ${plural('move', room.plies)}`),
      ),
      roomLink(room.room, 'Watch'),
    );
  }

  /** @param {import('./types.js').Player} player */
  personRow(player) {
    return el(
      'li',
      null,
      el('span', { class: 'row-what' }, el('span', null, playerLink(player)), player.kind === 'bot' && el('small', null, 'bot')),
      el('a', { class: 'button', href: `/#create=player:${player.id}`, 'data-key': player.id }, 'Challenge'),
    );
  }
}

/** A name and, where this kind of game has one, a rating. @param {import('./types.js').ListedPlayer} player */
function rated(player) {
  return [playerLink(player), player.rating && ` ${ratingWords(player.rating)}`];
}

/** @param {string} id @param {string} label */
function roomLink(id, label) {
  return el('a', { class: 'button', href: `/room/${encodeURIComponent(id)}`, 'data-key': id }, label);
}

/** A name that fits a card. @param {import('./types.js').Rules} rules */
function shortName(rules) {
  const [columns, rows, levels] = rules.dimensions;
  if (rules.nested) return rules.name.replace(/ tic-tac-toe/, '').replace('boards counted', 'counted');
  if (/^(tictactoe|gomoku|qubic)$/.test(rules.id)) return rules.name;
  return levels ? `${columns} × ${rows} × ${levels}` : rules.name.replace(' x ', ' × ').replace(/ in a row$/, '');
}
