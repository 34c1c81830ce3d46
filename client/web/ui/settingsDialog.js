// @ts-check
// The dialog for how one likes to play. Each choice holds at once.

import { chooseLanguage, chosenLanguage, LANGUAGES, spoken } from '../i18n/language.js';
import { openProfile } from '../identity/profile.js';
import { button, el } from './dom.js';
import { COLOURS, show } from './preferences.js';
import { marks, preferences, setPreferences } from './settings.js';
import * as words from './settingsWords.js';

/** @param {import('../main.js').App} app */
export function openSettings(app) {
  const now = preferences();
  const names = marks();

  /** @param {Partial<import('./preferences.js').Preferences>} changes */
  const choose = (changes) => {
    setPreferences(changes);
    show(document.documentElement, preferences());
    app.dispatchEvent(new Event('preferences'));
  };

  /** @param {string} name @param {boolean} on @param {(on: boolean) => void} act */
  const toggle = (name, on, act) => {
    const [label, meaning] = words.switchWords(name);
    const input = el('input', {
      type: 'checkbox',
      checked: on,
      'aria-describedby': `setting-${name}`,
      onchange: () => void act(input.checked),
    });
    return el(
      'div',
      { class: 'setting' },
      el('label', { class: 'check' }, input, label),
      el('small', { class: 'muted', id: `setting-${name}` }, meaning),
    );
  };

  const pair = (/** @type {string} */ name) =>
    el(
      'label',
      { class: 'way', 'data-colours': name },
      el('input', {
        type: 'radio',
        name: 'colours',
        value: name,
        checked: now.colours === name,
        onchange: () => choose({ colours: name }),
      }),
      el(
        'b',
        { class: 'pair', 'aria-hidden': 'true' },
        el('i', { class: 'mark-x' }, names.x),
        ' ',
        el('i', { class: 'mark-o' }, names.o),
      ),
      words.pairWords(name),
    );

  const toMarks = () => {
    dialog.close();
    openProfile(app);
  };
  const dialog = el(
    'dialog',
    { class: 'settings', 'aria-labelledby': 'settings-title', onclose: () => void dialog.remove() },
    el(
      'form',
      { method: 'dialog' },
      el('h2', { id: 'settings-title', tabindex: -1, autofocus: true }, words.TITLE),
      el('p', { class: 'muted' }, words.INTRO),
      el(
        'fieldset',
        null,
        el('legend', null, words.PLAY),
        toggle('confirm', now.confirm, (confirm) => choose({ confirm })),
        toggle('premove', now.premove, (premove) => choose({ premove })),
        toggle('sound', now.sound, (sound) => choose({ sound })),
        toggle('thoughts', now.thoughts, (thoughts) => choose({ thoughts })),
      ),
      el(
        'fieldset',
        null,
        el('legend', null, words.LOOK),
        toggle('coordinates', now.coordinates, (coordinates) => choose({ coordinates })),
        toggle('animation', now.animation === 'off', (off) => choose({ animation: off ? 'off' : 'system' })),
      ),
      el('fieldset', null, el('legend', null, words.COLOURS), COLOURS.map(pair)),
      languageChoice(app),
      el(
        'div',
        { class: 'submit-row' },
        el('button', { type: 'submit', class: 'primary' }, words.DONE),
        button(words.MARKS, toMarks, { class: 'quiet' }),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** The page is loaded again with the chosen language. @param {import('../main.js').App} app */
function languageChoice(app) {
  const now = chosenLanguage() ?? '';
  const names = words.languageNames(spoken(null, navigator.languages, LANGUAGES));
  const choose = (/** @type {Event} */ event) => {
    const code = /** @type {HTMLSelectElement} */ (event.target).value;
    if (chooseLanguage(code || null)) location.reload();
    else app.fail(words.LANGUAGE_DENIED);
  };
  return el(
    'label',
    { class: 'field' },
    el('span', null, words.LANGUAGE),
    el(
      'select',
      { onchange: choose },
      names.map(([code, name]) => el('option', { value: code, lang: code || null, selected: code === now }, name)),
    ),
  );
}
