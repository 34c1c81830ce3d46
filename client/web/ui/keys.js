// @ts-check
// The list of keys: a dialog that `?` and a button at the foot of each page open. It tells the keys of what the page
// shows just now.

import { t } from '../i18n/language.js';
import { button, el } from './dom.js';
import { keysByQuestionMark, setKeysByQuestionMark } from './settings.js';

/** The parts of pages that have keys, where they are told (only where the part is on the page), and their rows: the
 * texts are `keys.PART`, `keys.PART.ROW` and, for the keys themselves, `keys.PART.ROW.keys`. @type {[string, string, string[]][]} */
const PARTS = [
  ['board', '.board', ['arrows', 'row', 'corners', 'play', 'type']],
  ['cube', '.board-cube', ['level']],
  ['space', '.cube:not([hidden])', ['turn', 'apart', 'reset']],
  ['nested', '.board-nested', ['board']],
  ['replay', '.replay', ['step', 'ends', 'run']],
  ['explorer', '.explorer', ['back', 'first']],
  ['everywhere', 'body', ['next', 'press', 'escape', 'list']],
];

export function openKeys() {
  const parts = PARTS.filter(([, selector]) => document.querySelector(selector));
  const always = el('input', {
    type: 'checkbox',
    checked: keysByQuestionMark(),
    onchange: () => void setKeysByQuestionMark(always.checked),
  });
  const dialog = el(
    'dialog',
    { class: 'key-dialog', 'aria-labelledby': 'keys-title', onclose: () => void dialog.remove() },
    el(
      'form',
      { method: 'dialog' },
      el('h2', { id: 'keys-title', tabindex: -1, autofocus: true }, t('keys.title')),
      parts.map(([part, , rows]) => [
        el('h3', null, t(`keys.${part}`)),
        el(
          'dl',
          { class: 'key-list' },
          rows.map((row) => keyRow(t(`keys.${part}.${row}.keys`), t(`keys.${part}.${row}`))),
        ),
      ]),
      // Whoever speaks to the computer may press keys without meaning to.
      el('label', { class: 'check' }, always, el('span', null, t('keys.by-question-mark'))),
      el('div', { class: 'submit-row' }, el('button', { type: 'submit', class: 'primary' }, t('keys.close'))),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** "Home, End" are two keys. @param {string} key @param {string} what */
function keyRow(key, what) {
  return el(
    'div',
    null,
    el(
      'dt',
      null,
      key.split(', ').map((each, i) => [i > 0 && ' ', el('kbd', null, each)]),
    ),
    el('dd', null, what),
  );
}

/** The button that stands at the foot of each page. */
export function keysButton() {
  return button(t('keys.title'), openKeys, { class: 'quiet', 'aria-keyshortcuts': '?' });
}

export function listenForKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.key !== '?' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const writes = target.closest(
      'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])',
    );
    if (writes || document.querySelector('dialog[open]') || !keysByQuestionMark()) return;
    event.preventDefault();
    openKeys();
  });
}
