// @ts-check
// The form for a new game: every game, every way to sit.

import { picture } from '../board/picture.js';
import { t } from '../i18n/language.js';
import { button, el, fill, setText } from '../ui/dom.js';
import { lastChoices, setLastChoices } from '../ui/settings.js';
import { BotPicker } from './botPicker.js';
import {
  areTwo,
  boundLimit,
  createMessage,
  FIRST_CHOICES,
  limitWrong,
  mayBeRated,
  oneAtATime,
} from './createMessage.js';

/** @typedef {import('./createMessage.js').Choices} Choices */

const WAYS = ['bot', 'invite', 'open', 'player', 'self', 'bots'];
const SEATS = ['x', 'o', 'random'];
const LIMITS = ['none', 'seconds', 'nodes', 'depth'];
const CLOCKS = ['none', 'game', 'move'];

/** What the box says beside itself. @param {Choices} c */
function ratedWords(c) {
  if (!areTwo(c)) return t('create.rated.two');
  return t(c.clock === 'none' ? 'create.rated.clock' : 'create.rated.meaning');
}

export class CreateView {
  /** @param {import('../main.js').App} app @param {Partial<Choices>} given */
  constructor(app, given) {
    this.app = app;
    this.title = t('create.title');
    this.node = el('div', { class: 'create' }, el('h1', { tabindex: -1 }, this.title));
    /** @type {import('../types/page.js').Rules[]} */
    this.games = [];
    this.mounted = true;
    this.only = oneAtATime();
    this.asked = 0;
    this.rulesOf = '';
    /** What brings the bots of the chosen game. @type {Promise<void>|null} */
    this.offered = null;
    /** @type {Choices} */
    this.choices = { ...FIRST_CHOICES, game: 'tictactoe', seat: 'x', ...lastChoices(), ...given };
    // An address typed by hand may name no way at all.
    if (!WAYS.includes(this.choices.who)) this.choices.who = 'bot';
    this.onLobby = () => this.updatePeople();
    void this.load();
  }

  async load() {
    try {
      this.games = await this.app.catalog.games();
    } catch (error) {
      this.app.fail(error);
      this.node.append(button(t('page.again'), () => this.app.show(location.pathname + location.hash)));
      return;
    }
    if (!this.mounted) return;
    this.build();
    this.app.lobby.addEventListener('change', this.onLobby);
    this.app.lobby.want(this, true);
  }

  unmount() {
    this.mounted = false;
    this.app.lobby.removeEventListener('change', this.onLobby);
    this.app.lobby.want(this, false);
  }

