// The replay of a recorded game: the position shown, automatic playback, and the review. Components draw its signals.

import { batch, computed, signal } from '@preact/signals';
import type { Picture } from '../board/board.ts';
import { onlyMove, pictureOf, sideAt } from '../board/position.ts';
import { joined, t } from '../i18n/language.ts';
import { spokenMove } from '../i18n/moveWords.ts';
import type { App } from '../main.tsx';
import { getJson, searchesOf } from '../net/catalog.ts';
import type { GameAnswer, Rules } from '../types/page.d.ts';
import { timeWords } from '../ui/figures.ts';
import { marks, token } from '../ui/settings.ts';
import { progressWords, Review } from './review.ts';
import type { JudgedMove } from './reviewWords.ts';
import { sentence, summarySentence } from './reviewWords.ts';
import { recordSentence } from './words.ts';

const STEP_MS = 800;
const GROWS_MS = 3000;
const ADDRESS_MS = 150; // browsers limit how often the address may change
/** Games whose proofs give only upper bounds on the number of moves to the end. */
const BOUNDED = ['qubic', 'super'];

/** What an address asks for: a ply after the start, or a number of marks on the board; a review. */
export type Wanted = { ply: number | null; marks: number | null; review: boolean };

/** @param share the secret of the shared link, or null */
export function recordOf(id: string, share: string | null) {
  return getJson(`/api/games/${encodeURIComponent(id)}`, token(), { share });
}

export class Replay {
  app: App;
  id: string;
  rules: Rules;
  /** The secret of the shared link, or null. */
  share: string | null;
  review: Review;
  record;
  /** Moves on the board. */
  ply = signal(0);
  playing = signal(false);
  /** How many moves of the best line are shown in place of the last move. */
  beyond = signal(0);
  timers: { step?: number; grow?: number; address?: number } = {};
  closed = false;

  texts = computed(() => (this.record.value.moves ?? []).map((move) => move.move));
  times = computed(() => (this.record.value.moves ?? []).map((move) => timeWords(move.think_ms)));
  searches = computed(() => searchesOf(this.record.value));
  /** By ply. */
  judged = computed(() => this.judgedMoves());
  inOrder = computed(() => [...this.judged.value.values()].sort((a, b) => a.ply - b.ply));

  constructor(app: App, record: GameAnswer, rules: Rules, share: string | null) {
    this.app = app;
    this.id = String(record.id);
    this.rules = rules;
    this.share = share;
    this.record = signal(record);
    this.review = new Review(app.connection, this.id);
  }

  /** Shows what the address asks for; `close` ends it. */
  open(wanted: Wanted) {
    const last = this.texts.value.length;
    const ply = wanted.ply ?? (wanted.marks === null ? last : wanted.marks - this.start.length);
    this.ply.value = Math.min(Math.max(0, ply), last);
    if (wanted.marks !== null || wanted.review) this.address();
    if (this.over) void this.openReview(wanted.review);
    else this.grow();
  }

  close() {
    this.closed = true;
    this.pause();
    clearTimeout(this.timers.grow);
    clearTimeout(this.timers.address);
    this.review.close();
  }

  get start() {
    return this.record.value.start ?? [];
  }

  get over() {
    return !!this.record.value.termination;
  }

  get last() {
    return this.texts.value.length;
  }

  /** Whether the user played this game. */
  get mine() {
    const me = this.app.connection.player?.id;
    const { x, o } = this.record.value;
    return me !== undefined && (x.id === me || o.id === me);
  }

  /** Whether the user may request a review: others with a shared link see only what is stored. */
  get asks() {
    return this.share === null || this.mine;
  }

  /** The moves up to the position on the board, including the start. */
  get moves() {
    return [...this.start, ...this.texts.value.slice(0, this.ply.value)];
  }

  // Steps

  go(ply: number, byItself = false) {
    if (!byItself) this.pause();
    const to = Math.min(Math.max(0, ply), this.last);
    if (to === this.ply.value) return;
    batch(() => {
      this.ply.value = to;
      this.beyond.value = 0;
    });
    clearTimeout(this.timers.address);
    this.timers.address = window.setTimeout(() => this.address(), ADDRESS_MS);
    this.tellMove();
  }

  /** The address follows the position and keeps its secret. */
  address() {
    clearTimeout(this.timers.address);
    history.replaceState(null, '', this.path() + (this.share === null ? '' : `#share=${this.share}`));
  }

