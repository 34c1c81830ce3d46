// A field for typing a move. On the board, typing a letter or digit starts it.

import { t } from '../i18n/language.ts';
import { el, setAttribute, setText } from './dom.ts';
import type { Geometry } from './geometry.ts';
import { exampleMove, parseMove } from './parseMove.ts';

const STARTS_MOVE = /^[a-t1-9]$/i;
let made = 0;

export class MoveInput {
  geometry: Geometry;
  play: (cell: string) => string | null;
  /** The cells that can be played now. */
  open: ReadonlySet<string> = new Set();
  complaint: HTMLParagraphElement;
  field: HTMLInputElement;
  node: HTMLFormElement;

  /** @param play plays or plans the move, or returns why it cannot; empty if there is nothing to say */
  constructor(geometry: Geometry, play: (cell: string) => string | null) {
    this.geometry = geometry;
    this.play = play;
    const id = `typed-${made++}`;
    this.complaint = el('p', { class: 'bad', id, role: 'alert' });
    this.field = el('input', {
      type: 'text',
      'aria-label': t('typed.label'),
      'aria-describedby': id,
      size: 6,
      maxlength: 40,
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      enterkeyhint: 'go',
      oninput: () => this.complain(''),
    });
    this.node = el(
      'form',
      { class: 'typed', novalidate: true, onsubmit: (e: Event) => this.submitted(e) },
      el('span', { 'aria-hidden': 'true' }, t('typed.label')),
      this.field,
      el('button', { type: 'submit' }, t('typed.play')),
      this.complaint,
    );
  }

  update(open: ReadonlySet<string>) {
    this.open = open;
    setAttribute(this.field, 'placeholder', this.example);
  }

  get example() {
    return exampleMove(this.geometry, this.open);
  }

  /** Takes a key pressed on the board if a move can begin with it. */
  takeKey(event: KeyboardEvent) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || this.node.hidden) return;
    if (!STARTS_MOVE.test(event.key) || (event.target as Element).closest('input')) return;
    this.field.value = '';
    this.complain('');
    this.field.focus(); // focused before the key becomes text, so it lands in the field
  }

  submitted(event: Event) {
    event.preventDefault();
    const text = this.field.value;
    const read = parseMove(text, this.geometry);
    if ('wrong' in read) return this.complain(read.wrong === 'form' ? this.nonsense(text) : this.elsewhere(text));
    const refused = this.play(read.cell);
    if (refused === null) this.field.value = '';
    this.complain(refused === null ? '' : refused || t('typed.refused'));
  }

  nonsense(text: string) {
    const shown = [...text.trim()].slice(0, 12).join('');
    return t(shown ? 'typed.nonsense' : 'typed.empty', { text: shown, example: this.example });
  }

  elsewhere(text: string) {
    const cells = [...this.geometry.cells.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    return t('typed.elsewhere', { text: text.trim(), first: cells[0], last: cells.at(-1) });
  }

  complain(sentence: string) {
    setText(this.complaint, sentence);
    setAttribute(this.field, 'aria-invalid', sentence ? 'true' : null);
    if (sentence) this.field.select();
  }
}
