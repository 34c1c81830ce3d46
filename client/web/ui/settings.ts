// What this browser remembers: the token, the marks, the last choices. Marks, preferences and last choices are signals:
// components that read them are redrawn when they change, in another tab too.

import { signal } from '@preact/signals';
import { t } from '../i18n/language.ts';
import type { Choices } from '../lobby/createMessage.ts';
import type { Marks } from '../types/page.d.ts';
import type { Preferences } from './preferences.ts';
import { checked } from './preferences.ts';
import { read, write } from './storage.ts';

export type Played = { level: number; result: 'won' | 'lost' | 'drawn' };

const changes = signal(0);

/** Another tab may have changed them. */
export function chosenAnew() {
  changes.value += 1;
}

/** A stored value that may change. */
function choice(key: string): unknown {
  void changes.value;
  return read(key);
}

function choose(key: string, value: unknown) {
  write(key, value);
  chosenAnew();
}

/** A stored object; empty if there is none. */
function kept(key: string): Record<string, unknown> {
  const value = choice(key);
  return value && typeof value === 'object' ? { ...value } : {};
}

/** Read at each greeting and never cached: another tab may have stored or removed it meanwhile. */
export function token(): string | null {
  const value = read('token');
  return typeof value === 'string' ? value : null;
}

export function setToken(value: string | null) {
  write('token', value);
}

export function guestName() {
  return t('profile.guest', { number: String(1000 + Math.floor(Math.random() * 9000)) });
}

export function marks(): Marks {
  const value = kept('marks');
  const x = checkedMark(value.x);
  const o = checkedMark(value.o);
  return x && o && x !== o ? { x, o } : { x: 'X', o: 'O' };
}

/** Stores both marks, or returns why they are invalid. */
export function setMarks(x: string, o: string): string | null {
  const checked = { x: checkedMark(x), o: checkedMark(o) };
  if (!checked.x || !checked.o) return t('profile.mark.wrong');
  if (checked.x === checked.o) return t('profile.mark.same');
  choose('marks', checked);
  return null;
}

function checkedMark(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const mark = text.trim().normalize('NFC');
  const count = characters(mark);
  return count >= 1 && count <= 2 && mark.length <= 40 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(mark) ? mark : null;
}

/** Characters as people count them: a flag or a family emoji is one. */
export function characters(text: string) {
  if (text.length < 2) return text.length; // most cells of a board; checked at every move
  if ('Segmenter' in Intl) return [...new Intl.Segmenter().segment(text)].length;
  return [...text].length;
}

/** The choices for the last game made here, which the form opens with. */
export function lastChoices(): Partial<Choices> {
  return kept('choices');
}

/** The last choices for playing on from a position. */
export function playOnChoices(): Record<string, unknown> {
  return kept('playon');
}

export function setPlayOnChoices(choices: object) {
  write('playon', choices);
}

export function setLastChoices(choices: Partial<Choices>) {
  choose('choices', { ...lastChoices(), ...choices });
}

/** How many games the player had when the lobby was last shown: it reserves their space while it loads. */
export function ownGames(): number {
  return Number(read('mine')) || 0;
}

export function setOwnGames(count: number) {
  write('mine', count || null);
}

/** The level last played in a game, and the result. */
export function levelPlayed(game: string): Played | null {
  const played = kept('levels')[game] as Partial<Played> | undefined;
  const { level = 0, result } = played ?? {};
  return level >= 1 && (result === 'won' || result === 'lost' || result === 'drawn') ? { level, result } : null;
}

export function setLevelPlayed(game: string, played: Played) {
  write('levels', { ...kept('levels'), [game]: played });
}

/** How boards are viewed: the `view` of cubes, how far they are `open`, whether `threats` are marked. */
export function looks(): Record<string, unknown> {
  return kept('looks');
}

export function setLooks(changes: Record<string, unknown>) {
  write('looks', { ...looks(), ...changes });
}

/** The player's preferences. Read each time: another tab may have changed them. */
export function preferences() {
  return checked(choice('preferences'));
}

export function setPreferences(chosen: Partial<Preferences>) {
  choose('preferences', { ...preferences(), ...chosen });
}

/** Whether the key ? opens the list of keys. */
export function keysByQuestionMark() {
  return read('keys') !== false;
}

export function setKeysByQuestionMark(on: boolean) {
  write('keys', on ? null : false);
}

/** Whether messages by others are hidden. */
export function chatMuted() {
  return read('muted') === true;
}

export function setChatMuted(muted: boolean) {
  write('muted', muted || null);
}
