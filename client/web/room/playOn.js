// @ts-check
// Playing on from a position of another game, against a bot or a friend: the dialog that asks how. The game that it
// makes is never rated.

import { sideAt } from '../board/position.js';
import { t } from '../i18n/language.js';
import { BotPicker } from '../lobby/botPicker.js';
import { boundLimit, createMessage, limitWrong } from '../lobby/createMessage.js';
import { button, el, setText } from '../ui/dom.js';
import { marks, playOnChoices, setPlayOnChoices } from '../ui/settings.js';

/** @typedef {import('../main.js').App} App */
/** @typedef {{game: string, start: string[]}} From a kind of game, and the moves that lead to the position */
/**
 * @typedef {{who: 'bot'|'invite', seat: 'x'|'o'|'random', bot: string, limit: 'none'|'seconds'|'nodes'|'depth', limitValue: number}} Choices
 */

/** What is not asked. */
const NOTHING_ELSE = {
  botX: '',
  botO: '',
  player: '',
  clock: /** @type {const} */ ('none'),
  minutes: 0,
  increment: 0,
  perMove: 0,
  rated: false,
  human: false,
};
const WAYS = /** @type {const} */ (['bot', 'invite']);
const SEATS = /** @type {const} */ (['x', 'o', 'random']);
const LIMITS = /** @type {const} */ (['none', 'seconds', 'nodes', 'depth']);

/** The `create` message, without its `t`. Pure. @param {From} from @param {Choices} choices */
export function playOnMessage(from, choices) {
  const asked = { ...NOTHING_ELSE, ...choices, game: from.game };
  return { ...createMessage(asked), start: from.start };
}

/**
 * What was chosen last, as far as it can be used.
 * @param {Record<string, unknown>} stored @param {'x'|'o'} toMove @returns {Choices}
 */
export function usable(stored, toMove) {
  /** @template {string} One @param {readonly One[]} known @param {unknown} value @param {One} fallback */
  const among = (known, value, fallback) => known.find((each) => each === value) ?? fallback;
  return {
    who: among(WAYS, stored.who, 'bot'),
    seat: among(SEATS, stored.seat, toMove),
    bot: typeof stored.bot === 'string' ? stored.bot : '',
    limit: among(LIMITS, stored.limit, 'none'),
    limitValue: Number(stored.limitValue) > 0 ? Number(stored.limitValue) : 1,
  };
}

/** @param {App} app @param {From} from */
export async function openPlayOn(app, from) {
  const mover = sideAt(from.start.length);
  const c = usable(playOnChoices(), mover);
  let bots;
  try {
    bots = await app.catalog.bots(from.game);
  } catch (error) {
    app.fail(error);
    return;
  }
  const mine = marks();
  const picker = new BotPicker(t('playon.bot'), c.bot, 'playon');
  picker.offer(bots);
  const limit = el(
    'select',
    { name: 'limit' },
    LIMITS.map((each) => el('option', { value: each, selected: each === c.limit }, t(`playon.limit.${each}`))),
  );
  const value = el('input', { type: 'number', name: 'limitValue', value: c.limitValue });
  const valueField = el('label', { class: 'field number' }, el('span', null, t('playon.limit.value')), value);
  const against = el(
    'div',
    { class: 'stack' },
    picker.node,
    el(
      'div',
      { class: 'field-row' },
      el('label', { class: 'field' }, el('span', null, t('playon.limit')), limit),
      valueField,
    ),
  );
  const complaint = el('p', { class: 'bad', role: 'alert' });
  const go = el('button', { type: 'submit', class: 'primary' });
  const form = el(
    'form',
    {
      novalidate: true,
      onsubmit: (/** @type {Event} */ e) => submitted(e),
      oninput: () => changed(),
      onchange: () => changed(),
    },
    el('h2', { id: 'playon-title', tabindex: -1, autofocus: true }, t('playon.title')),
    el(
      'p',
      { class: 'muted' },
      t(from.start.length ? 'playon.from' : 'playon.from.empty', { count: from.start.length, mark: mine[mover] }),
    ),
    segments(
      'seat',
      t('playon.seat'),
      c.seat,
      SEATS.map((side) => [side, side === 'random' ? t('playon.seat.random') : mine[/** @type {'x'|'o'} */ (side)]]),
    ),
    segments(
      'who',
      t('playon.who'),
      c.who,
      WAYS.map((way) => [way, t(`playon.who.${way}`)]),
    ),
    against,
    el('p', { class: 'muted' }, t('playon.unrated')),
    complaint,
    el(
      'div',
      { class: 'submit-row' },
      go,
      button(t('playon.cancel'), () => dialog.close()),
    ),
  );
  const dialog = el(
    'dialog',
    { class: 'play-on', 'aria-labelledby': 'playon-title', onclose: () => void dialog.remove() },
    form,
  );

  /** Reads the form and shows what belongs to the choices. */
  function changed() {
    const data = new FormData(form);
    c.who = /** @type {Choices['who']} */ (data.get('who'));
    c.seat = /** @type {Choices['seat']} */ (data.get('seat'));
    c.limit = /** @type {Choices['limit']} */ (limit.value);
    c.limitValue = Number(value.value);
    c.bot = picker.name;
    against.hidden = c.who !== 'bot';
    valueField.hidden = c.limit === 'none';
    boundLimit(value, c.limit);
    setText(complaint, '');
    go.textContent = t(`playon.go.${c.who}`);
  }

  /** @param {Event} event */
  function submitted(event) {
    event.preventDefault();
    changed();
    const wrong = c.who === 'bot' ? limitWrong(c.limit, c.limitValue) : '';
    if (wrong) {
      setText(complaint, wrong);
      value.focus();
      return;
    }
    setPlayOnChoices(c);
    dialog.close();
    void app.create(playOnMessage(from, c));
  }

  changed();
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} name @param {string} legend @param {string} value @param {string[][]} options */
function segments(name, legend, value, options) {
  return el(
    'div',
    { class: 'segments', role: 'radiogroup', 'aria-label': legend },
    el('span', { class: 'segments-legend', 'aria-hidden': 'true' }, legend),
    options.map(([each, text]) =>
      el(
        'label',
        { class: 'segment' },
        el('input', { type: 'radio', name, value: each, checked: each === value }),
        el('span', null, text),
      ),
    ),
  );
}
