// What happens in a room, told once: to those who listen, by a sound, and where it ends what somebody meant to do.

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

/** Whoever reloads a page was not away. */
const AWAY_MS = 5000;

/** @returns what ends it */
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
  // A page that is loaded anew knows by this alone that its player was away, and from which room.
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

/** What being away may cost, to who comes back. */
function tellReturn({ hint, room: { state } }: Hand, away_ms: number) {
  const { absent_ms, you } = state;
  if (!absent_ms || !you || !isRunning(state)) return;
  hint.value = t('room.absent.back', { count: Math.ceil(away_ms / 1000), limit: absent_ms / 1000 });
}

function happened(hand: Hand, event: RoomEvent) {
  const { app, room } = hand;
  const { state } = room;
  if (event.e === 'said') {
    // The log of the chat announces what is added to it, where it is seen.
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
 * Whether to resign is asked until it is answered, whatever the opponent does meanwhile, but of the game that was.
 * On a phone the button for a rematch is so far below the board that its player would not see the game begin.
 */
function begin({ board, room, sure }: Hand) {
  sure.value = false;
  if (room.state.you && board.node.getBoundingClientRect().top < 0) window.scrollTo(0, 0);
}

/** Rings where somebody waits for it: at one's turn against another, and at the end. */
function sound({ room: { state } }: Hand, event: RoomEvent) {
  if (!state.you) return;
  if (event.e === 'ended') ring('end');
  else if (state.you !== 'both' && isMyTurn(state) && (event.e === 'moved' || event.e === 'started')) ring('turn');
}

/** That the opponent is away, and what it means, once each time they go. */
function tellAbsence(hand: Hand) {
  const { app, room } = hand;
  const side = room.state.you === 'x' ? 'o' : 'x';
  const claim = room.claimAt[side];
  if (claim === told.get(room)) return;
  told.set(room, claim);
  if (claim !== undefined) app.say(awayMeaning(room.state, side, claim - monotonicMs(), hand.marks));
}

/** From when on the win may be claimed, as far as it has been told. */
const told: WeakMap<object, number | undefined> = new WeakMap();
