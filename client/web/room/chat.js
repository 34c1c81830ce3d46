// @ts-check
// The conversation of a room.

import { t } from '../i18n/language.js';
import { el, fill, personName } from '../ui/dom.js';
import { chatMuted, setChatMuted } from '../ui/settings.js';

const MAX_LENGTH = 300;

export class Chat {
  /** @param {(text: string) => Promise<unknown>} say rejects where the line was not taken */
  constructor(say) {
    this.say = say;
    this.shown = '';
    /** Also those that are not shown. @type {import('../types/page.js').ChatLine[]} */
    this.all = [];
    /** @type {string|null} */
    this.me = null;
    // role=log announces what is added by itself: the page's own live region keeps out of it.
    this.lines = el('ol');
    this.log = el('div', { class: 'chat-lines', role: 'log', 'aria-label': t('chat.title'), tabindex: 0 }, this.lines);
    this.input = el('input', {
      type: 'text',
      maxlength: MAX_LENGTH,
      'aria-label': t('chat.say'),
      placeholder: t('chat.say'),
      autocomplete: 'off',
      enterkeyhint: 'send',
    });
    this.mute = el('input', { type: 'checkbox', checked: chatMuted(), onchange: () => this.muted() });
    this.form = el(
      'form',
      { class: 'chat-form', onsubmit: (/** @type {Event} */ e) => void this.submitted(e) },
      this.input,
      el('button', { type: 'submit' }, t('chat.send')),
      el('label', { class: 'check', title: t('chat.mute.meaning') }, this.mute, el('span', null, t('chat.mute'))),
    );
    this.node = el('div', { class: 'chat' }, this.log, this.form);
  }

  muted() {
    setChatMuted(this.mute.checked);
    fill(this.lines);
    this.update(this.all, this.me);
  }

  /** @param {import('../types/page.js').ChatLine[]} lines @param {string|null} me */
  update(lines, me) {
    this.all = lines;
    this.me = me;
    const muted = this.mute.checked;
    const told = lines.filter((line) => !muted || line.by.id === me);
    const key = JSON.stringify([muted, told.map((line) => [line.ts, line.by.id, line.text])]);
    if (key === this.shown) return;
    const items = told.map((line) => this.line(line, me));
    const grown = this.lines.querySelector('.author') && items.length === this.lines.children.length + 1;
    this.shown = key;
    if (grown) this.lines.append(items[items.length - 1]);
    else if (items.length) fill(this.lines, items);
    else fill(this.lines, el('li', { class: 'muted' }, t(muted ? 'chat.muted' : 'chat.none')));
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** @param {import('../types/page.js').ChatLine} line @param {string|null} me */
  line(line, me) {
    return el(
      'li',
      { class: line.by.id === me ? 'mine' : null },
      el('span', { class: 'author' }, personName(line.by.name)),
      ' ',
      el('bdi', { class: 'said' }, line.text),
    );
  }

  /** @param {Event} event */
  async submitted(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    this.input.value = '';
    try {
      await this.say(text);
    } catch {
      // The page has told why; what was written is not lost.
      if (!this.input.value) this.input.value = text;
    }
  }
}
