// @ts-check
// The dialog for one's name and marks.

import { button, el, setText } from './dom.js';
import { characters, marks, setMarks } from './settings.js';

const MAX_NAME = 20;

/** @param {import('./main.js').App} app */
export function openProfile(app) {
  const current = marks();
  const me = app.connection.player?.id;
  const name = el('input', { type: 'text', value: app.connection.player?.name ?? '', maxlength: 40, autocomplete: 'nickname' });
  const x = el('input', { type: 'text', value: current.x, class: 'mark-input mark-x', autocomplete: 'off' });
  const o = el('input', { type: 'text', value: current.o, class: 'mark-input mark-o', autocomplete: 'off' });
  const complaint = el('p', { class: 'bad', role: 'alert' });
  const dialog = el(
    'dialog',
    { 'aria-labelledby': 'profile-title', onclose: () => dialog.remove() },
    el(
      'form',
      { novalidate: true, onsubmit: (/** @type {Event} */ e) => void submitted(e) },
      el('h2', { id: 'profile-title' }, 'You'),
      el('label', { class: 'field' }, el('span', null, 'Your name'), name),
      el('p', { class: 'muted' }, 'Your marks: one or two characters each, shown on this device only.'),
      el(
        'div',
        { class: 'field-row' },
        el('label', { class: 'field' }, el('span', null, 'For X'), x),
        el('label', { class: 'field' }, el('span', null, 'For O'), o),
      ),
      complaint,
      el(
        'div',
        { class: 'submit-row' },
        el('button', { type: 'submit', class: 'primary' }, 'Save'),
        button('Cancel', () => dialog.close()),
        me && el('a', { class: 'button quiet', href: `/player/${encodeURIComponent(me)}`, onclick: () => dialog.close() }, 'Your page'),
        button('X and O', () => ((x.value = 'X'), (o.value = 'O')), { class: 'quiet' }),
      ),
    ),
  );

  /** @param {Event} event */
  async function submitted(event) {
    event.preventDefault();
    const wanted = name.value.trim().normalize('NFC');
    if (!wanted || characters(wanted) > MAX_NAME) {
      setText(complaint, `A name has 1 to ${MAX_NAME} characters.`);
      name.focus();
      return;
    }
    const wrong = setMarks(x.value, o.value);
    if (wrong) {
      setText(complaint, wrong);
      return;
    }
    app.dispatchEvent(new Event('marks'));
    dialog.close();
    if (wanted !== app.connection.player?.name) await app.attempt(app.connection.rename(wanted)).catch(() => {});
  }

  document.body.append(dialog);
  dialog.showModal();
  name.select();
}