  path() {
    return `/game/${encodeURIComponent(this.id)}?ply=${this.ply.value}`;
  }

  toggle() {
    if (this.playing.value) return this.pause();
    if (this.ply.value === this.last) this.go(0);
    this.playing.value = true;
    this.timers.step = window.setInterval(() => {
      this.go(this.ply.value + 1, true);
      if (this.ply.value === this.last) this.pause();
    }, STEP_MS);
  }

  pause() {
    clearInterval(this.timers.step);
    this.playing.value = false;
  }

  /** Reloads a running game. */
  grow() {
    this.timers.grow = window.setTimeout(async () => {
      const record = await recordOf(this.id, this.share).catch(() => null);
      if (this.closed) return;
      if (record) this.take(record);
      if (!this.over) this.grow();
    }, GROWS_MS);
  }

  take(record: GameAnswer) {
    const before = this.last;
    const atEnd = this.ply.value === before;
    batch(() => {
      this.record.value = record;
      this.ply.value = atEnd ? this.last : Math.min(this.ply.value, this.last);
    });
    if (atEnd && before !== this.last) this.tellMove();
  }

  // The review

  /** Shows the stored review; requests the rest if `wanted`. */
  async openReview(wanted: boolean) {
    await this.review.load(token(), this.share);
    if (wanted && this.asks && this.last && !this.closed) this.startReview();
  }

  startReview() {
    if (this.review.phase.value === 'done' || this.review.busy) return;
    this.app.say(t('review.begins'));
    void this.review.start();
  }

  judgedMoves(): Map<number, JudgedMove> {
    const { rules, start } = this;
    const texts = this.texts.value;
    const told = [...this.review.moves.value].filter(([ply]) => ply < texts.length);
    const bounded = BOUNDED.includes(rules.id) || told.some(([, judged]) => judged.at_most);
    const judge = (ply: number, judged: JudgedMove['judged']): [number, JudgedMove] => {
      const before = [...start, ...texts.slice(0, ply)];
      const only = onlyMove(rules, before);
      return [ply, { ply, side: sideAt(before.length), move: texts[ply], judged, only, bounded }];
    };
    return new Map(told.map(([ply, judged]) => judge(ply, judged)));
  }

  /** The shown moves of the best line, from the position before the last move. */
  line() {
    const judged = this.judged.value.get(this.ply.value - 1)?.judged;
    return judged?.best.slice(0, this.beyond.value) ?? [];
  }

  // What is shown and announced

  /** The picture on the board: with moves of the best line in place of the last move while it is explored. */
  seen() {
    const line = this.line();
    return { ...this.picture(this.ply.value, line), imagined: line.length };
  }

  /** The position after `ply` moves, with `line` in place of the last one. */
  picture(ply: number, line: string[] = []): { picture: Picture; all: string[] } {
    const { rules, record } = this;
    const all = [...this.start, ...this.texts.value.slice(0, ply - (line.length ? 1 : 0)), ...line];
    const atEnd = !line.length && ply === this.last;
    const over = atEnd && this.over;
    const picture = {
      ...pictureOf(rules, all, marks()),
      mover: over ? null : sideAt(all.length),
      line: new Set(atEnd ? (record.value.line ?? []) : []),
      over,
      pointed: new Set(line),
    };
    return { picture, all };
  }

  place(ply = this.ply.value) {
    return ply ? t('record.after', { ply, count: this.last }) : t('record.before');
  }

  tellMove() {
    const ply = this.ply.value - 1;
    if (ply < 0) return this.app.say(t(this.start.length ? 'record.said.opening' : 'record.said.first'));
    const judged = this.judged.value.get(ply);
    const played = t('record.said', {
      ply: ply + 1,
      of: this.last,
      mark: marks()[sideAt(this.start.length + ply)],
      move: spokenMove(this.texts.value[ply]),
      time: this.times.value[ply],
    });
    const end = ply + 1 === this.last && this.over ? recordSentence(this.record.value, marks()) : '';
    this.app.say(joined([played, judged ? sentence(judged, marks()) : '', end]));
  }

  /** Announces only the beginning and the end of a review, and nothing for a stored one. */
  tellPhase(before: string) {
    const phase = this.review.phase.value;
    if (phase === before || before === 'idle') return;
    if (phase === 'done') this.app.say(t('review.ends', { summary: summarySentence(this.inOrder.value, marks()) }));
    if (phase === 'cancelled' || phase === 'refused') this.app.say(progressWords(this.review, this.last));
  }
}
