// @ts-check
// Links to be passed on: to copy, to share.

import { t } from '../i18n/language.js';
import { button, el } from './dom.js';

/** @param {import('../main.js').App} app @param {string} link @param {string} label @param {{share?: boolean}} [how] */
export function copyField(app, link, label, how) {
  const input = el('input', {
    type: 'text',
    readonly: true,
    value: link,
    'aria-label': label,
    onfocus: () => void input.select(),
  });
  const copy = button(
    t('link.copy'),
    async () => {
      try {
        await navigator.clipboard.writeText(link);
        copy.textContent = t('link.copied');
        app.say(t('link.said'));
      } catch {
        input.focus(); // selected at least: without https a page may not write to the clipboard
        input.select();
      }
    },
    { class: 'primary' },
  );
  const share =
    how?.share !== false &&
    'share' in navigator &&
    button(t('link.share'), () => void navigator.share({ url: link }).catch(() => {}));
  return el('div', { class: 'copy' }, input, copy, share);
}
