// The lists of the lobby: challenges and the player's own games first, then running games, open games, people and bots.

import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { shortGameName } from '../i18n/gameWords.ts';
import { joined, t } from '../i18n/language.ts';
import { roomPath } from '../net/address.ts';
import { clockWords } from '../room/clock.ts';
import { isRunning } from '../room/state.ts';
import { ratingWords } from '../room/words.ts';
import type { Lobby, Player, Seek } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { PlayerLink } from '../ui/names.tsx';
import { useApp } from '../ui/view.tsx';
import { Bots, type Offered } from './bots.tsx';
import type { Only } from './createMessage.ts';
import { createMessage } from './createMessage.ts';
import { EmptyLobby } from './emptyLobby.tsx';
import { BotTag, OtherGames, RunningCards } from './gameCard.tsx';
import { OwnGames, useOwnRooms } from './ownGames.tsx';
import { choicesFor, freeSide, sideWords } from './quickStart.ts';
import { List, Row } from './row.tsx';
import type { Card } from './running.ts';
import { nextCards } from './running.ts';

/** What the pointer may be about to press. Without hover, this is unknown. */
const POINTED = ':is(a, button, summary):hover';
/** How long the lists wait for the connection: on a slow one a late jump is acceptable. */
const PATIENCE_MS = 1_500;

type ListsProps = { game: string; offered: Offered; only: Only };

/** What waits for this player's answer. */
export function Urgent({ only }: { only: Only }) {
  const { challenges } = useApp().lobby;
  return (
    <>
      {challenges.length > 0 && (
        <List class="challenges" title={t('lobby.challenged')}>
          {challenges.map((challenge) => (
            <SeekRow key={challenge.room} seek={challenge} label={t('lobby.accept')} only={only} isChallenge />
          ))}
        </List>
      )}
      <OwnGames />
    </>
  );
}

export function Lists({ game, offered, only }: ListsProps) {
  const app = useApp();
  const { lobby, connection } = app;
  const node = useRef<HTMLDivElement>(null);
  const [, lookAgain] = useReducer((count: number) => count + 1, 0);
  const patient = usePatience();
  const [featured, setFeatured] = useState(false);
  const own = useOwnRooms();
  const plays = own.live.some((room) => isRunning(room.state));
  const mine = new Set([...own.live.map((room) => room.state.room), ...own.coming]);

  // While the pointer is on something, nothing here may move.
  const held = matchMedia('(hover: hover)').matches && Boolean(node.current?.querySelector(POINTED));
  const state = lobby.state;
  const still = useRef<Lobby | null>(null);
  if (!held || !still.current) still.current = state;
  const cards = useRef<Card[]>([]);
  const boards = (state?.rooms ?? []).filter((room) => room.board && !mine.has(room.room));
  cards.current = nextCards(cards.current, boards, held);
  const others = (still.current?.rooms ?? []).filter((room) => !room.board && !mine.has(room.room));
  const empty = state !== null && cards.current.length + others.length === 0;
  // Shown once everything above and inside is here, or has failed for now, so that nothing jumps.
  const known = state ? !empty || featured : connection.failures > 0 || !patient;
  const ready = known && (offered.answer || offered.error);

  return (
    <div class={ready ? 'lists' : 'lists coming'} ref={node} onPointerOut={() => lookAgain(0)}>
      <div class="lists-main stack">
        <section class="panel running">
          <h2>{t('lobby.running')}</h2>
          <RunningCards cards={cards.current} />
          <OtherGames rooms={others} />
          {empty && <EmptyLobby game={game} own={plays} only={only} settled={() => setFeatured(true)} />}
        </section>
        <Bots
          offered={offered}
          play={(bot) =>
            only(() => app.create(createMessage(choicesFor(offered.answer?.game ?? game, { who: 'bot', bot }))))
          }
        />
      </div>
      <div class="lists-side stack">
        <Seeks seeks={still.current?.seeks ?? null} only={only} />
        <People people={still.current?.people ?? []} />
      </div>
    </div>
  );
}

function usePatience() {
  const [patient, setPatient] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return patient;
}

type SeekRowProps = { seek: Seek; label: string; only: Only; isChallenge?: boolean };

function Seeks({ seeks, only }: { seeks: Seek[] | null; only: Only }) {
  return (
    <List class="sunken seeks" title={t('lobby.seeks')} none={t(seeks ? 'lobby.seeks.none' : 'lobby.looking')}>
      {(seeks ?? []).map((seek) => (
        <SeekRow key={seek.room} seek={seek} label={t('lobby.play')} only={only} />
      ))}
    </List>
  );
}

function SeekRow({ seek, label, only, isChallenge }: SeekRowProps) {
  const app = useApp();
  const own = seek.by.id === app.connection.player?.id;
  const details = [clockWords(seek.clock), seek.rated && t('lobby.rated'), !own && sideWords(freeSide(seek))];
  return (
    <Row
      what={<strong>{shortGameName({ id: seek.game, name: app.catalog.name(seek.game) })}</strong>}
      about={
        <>
          {own ? t('lobby.yours') : <PlayerLink player={seek.by} />}
          {!own && seek.by.rating && ` ${ratingWords(seek.by.rating)}`} · {joined(details, ' · ')}
        </>
      }
    >
      {own ? (
        <a class="button" href={roomPath(seek.room)}>
          {t('lobby.open')}
        </a>
      ) : (
        <Button data-key={seek.room} act={() => only(() => app.join(seek.room))}>
          {label}
        </Button>
      )}
      {isChallenge && <Button say="lobby.decline" act={() => app.attempt(() => app.lobby.decline(seek))} />}
    </Row>
  );
}

function People({ people }: { people: Player[] }) {
  const me = useApp().connection.player?.id;
  const others = people.filter((player) => player.id !== me);
  return (
    <List class="sunken people" title={t('lobby.people')} none={t('lobby.people.none')}>
      {others.map((player) => (
        <Row
          key={player.id}
          what={
            <span>
              <PlayerLink player={player} />
              {player.kind === 'bot' && <BotTag />}
            </span>
          }
        >
          <a class="button" href={`/#create=player:${player.id}`}>
            {t('lobby.challenge')}
          </a>
        </Row>
      ))}
    </List>
  );
}
