// Games in lists: a small board, the players, and the game; the whole card is one link. Running games beyond those with
// boards are rows.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { SmallBoard } from '../board/smallBoard.ts';
import type { SmallPosition } from '../board/smallPosition.ts';
import { listedPosition } from '../board/smallPosition.ts';
import { playerName } from '../i18n/botWords.ts';
import { shortGameName } from '../i18n/gameWords.ts';
import { joined, t } from '../i18n/language.ts';
import { roomPath } from '../net/address.ts';
import { clockWords } from '../room/clock.ts';
import { ratingWords } from '../room/words.ts';
import type { Player, Rating, Rules, RunningRoom, Side } from '../types/page.d.ts';
import { Mark } from '../ui/mark.tsx';
import { Name } from '../ui/names.tsx';
import { useLoading } from '../ui/unloaded.tsx';
import { Hosted, useApp } from '../ui/view.tsx';
import { Row } from './row.tsx';
import type { Card } from './running.ts';
import { toMove } from './running.ts';

type Props = {
  href: string;
  /** the link's purpose, for people who do not see the board */
  verb: string;
  class?: string;
  game: string;
  position: (rules: Rules) => SmallPosition | null;
  children: ComponentChildren;
};

export function GameCard({ href, verb, game, position, children, ...rest }: Props) {
  return (
    <li class={`game-card ${rest.class ?? ''}`}>
      <a href={href}>
        <Board key={game} game={game} position={position} />
        <span class="spoken-only">{verb} </span>
        {children}
      </a>
    </li>
  );
}

/** Empty until the game's rules have loaded. */
function Board({ game, position }: Pick<Props, 'game' | 'position'>) {
  const { catalog } = useApp();
  const { answer } = useLoading(() => catalog.rules(game), []);
  const known = answer ?? catalog.known.get(game);
  const board = useMemo(() => known && new SmallBoard(known), [known]);
  const shown = known && position(known);
  useLayoutEffect(() => {
    if (shown) board?.draw(shown);
  });
  return board && shown ? <Hosted class="card-board" node={board.node} /> : <div class="card-board" />;
}

/** One side of a card. */
export function CardName({
  side,
  player,
  toMove,
}: {
  side: Side;
  player: Player & { rating?: Rating | null };
  toMove: boolean;
}) {
  return (
    <span class={`card-name${toMove ? ' to-move' : ''}`}>
      <Mark side={side} /> <Name name={playerName(player)} />
      {player.kind === 'bot' && <BotTag />}
      {player.rating && <span class="card-rating"> {ratingWords(player.rating)}</span>}{' '}
    </span>
  );
}

/** Beside the name of a bot, so that no person can pass for one. */
export function BotTag() {
  return <small class="tag">{t('lobby.bot')}</small>;
}

export function RunningCards({ cards }: { cards: Card[] }) {
  return (
    <ul class="game-cards strip">
      {cards.map(({ room, over }) => (
        <GameCard
          key={room.room}
          class={over ? 'over' : ''}
          href={roomPath(room.room)}
          verb={t('lobby.watch')}
          game={room.game}
          position={(rules) => listedPosition(rules, room)}
        >
          <CardName side="x" player={room.x} toMove={toMove(room.board ?? '') === 'x'} />
          <CardName side="o" player={room.o} toMove={toMove(room.board ?? '') === 'o'} />
          <small class="card-about">
            {over ? t('lobby.running.over') : `${shortGameName({ id: room.game })} · ${details(room)}`}
          </small>
        </GameCard>
      ))}
    </ul>
  );
}

/** Games without a board in the list. */
export function OtherGames({ rooms }: { rooms: RunningRoom[] }) {
  const { catalog } = useApp();
  return (
    <ul class="rest">
      {rooms.map((room) => (
        <Row
          key={room.room}
          what={<strong>{catalog.name(room.game)}</strong>}
          about={`${t('lobby.running.row', { x: playerName(room.x), o: playerName(room.o) })} · ${details(room)}`}
        >
          <a class="button" href={roomPath(room.room)}>
            {t('lobby.watch')}
          </a>
        </Row>
      ))}
    </ul>
  );
}

function details(room: RunningRoom) {
  const parts = [t('lobby.moves', { count: room.plies }), room.clock && clockWords(room.clock)];
  return joined([...parts, room.rated && t('lobby.rated')], ' · ');
}
