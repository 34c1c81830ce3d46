// @ts-check
// The conversation of a room.

import { el, fill, personName } from './dom.js';

const MAX_LENGTH = 300;

export class Chat {
  /** @param {(text: string) => Promise<any>} say rejects where the line was not taken */
  constructor(say) {
    this.say = say;
    this.shown = '';
    // role=log announces what is added by itself: the page's own live region keeps out of it.
    this.lines = el('ol', { class: 'chat-lines', role: 'log', 'aria-label': 'Chat', tabindex: 0 });
    this.input = el('input', {
      type: 'text',
      maxlength: MAX_LENGTH,
      'aria-label': 'Say something',
      placeholder: 'Say something',
      autocomplete: 'off',
      enterkeyhint: 'send',
    });
    this.form = el(
      'form',
      { class: 'chat-form', onsubmit: (/** @type {Event} */ e) => void this.submitted(e) },
      this.input,
      el('button', { type: 'submit' }, 'Send'),
    );
    this.node = el('div', { class: 'chat' }, this.lines, this.form);
  }

  /** @param {import('./types.js').ChatLine[]} lines @param {string|null} me */
  update(lines, me) {
    const key = JSON.stringify(lines.map((line) => [line.ts, line.by.id, line.text]));
    if (key === this.shown) return;
    const items = lines.map((line) => this.line(line, me));
    const grown = this.shown && lines.length === this.lines.children.length + 1;
    this.shown = key;
    if (grown) this.lines.append(items[items.length - 1]);
    else if (items.length) fill(this.lines, items);
    else fill(this.lines, el('li', { class: 'muted' }, 'Nobody has said anything yet.'));
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** @param {import('./types.js').ChatLine} line @param {string|null} me */
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

