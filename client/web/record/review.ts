// The review of one game: the stored moves, the request for the rest, and its progress.
//
//   idle --start--> asking --ack, first moves--> running --last moves--> done
//   asking, running --connection lost--> lost --reconnected--> asking
//   asking, running, lost --cancel--> cancelled; refused if the server says no. start() leads on from both.

import { batch, signal } from '@preact/signals';
import { t } from '../i18n/language.ts';
import { getJson } from '../net/catalog.ts';
import type { Connection } from '../net/connection.ts';
import { ConnectionLost } from '../net/connection.ts';
import type { JudgedMove, ServerMessage } from '../types/page.d.ts';
import { listen } from '../ui/listen.ts';

export type Judged = JudgedMove;
export type Phase = 'idle' | 'asking' | 'running' | 'lost' | 'done' | 'cancelled' | 'refused';

const SILENT_MS = 8_000; // then the page says why it may take long
const DEAD_MS = 45_000; // then it asks again: the server answers with everything so far, or says what is wrong

export class Review {
  phase = signal<Phase>('idle');
  /** By ply. */
  moves = signal<ReadonlyMap<number, Judged>>(new Map());
  /** Why the server refused. */
  sentence = signal('');
  /** Whether nothing has arrived for a while. */
  silent = signal(false);
  connection: Connection;
  game: number;
  of = 0;
  end: () => void;
  timer: number | undefined;

  /** @param game the database id */
  constructor(connection: Connection, game: string) {
    this.connection = connection;
    this.game = Number(game);
    this.end = listen(connection, {
      message: ({ detail }: CustomEvent<ServerMessage>) => this.receive(detail),
      state: () => {
        if (connection.state === 'waiting' && this.busy) this.enter('lost');
      },
      open: () => {
        if (this.phase.value === 'lost') void this.start();
      },
    });
  }

  /** Cancels the request when the user leaves the page. */
  close() {
    clearTimeout(this.timer);
    this.end();
    if (this.busy) this.forget();
  }

  get busy() {
    return this.phase.value === 'asking' || this.phase.value === 'running';
  }

  get done() {
    return this.moves.value.size;
  }

  /** Shows what is stored, without requesting work. If that fails, there is nothing to show. */
  async load(token: string | null, share: string | null) {
    const stored = await getJson(`/api/games/${this.game}/review`, token, { share }).catch(() => null);
    if (!stored || this.phase.value !== 'idle') return;
    this.take(stored);
    if (this.of && this.done >= this.of) this.enter('done');
  }

  async start() {
    if (this.busy || this.phase.value === 'done') return;
    this.enter('asking');
    try {
      await this.connection.request({ t: 'review', game: this.game });
      if (this.phase.value === 'asking') this.enter('running');
    } catch (error) {
      if (!this.busy) return; // cancelled meanwhile
      if (error instanceof ConnectionLost) this.enter('lost');
      else this.refuse(error as { code?: string; message: string });
    }
  }

  cancel() {
    if (this.busy) this.forget();
    this.enter('cancelled');
  }

  // Internals

  forget() {
    // losing the connection cancels it as well
    this.connection.request({ t: 'cancel_review', game: this.game }).catch(() => {});
  }

  refuse(error: { code?: string; message: string }) {
    const old = error.code === 'unknown_type' || error.code === 'malformed';
    batch(() => {
      this.sentence.value = old ? t('review.old') : error.message;
      this.enter('refused');
    });
  }

  receive(message: ServerMessage) {
    if (!('game' in message) || message.game !== this.game) return;
    // An error without an id: the work broke off.
    if (message.t === 'error' && message.id === undefined && this.busy) this.refuse(message);
    if (message.t !== 'review') return;
    batch(() => {
      this.take(message);
      if (message.done >= message.of) this.enter('done');
      else if (this.busy) this.enter('running');
    });
  }

  take(told: { of?: number; moves?: Judged[] }) {
    this.of = told.of ?? this.of;
    if (told.moves?.length) this.moves.value = new Map([...this.moves.value, ...told.moves.map(byPly)]);
  }

  enter(phase: Phase) {
    this.phase.value = phase;
    this.silent.value = false;
    clearTimeout(this.timer);
    if (this.busy) this.timer = window.setTimeout(() => this.wait(), SILENT_MS);
  }

  wait() {
    this.silent.value = true;
    this.timer = window.setTimeout(() => {
      this.phase.value = 'lost'; // so that the review is requested again
      void this.start();
    }, DEAD_MS);
  }
}

function byPly(judged: Judged): [number, Judged] {
  return [judged.ply, judged];
}

/** The progress in words. @param of moves in the game */
export function progressWords(review: Review, of: number) {
  const { done } = review;
  const phase = review.phase.value;
  if (phase === 'refused') return review.sentence.value;
  const started = phase === 'asking' && done ? 'running' : phase;
  const more = (phase === 'idle' && done && '.some') || (phase === 'running' && review.silent.value && '.silent') || '';
  return t(`review.${started}${more}`, { done, count: of });
}
