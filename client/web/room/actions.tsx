// The actions in a room, as buttons and links.

import type { ComponentChild } from 'preact';
import { t } from '../i18n/language.ts';
import { roomPath } from '../net/address.ts';
import { Button, once } from '../ui/button.tsx';
import { useTick } from '../ui/listen.ts';
import { monotonicMs } from '../ui/monotonicMs.ts';
import { useApp } from '../ui/view.tsx';
import { CLOCK_MS } from './bar.tsx';
import { useFocusKept } from './focus.ts';
import type { Hand } from './hand.ts';
import { PlayOn } from './playOnButton.tsx';
import { sameSettings } from './sameSettings.ts';
import { botCount, hasTakebacks, isRunning } from './state.ts';

export function Actions({ hand }: { hand: Hand }) {
  const part = useFocusKept(hand);
  const { state } = hand.room;
  const claim = hand.claimAt();
  useTick(claim === undefined ? null : CLOCK_MS);
  const parts =
    isRunning(state) && state.you ? running(hand, claim !== undefined && claim <= monotonicMs()) : still(hand);
  return (
    <section class="actions" aria-label={t('room.actions')} ref={part} onClickCapture={once}>
      {parts}
    </section>
  );
}

/** @param able whether it is possible now: a disabled button keeps its place, so that nothing moves under a finger */
function action(label: string, act: () => void, { name = '', able = true } = {}) {
  return (
    <Button key={label} class={name} aria-disabled={!able} act={() => able && act()}>
      {label}
    </Button>
  );
}

function link(label: string, href: string, quiet = false) {
  return (
    <a key={label} class={quiet ? 'button quiet' : 'button'} href={href}>
      {label}
    </a>
  );
}

/** What a player can do while the game runs. */
function running(hand: Hand, mayClaim: boolean): ComponentChild {
  const { state } = hand.room;
  const { game, you, offers } = state;
  if (hand.sure.value) {
    return [
      <span key="sure" class="sure">
        {t('room.give-up')}
      </span>,
      // First, for the keyboard and for an accidental second click: neither of these resigns.
      action(t('room.resign.no'), () => (hand.sure.value = false)),
      action(t('room.resign.yes'), () => hand.act('resign'), { name: 'danger' }),
    ];
  }
  const early = game.moves.length < 2;
  const asked = (what: string) => offers.some((offer) => offer.what === what && offer.by === you);
  // If the start ends with a move by X, O begins.
  const second = game.start.length % 2 ? 'x' : 'o';
  const mayTakeBack = game.moves.length > (you === second ? 1 : 0) && !asked('takeback');
  const draw = t(you === 'both' ? 'room.draw.agree' : 'room.draw.offer');
  return [
    hasTakebacks(state) && action(t('room.take-back'), () => hand.act('offer_takeback'), { able: mayTakeBack }),
    action(draw, () => hand.act('offer_draw'), { able: !early && !asked('draw') }),
    early ? action(t('room.abort'), () => hand.act('abort')) : action(t('room.resign'), () => (hand.sure.value = true)),
    <WatchLink key="watch" hand={hand} />,
    mayClaim && action(t('room.claim'), () => hand.act('claim_win'), { name: 'primary' }),
  ];
}

/** Actions before and after the game, and for spectators at any time. */
function still(hand: Hand): ComponentChild {
  const { app, room, rules } = hand;
  const { state } = room;
  const { game, you, offers } = state;
  const over = game.result !== null;
  const played = over && game.started;
  const recorded = over && game.id !== null;
  const bots = botCount(state) === 2;
  const mayRematch = played && (you !== null || (bots && room.asked));
  const rematch = offers.filter((offer) => offer.what === 'rematch');
  const asked = rematch.some((offer) => offer.by === you);
  const name = rematch.length ? '' : 'primary';
  return [
    mayRematch && action(t(bots ? 'room.play-again' : 'room.rematch'), () => hand.rematch(), { name, able: !asked }),
    over && action(t('room.like-this'), () => void app.create(sameSettings(state, room.asked))),
    bots && room.asked && game.started && !over && action(t('room.stop'), () => hand.act('abort')),
    you && !game.started && !over && action(t('room.cancel'), () => hand.act('abort')),
    game.started && !over && <WatchLink key="watch" hand={hand} />,
    recorded && game.moves.length > 0 && link(t('room.review'), `/game/${game.id}?review`),
    <PlayOn key="playon" rules={rules} moves={played ? [...game.start, ...game.moves] : null} />,
    recorded && link(t('room.record'), `/game/${game.id}`),
    link(t('room.to-lobby'), '/', true),
  ];
}

/** For spectators of an invite room. */
function WatchLink({ hand }: { hand: Hand }) {
  const app = useApp();
  const { code, state } = hand.room;
  if (!code) return null;
  const copy = async () => {
    const link = `${location.origin}${roomPath(state.room, code)}`;
    const how = navigator.clipboard?.writeText(link).then(
      () => 'copied',
      () => 'shown',
    );
    hand.tell(t(`room.watch-link.${(await how) ?? 'shown'}`, { link }));
    app.clearNotice();
  };
  return <Button say="room.watch-link" act={copy} />;
}
