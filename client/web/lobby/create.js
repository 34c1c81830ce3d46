// @ts-check
// The form for a new game: every game, every way to sit.

import { picture } from '../board/picture.js';
import { t } from '../i18n/language.js';
import { button, el, fill, setText } from '../ui/dom.js';
import { lastChoices, setLastChoices } from '../ui/settings.js';
import { BotPicker } from './botPicker.js';

/**
 * @typedef {{game: string, who: string, seat: 'x'|'o'|'random', bot: string, botX: string, botO: string,
 *            player: string, clock: 'none'|'game'|'move', minutes: number, increment: number, perMove: number,
 *            rated: boolean, limit: 'none'|'seconds'|'nodes'|'depth', limitValue: number, human: boolean}} Choices
 */

const WAYS = ['bot', 'invite', 'open', 'player', 'self', 'bots'];
const SEATS = ['x', 'o', 'random'];
const LIMITS = ['none', 'seconds', 'nodes', 'depth'];
const CLOCKS = ['none', 'game', 'move'];

/** What a bot may be told to spend at most on a move, as the server takes it. @type {Record<string, {min: number, max: number, step: string}>} */
const BOUNDS = {
  seconds: { min: 0.001, max: 86_400, step: 'any' },
  nodes: { min: 1, max: 1e12, step: '1' },
  depth: { min: 1, max: 1000, step: '1' },
};

/** @typedef {(work: () => Promise<unknown>) => Promise<void>} Only */

/** Does one thing at a time, and no more when it has led elsewhere: a second click would make a second room. @returns {Only} */
export function oneAtATime() {
  let busy = false;
  return async (work) => {
    if (busy) return;
    busy = true;
    const here = location.pathname;
    try {
      await work();
    } finally {
      busy = location.pathname !== here; // the next view may still be loading
    }
  };
}

/** Tells the field what the limit may be. @param {HTMLInputElement} input @param {string} limit */
export function boundLimit(input, limit) {
  const bounds = BOUNDS[limit];
  input.required = bounds !== undefined;
  if (bounds) Object.assign(input, { ...bounds, inputMode: bounds.step === '1' ? 'numeric' : 'decimal' });
}

/** Why no bot can be limited so, else ''. @param {string} limit @param {number} value */
export function limitWrong(limit, value) {
  const bounds = BOUNDS[limit];
  if (!bounds) return '';
  const { min, max, step } = bounds;
  if (value >= min && value <= max && (step === 'any' || Number.isInteger(value))) return '';
  return t(step === 'any' ? 'create.limit.wrong.seconds' : 'create.limit.wrong.whole', { min, max });
}

/** The `create` message for these choices, without its `t`. Pure. @param {Choices} c */
export function createMessage(c) {
  /** @type {import('../types/page.js').Asked} */
  const message = { game: c.game };
  if (c.who === 'bots') {
    message.seat = 'none';
    message.bots = { x: c.botX, o: c.botO };
  } else {
    if (c.who !== 'self') message.seat = c.seat;
    message.opponent = {
      kind: /** @type {import('../types/page.js').Opponent['kind']} */ (c.who),
      ...(c.who === 'bot' && { bot: c.bot }),
      ...(c.who === 'player' && { player: c.player }),
    };
  }
  if (c.clock === 'game') {
    message.clock = { initial_ms: Math.round(c.minutes * 60_000), increment_ms: Math.round(c.increment * 1000) };
  } else if (c.clock === 'move') message.clock = { move_ms: Math.round(c.perMove * 1000) };
  if (c.who === 'bot' || c.who === 'bots') {
    if (c.limit === 'seconds') message.limit = { move_ms: Math.round(c.limitValue * 1000) };
    else if (c.limit !== 'none') message.limit = { [c.limit]: Math.round(c.limitValue) };
    if (c.human) message.pace = 'human';
  }
  if (c.rated && mayBeRated(c)) message.rated = true;
  return message;
}

/** Rated games need two different players and a clock. @param {Choices} c */
function mayBeRated(c) {
  return c.clock !== 'none' && areTwo(c);
}

/** @param {Choices} c */
function areTwo(c) {
  return c.who !== 'self' && (c.who !== 'bots' || c.botX !== c.botO);
}

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
    this.choices = {
      game: 'tictactoe',
      who: 'bot',
      seat: 'x',
      bot: '',
      botX: '',
      botO: '',
      player: '',
      clock: 'none',
      minutes: 5,
      increment: 3,
      perMove: 30,
      rated: false,
      limit: 'none',
      limitValue: 1,
      human: false,
      ...lastChoices(),
      ...given,
    };
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

  /** @param {string} name @param {string} label @param {number|string} value @param {number} min @param {number} max @param {string} step */
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
