// The line below the board, whose space is always reserved: the current question or explanation, one at a time.

import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pieces, t } from '../i18n/language.ts';
import { aboutMove, capital, spokenMove } from '../i18n/moveWords.ts';
import type { Change, LiveRoom } from '../net/rooms.ts';
import type { ChatLine } from '../types/page.d.ts';
import { Button, once } from '../ui/button.tsx';
import { listen, useEvery, useTick } from '../ui/listen.ts';
import { monotonicMs } from '../ui/monotonicMs.ts';
import { Name } from '../ui/names.tsx';
import { chatMuted } from '../ui/settings.ts';
import { useApp } from '../ui/view.tsx';
import { CLOCK_MS } from './bar.tsx';
import { useFocusKept } from './focus.ts';
import type { Hand } from './hand.ts';
import { other } from './state.ts';
import { awayMeaning, offerSentence, warmingWords } from './words.ts';

/** After this long, a move on its way is mentioned. */
const LONG_MS = 1000;
/** How long a chat line is shown here while the chat is hidden. */
const SAID_MS = 6000;
/** How often the progress of the bots' start is requested. */
const WARM_UP_MS = 1000;

/** @param chatSeen whether the chat itself is visible */
export function Under({ hand, chatSeen }: { hand: Hand; chatSeen: boolean }) {
  const place = useFocusKept(hand);
  const said = useSaid(hand, chatSeen);
  const { pending, state } = hand.room;
  const warming = useWarmUp(hand.room);
  useTick(pending || hand.claimAt() !== undefined ? CLOCK_MS : null);
  const shown =
    late(hand) ||
    offered(hand) || // before the selected cell, which a second touch plays too
    chosen(hand) ||
    away(hand) ||
    own(hand) ||
    planned(hand) ||
    (warming && <Ask soft>{warmingWords(warming)}</Ask>) ||
    (said && <Said line={said} />) ||
    (hand.hint.value && <Ask soft>{hand.hint.value}</Ask>) ||
    fault(state.game.fault);
  return (
    <div class="under" ref={place} onClickCapture={once}>
      {shown}
    </div>
  );
}

function Ask({ soft = false, children }: { soft?: boolean; children: ComponentChildren }) {
  return <p class={soft ? 'ask muted' : 'ask'}>{children}</p>;
}

function late({ room: { pending } }: Hand) {
  if (!pending || monotonicMs() - pending.since <= LONG_MS) return null;
  return <Ask soft>{t('room.sending', { move: spokenMove(pending.move) })}</Ask>;
}

function chosen(hand: Hand) {
  const cell = hand.chosen.value;
  if (!cell) return null;
  const button = (
    <Button class="primary" act={() => hand.playChosen()}>
      {t('room.play-cell', { move: cell })}
    </Button>
  );
  return <Ask>{pieces<ComponentChild>('room.chosen', { move: capital(spokenMove(cell)), button })}</Ask>;
}

/** The opponent's offer, or for spectators that of either side. */
function offered(hand: Hand) {
  const { state } = hand.room;
  const { you } = state;
  const offer = state.offers.find((each) => you !== 'both' && each.by !== you);
  if (!offer) return null;
  const { what } = offer;
  const sentence = offerSentence(state, offer, hand.marks);
  if (!you) return <Ask soft>{sentence}</Ask>;
  const accept = () => (what === 'rematch' ? hand.rematch() : hand.act(`accept_${what}`));
  return (
    <Ask>
      <span class="ask-what">{sentence}</span> <Button say={`room.accept.${what}`} class="primary" act={accept} />
      <Button say="room.decline" act={() => hand.act(`decline_${what}`)} />
    </Ask>
  );
}

/** The opponent is disconnected: what that means, and from when on. */
function away(hand: Hand) {
  const { state } = hand.room;
  const claim = hand.claimAt();
  if (claim === undefined || (state.you !== 'x' && state.you !== 'o')) return null;
  return <Ask soft>{awayMeaning(state, other(state.you), claim - monotonicMs(), hand.marks)}</Ask>;
}

/** Worded in the server's language. */
function fault(sentence: string | null | undefined) {
  return (
    sentence && (
      <Ask soft>
        <span lang="en">{sentence}</span>
      </Ask>
    )
  );
}

/** This player's own offer. */
function own(hand: Hand) {
  const { state } = hand.room;
  const offer = state.offers.find((each) => each.by === state.you);
  return offer && <Ask soft>{t('room.asked', { offer: offerSentence(state, offer, hand.marks) })}</Ask>;
}

function planned(hand: Hand) {
  const plan = hand.planned.value;
  if (!plan) return null;
  return (
    <Ask>
      <span class="ask-what">{aboutMove('plan.made', plan.move)}</span>{' '}
      <Button key="unplan" say="board.cancel" act={() => hand.unplan()} />
    </Ask>
  );
}

function Said({ line }: { line: ChatLine }) {
  return (
    <p class="ask said-line" aria-hidden="true">
      <span>
        <Name name={line.by.name} />: <bdi>{line.text}</bdi>
      </span>
    </p>
  );
}

/** A new chat line by somebody else, shown for a moment while the chat is hidden. */
function useSaid(hand: Hand, chatSeen: boolean) {
  const [said, setSaid] = useState<ChatLine | null>(null);
  const { connection } = useApp();
  useEffect(() => {
    let timer = 0;
    const changed = ({ detail: { event: what } }: CustomEvent<Change>) => {
      if (what?.e !== 'said' || what.by.id === connection.player?.id || chatMuted()) return;
      clearTimeout(timer);
      setSaid(what);
      timer = window.setTimeout(() => setSaid(null), SAID_MS);
    };
    const end = listen(hand.room, { change: changed });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [hand]);
  return chatSeen ? null : said;
}

/** The progress of the bots' start, if a move waits for it; else null. */
function useWarmUp({ state }: LiveRoom): { done: number; of: number } | null {
  const { catalog } = useApp();
  const [warming, setWarming] = useState<{ done: number; of: number } | null>(null);
  const side = state.game.to_move;
  const waits = !state.game.result && side !== null && !!state.seats[side]?.bot && !state.thinking && !catalog.warm;
  useEvery(waits ? WARM_UP_MS : null, async () => setWarming(await catalog.warmUp().catch(() => null)));
  return waits ? warming : null;
}
