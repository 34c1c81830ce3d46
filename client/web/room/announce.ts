// Reacts once to what happens in a room: announces it, plays a sound, and cancels what it makes impossible.

import { t } from '../i18n/language.ts';
import type { Change } from '../net/rooms.ts';
import type { RoomEvent } from '../types/page.d.ts';
import { listen } from '../ui/listen.ts';
import { monotonicMs } from '../ui/monotonicMs.ts';
import { chatMuted } from '../ui/settings.ts';
import { ring } from '../ui/sound.ts';
import { readHere, writeHere } from '../ui/storage.ts';
import type { Hand } from './hand.ts';
import { isMyTurn, isRunning } from './state.ts';
import { awayMeaning, eventSentence, moveSentence } from './words.ts';

/** Reloading a page takes less than this, and does not count as an absence. */
const AWAY_MS = 5000;

/** @returns a function that ends it */
export function announce(hand: Hand) {
  const { app, room } = hand;
  const change = ({ detail: change }: CustomEvent<Change>) => {
    if (change.kind === 'gone' && room.gone) return app.missing(null, t('room.closed'));
    if (change.kind === 'event') happened(hand, change.event);
    if (change.kind === 'snapshot') hand.settlePlan(true);
    else if (change.kind === 'event') hand.settlePlan(change.event.seq <= room.missed);
    else if (change.kind === 'note') tellAbsence(hand);
  };
  const open = () => {
    const { lostAt } = app.connection;
    if (lostAt !== null) tellReturn(hand, monotonicMs() - lostAt);
  };
  // After a reload only this shows that the player was away, and from which room.
  const visibilitychange = () => writeHere('hidden', document.hidden ? `${room.state.room} ${Date.now()}` : null);
  const [from, since] = (readHere('hidden') ?? '').split(' ');
  const away_ms = from === room.state.room ? Date.now() - Number(since) : 0;
  if (away_ms >= AWAY_MS) tellReturn(hand, away_ms);
  visibilitychange();
  const ends = [listen(room, { change }), listen(app.connection, { open }), listen(document, { visibilitychange })];
  return () => {
    for (const end of ends) end();
    writeHere('hidden', null);
  };
}

/** Tells a returning player what an absence may cost. */
function tellReturn({ hint, room: { state } }: Hand, away_ms: number) {
  const { absent_ms, you } = state;
  if (!absent_ms || !you || !isRunning(state)) return;
  hint.value = t('room.absent.back', { count: Math.ceil(away_ms / 1000), limit: absent_ms / 1000 });
}

function happened(hand: Hand, event: RoomEvent) {
  const { app, room } = hand;
  const { state } = room;
  if (event.e === 'said') {
    // Where the chat is visible, its log announces new lines by itself.
    if (
      event.by.id !== app.connection.player?.id &&
      !chatMuted() &&
      !document.querySelector('.chat')?.checkVisibility()
    )
      app.say(t('chat.line', { name: event.by.name, text: event.text }));
    return;
  }
  hand.hint.value = '';
  if (event.e === 'started') begin(hand);
  const sentence =
    event.e === 'moved'
      ? moveSentence(state, event.move, event.by, hand.marks)
      : eventSentence(state, event, hand.marks);
  if (sentence) app.say(sentence);
  if (event.e === 'declined' && state.you !== event.by) hand.hint.value = sentence;
  if (hand.likes.sound) sound(hand, event);
}

/**
 * The question whether to resign stays until it is answered, but not into the next game. On a phone the rematch button
 * is so far below the board that the player would not see the game begin.
 */
function begin({ board, room, sure }: Hand) {
  sure.value = false;
  if (room.state.you && board.node.getBoundingClientRect().top < 0) window.scrollTo(0, 0);
}

/** Plays a sound when the player may be waiting for it: at their turn against somebody else, and at the end. */
function sound({ room: { state } }: Hand, event: RoomEvent) {
  if (!state.you) return;
  if (event.e === 'ended') ring('end');
  else if (state.you !== 'both' && isMyTurn(state) && (event.e === 'moved' || event.e === 'started')) ring('turn');
}

/** Announces that the opponent is away, and what that means, once per absence. */
function tellAbsence(hand: Hand) {
  const { app, room } = hand;
  const side = room.state.you === 'x' ? 'o' : 'x';
  const claim = room.claimAt[side];
  if (claim === told.get(room)) return;
  told.set(room, claim);
  if (claim !== undefined) app.say(awayMeaning(room.state, side, claim - monotonicMs(), hand.marks));
}

/** The last announced time from which the win can be claimed. */
const told: WeakMap<object, number | undefined> = new WeakMap();