  build() {
    const c = this.choices;
    /** @type {HTMLElement} */
    this.rulesBox = el('div', { class: 'rules-box', 'aria-live': 'polite' });
    this.ways = el('div', { class: 'ways' });
    for (const way of WAYS) {
      this.ways.append(
        el(
          'label',
          { class: 'way' },
          el('input', { type: 'radio', name: 'who', value: way, checked: c.who === way }),
          el(
            'span',
            null,
            el('strong', null, t(`create.way.${way}`)),
            el('small', null, t(`create.way.${way}.meaning`)),
          ),
        ),
      );
    }
    this.seatField = this.radios(
      t('create.side'),
      'seat',
      c.seat,
      SEATS.map((side) => [side, t(`create.side.${side}`)]),
    );
    /** @type {Record<'bot'|'botX'|'botO', BotPicker>} */
    this.pickers = {
      bot: new BotPicker(t('create.bot'), c.bot, 'bot'),
      botX: new BotPicker(t('create.bot.x'), c.botX, 'botX'),
      botO: new BotPicker(t('create.bot.o'), c.botO, 'botO'),
    };
    this.botField = this.pickers.bot.node;
    this.botsField = el('div', { class: 'columns' }, this.pickers.botX.node, this.pickers.botO.node);
    this.paceField = el(
      'label',
      { class: 'check' },
      el('input', { type: 'checkbox', name: 'human', checked: c.human }),
      el('span', null, t('create.pace')),
      el('small', null, t('create.pace.meaning')),
    );
    this.peopleSelect = el('select', { name: 'player' });
    this.peopleField = el('label', { class: 'field' }, el('span', null, t('create.who')), this.peopleSelect);
    /** @type {HTMLElement} */
    this.limitValue = this.number('limitValue', t('create.limit.value'), c.limitValue, 0.1, 1e9, 'any');
    this.limitField = el(
      'div',
      { class: 'field-row' },
      this.select(
        'limit',
        t('create.limit'),
        c.limit,
        LIMITS.map((limit) => [limit, t(`create.limit.${limit}`)]),
      ),
      this.limitValue,
    );
    this.gameClock = el(
      'div',
      { class: 'field-row' },
      this.number('minutes', t('create.minutes'), c.minutes, 0.1, 180, 'any'),
      this.number('increment', t('create.increment'), c.increment, 0, 180, 'any'),
    );
    this.moveClock = this.number('perMove', t('create.per-move'), c.perMove, 0.1, 86400, 'any');
    /** @type {HTMLElement} */
    this.ratedField = el(
      'label',
      { class: 'check' },
      el('input', { type: 'checkbox', name: 'rated', checked: c.rated }),
      el('span', null, t('create.rated')),
      el('small', { class: 'rated-why' }),
    );
    /** @type {HTMLButtonElement} */
    this.submit = el('button', { type: 'submit', class: 'primary big' }, t('create.go.bot'));
    this.form = el(
      'form',
      {
        novalidate: true,
        onsubmit: (/** @type {Event} */ e) => void this.submitted(e),
        oninput: () => this.changed(),
        onchange: () => this.changed(),
      },
      el('fieldset', null, el('legend', null, t('create.game')), this.gameFields(), this.rulesBox),
      el(
        'fieldset',
        null,
        el('legend', null, t('create.against')),
        this.ways,
        this.peopleField,
        this.botField,
        this.botsField,
        this.seatField,
        this.paceField,
        this.limitField,
      ),
      el(
        'fieldset',
        null,
        el('legend', null, t('create.clock')),
        this.radios(
          '',
          'clock',
          c.clock,
          CLOCKS.map((clock) => [clock, t(`create.clock.${clock}`)]),
        ),
        this.gameClock,
        this.moveClock,
        this.ratedField,
      ),
      el(
        'div',
        { class: 'submit-row' },
        this.submit,
        el('a', { href: '/', class: 'button quiet' }, t('room.to-lobby')),
      ),
    );
    this.node.append(this.form);
    this.updatePeople();
    this.changed();
  }

