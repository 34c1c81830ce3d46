// @ts-check
// The dialog for one's name and marks.

import { t } from '../i18n/language.js';
import { AnotherPlayer, ServerError } from '../net/connection.js';
import { loaded } from '../net/errors.js';
import { button, el, fill, setAttribute, setText } from '../ui/dom.js';
import { characters, marks, setMarks } from '../ui/settings.js';

const MAX_NAME = 20;

/** @param {import('../main.js').App} app */
export function openProfile(app) {
  const current = marks();
  const me = app.connection.player?.id;
  const name = el('input', {
    type: 'text',
    value: app.connection.player?.name ?? '',
    maxlength: 40,
    autocomplete: 'nickname',
    'aria-describedby': 'profile-name-complaint',
  });
  const x = el('input', { type: 'text', value: current.x, class: 'mark-input mark-x', autocomplete: 'off' });
  const o = el('input', { type: 'text', value: current.o, class: 'mark-input mark-o', autocomplete: 'off' });
  const nameComplaint = el('p', { class: 'bad', role: 'alert', id: 'profile-name-complaint' });
  const complaint = el('p', { class: 'bad', role: 'alert' });
  const save = el('button', { type: 'submit', class: 'primary' }, t('profile.save'));
  const more = el('div', { class: 'identity' });
  const resetMarks = () => {
    x.value = 'X';
    o.value = 'O';
  };
  const dialog = el(
    'dialog',
    { 'aria-labelledby': 'profile-title', onclose: () => void dialog.remove() },
    el(
      'form',
      { novalidate: true, onsubmit: (/** @type {Event} */ e) => void submitted(e) },
      el('h2', { id: 'profile-title' }, t('profile.title')),
      el('label', { class: 'field' }, el('span', null, t('profile.name')), name),
      nameComplaint,
      el('p', { class: 'muted' }, t('profile.marks')),
      el(
        'div',
        { class: 'field-row' },
        el('label', { class: 'field' }, el('span', null, t('profile.for-x')), x),
        el('label', { class: 'field' }, el('span', null, t('profile.for-o')), o),
      ),
      complaint,
      el(
        'div',
        { class: 'submit-row' },
        save,
        button(t('profile.cancel'), () => dialog.close()),
        me &&
          el(
            'a',
            { class: 'button quiet', href: `/player/${encodeURIComponent(me)}`, onclick: () => void dialog.close() },
            t('profile.page'),
          ),
        button(t('profile.reset'), resetMarks, { class: 'quiet' }),
      ),
    ),
    more,
  );
  // Seldom needed: loaded when somebody looks.
  void loaded(import('./dialogs.js'))
    .then(({ identityPart }) =>
      fill(
        more,
        identityPart(app, () => dialog.close()),
      ),
    )
    .catch((error) => fill(more, el('p', { class: 'bad', role: 'alert' }, error.message)));

  /** @param {string} sentence */
  function nameIs(sentence) {
    setText(nameComplaint, sentence);
    setAttribute(name, 'aria-invalid', sentence ? 'true' : null);
    if (sentence) name.focus();
  }

  /** @param {Event} event */
  async function submitted(event) {
    event.preventDefault();
    if (save.disabled) return;
    nameIs('');
    setText(complaint, '');
    const wanted = name.value.trim().normalize('NFC');
    if (!wanted || characters(wanted) > MAX_NAME) return nameIs(t('profile.name.wrong', { most: MAX_NAME }));
    const wrong = setMarks(x.value, o.value);
    if (wrong) return setText(complaint, wrong);
    app.dispatchEvent(new Event('marks'));
    if (me !== undefined && me !== app.connection.player?.id) {
      dialog.close();
      return app.fail(new AnotherPlayer());
    }
    if (wanted !== app.connection.player?.name && !(await renamed(wanted))) return;
    dialog.close();
  }

  /** Whether the server took the name: what was typed stays until then. @param {string} wanted */
  async function renamed(wanted) {
    save.disabled = true;
    try {
      await app.connection.rename(wanted);
    } catch (error) {
      if (dialog.open) nameIs(/** @type {Error} */ (error).message);
      else app.fail(error);
      return false;
    } finally {
      save.disabled = false;
    }
    if (app.noticed instanceof ServerError && app.noticed.code === 'bad_name') app.clearNotice();
    return true;
  }

  document.body.append(dialog);
  dialog.showModal();
  name.select();
}