  gameFields() {
    const sizes = /^mnk:(\d+),(\d+),(\d+)$/.exec(this.choices.game);
    const listed = this.games.some((rules) => rules.id === this.choices.game);
    this.gameSelect = el(
      'select',
      { name: 'game' },
      this.games.map((rules) =>
        el('option', { value: rules.id, selected: rules.id === this.choices.game }, rules.name),
      ),
      el('option', { value: 'mnk', selected: !listed }, t('create.game.any')),
    );
    const size = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ value) =>
      this.number(name, label, value, 3, 19, '1');
    this.sizeFields = el(
      'div',
      { class: 'field-row' },
      size('m', t('create.columns'), sizes?.[1] ?? '6'),
      size('n', t('create.rows'), sizes?.[2] ?? '5'),
      size('k', t('create.in-a-row'), sizes?.[3] ?? '4'),
    );
    return el(
      'div',
      null,
      el('label', { class: 'field' }, el('span', null, t('create.game.which')), this.gameSelect),
      this.sizeFields,
    );
  }

  /**
   * @param {string} name @param {string} label @param {number|string} value @param {number} min @param {number} max
   * @param {string} step
   */
  number(name, label, value, min, max, step) {
    return el(
      'label',
      { class: 'field number' },
      el('span', null, label),
      el('input', { type: 'number', name, value, min, max, step, inputmode: step === '1' ? 'numeric' : 'decimal' }),
    );
  }

  /** @param {string} name @param {string} label @param {string} value @param {string[][]} options */
  select(name, label, value, options) {
    return el(
      'label',
      { class: 'field' },
      el('span', null, label),
      el(
        'select',
        { name },
        options.map(([v, text]) => el('option', { value: v, selected: v === value }, text)),
      ),
    );
  }

  /** @param {string} legend @param {string} name @param {string} value @param {string[][]} options */
  radios(legend, name, value, options) {
    return el(
      'div',
      { class: 'segments', role: 'group', 'aria-label': legend || t('create.clock') },
      legend && el('span', { class: 'segments-legend' }, legend),
      options.map(([v, text]) =>
        el(
          'label',
          { class: 'segment' },
          el('input', { type: 'radio', name, value: v, checked: v === value }),
          el('span', null, text),
        ),
      ),
    );
  }

  updatePeople() {
    if (!this.peopleSelect) return;
    const me = this.app.connection.player?.id;
    const people = (this.app.lobby.state?.people ?? []).filter((player) => player.id !== me);
    const key = people.map((player) => player.id + player.name).join(' ');
    if (this.peopleSelect.dataset.key === key && key) return;
    const chosen = this.peopleSelect.value || this.choices.player;
    this.peopleSelect.dataset.key = key;
    fill(
      this.peopleSelect,
      people.length === 0
        ? el('option', { value: '' }, t('create.who.nobody'))
        : people.map((player) => el('option', { value: player.id, selected: player.id === chosen }, player.name)),
    );
    this.changed();
  }

  /** Reads the form, shows what belongs to the choices and hides the rest. */
  changed() {
    if (!this.form) return;
    const data = new FormData(this.form);
    const text = (/** @type {string} */ name) => String(data.get(name) ?? '');
    const c = this.choices;
    const any = text('game') === 'mnk';
    c.game = any ? `mnk:${text('m')},${text('n')},${text('k')}` : text('game');
    c.who = text('who');
    c.seat = /** @type {Choices['seat']} */ (text('seat'));
    c.clock = /** @type {Choices['clock']} */ (text('clock'));
    c.player = text('player');
    c.limit = /** @type {Choices['limit']} */ (text('limit'));
    c.limitValue = Number(text('limitValue'));
    c.minutes = Number(text('minutes'));
    c.increment = Number(text('increment'));
    c.perMove = Number(text('perMove'));
    c.rated = data.has('rated');
    c.human = data.has('human');
    c.bot = this.pickers.bot.name;
    c.botX = this.pickers.botX.name;
    c.botO = this.pickers.botO.name;

    const shown = (/** @type {HTMLElement|undefined} */ node, /** @type {boolean} */ on) => {
      if (node) node.hidden = !on;
    };
    shown(this.sizeFields, any);
    shown(this.botField, c.who === 'bot');
    shown(this.botsField, c.who === 'bots');
    shown(this.peopleField, c.who === 'player');
    shown(this.seatField, c.who !== 'self' && c.who !== 'bots');
    shown(this.limitField, c.who === 'bot' || c.who === 'bots');
    shown(this.paceField, c.who === 'bot' || c.who === 'bots');
    shown(this.limitValue, c.limit !== 'none');
    boundLimit(this.limitInput(), c.limit);
    shown(this.gameClock, c.clock === 'game');
    shown(this.moveClock, c.clock === 'move');
    const rated = this.ratedField;
    const box = /** @type {HTMLInputElement} */ (rated.querySelector('input'));
    box.disabled = !mayBeRated(c);
    setText(/** @type {Element} */ (rated.querySelector('small')), ratedWords(c));
    this.submit.textContent = t(`create.go.${c.who}`);
    this.updateRules(c.game);
  }

  /** @param {string} id */
  updateRules(id) {
    if (id === this.rulesOf) return;
    this.rulesOf = id;
    this.offered = this.offer(id);
  }

  /** Shows the game and offers its bots. @param {string} id */
  async offer(id) {
    const asked = ++this.asked;
    try {
      const rules = await this.app.catalog.rules(id);
      const bots = await this.app.catalog.bots(rules.id);
      if (asked !== this.asked) return;
      for (const picker of Object.values(this.pickers)) picker.offer(bots);
      this.rulesBox.classList.remove('bad');
      fill(
        this.rulesBox,
        picture(rules),
        el('div', null, el('h2', null, rules.name), el('p', null, rules.sentences.join(' '))),
      );
      this.changed();
    } catch (error) {
      if (asked !== this.asked) return;
      this.rulesBox.classList.add('bad');
      fill(this.rulesBox, el('p', null, /** @type {Error} */ (error).message));
    }
  }

  limitInput() {
    return /** @type {HTMLInputElement} */ (this.limitValue.querySelector('input'));
  }

  /** @param {Event} event */
  async submitted(event) {
    event.preventDefault();
    await this.only(async () => {
      this.changed();
      await this.offered; // whoever is faster than the list of bots has chosen none yet
      if (this.mounted) await this.create();
    });
  }

  async create() {
    if (this.choices.who === 'player' && !this.choices.player) {
      this.app.fail(new Error(t('create.nobody')));
      return;
    }
    const wrong =
      this.choices.who === 'bot' || this.choices.who === 'bots'
        ? limitWrong(this.choices.limit, this.choices.limitValue)
        : '';
    if (wrong) {
      this.app.fail(new Error(wrong));
      this.limitInput().focus();
      return;
    }
    const { game, ...how } = this.choices; // the game is remembered once it is made: it may be impossible
    setLastChoices(how);
    await this.app.create(createMessage(this.choices));
  }
}
