// Running games: as small live boards, and those beyond them as rows.

import { listedPosition } from '../board/smallPosition.ts';
import { playerName } from '../i18n/botWords.ts';
import { shortGameName } from '../i18n/gameWords.ts';
import { t } from '../i18n/language.ts';
import { clockWords } from '../room/clock.ts';
import type { RunningRoom } from '../types/page.d.ts';
import { useApp } from '../ui/view.tsx';
import { CardName, GameCard } from './gameCard.tsx';
import type { Card } from './running.ts';
import { toMove } from './running.ts';

export function RunningCards({ cards }: { cards: Card[] }) {
  return (
    <ul class="game-cards strip">
      {cards.map(({ room, over }) => (
        <GameCard
          key={room.room}
          class={over ? 'over' : ''}
          href={`/room/${encodeURIComponent(room.room)}`}
          verb={t('lobby.watch')}
          game={room.game}
          position={(rules) => listedPosition(rules, room)}
        >
          <CardName side="x" player={room.x} toMove={toMove(room.board ?? '') === 'x'} />
          <CardName side="o" player={room.o} toMove={toMove(room.board ?? '') === 'o'} />
          <small class="card-about">
            {over ? t('lobby.running.over') : [shortGameName({ id: room.game }), ...details(room)].join(' · ')}
          </small>
        </GameCard>
      ))}
    </ul>
  );
}

/** Games beyond those with boards. */
export function OtherGames({ rooms }: { rooms: RunningRoom[] }) {
  const { catalog } = useApp();
  return (
    <ul class="rest">
      {rooms.map((room) => (
        <li key={room.room}>
          <span class="row-what">
            <strong>{catalog.name(room.game)}</strong>
            <small>
              {[t('lobby.running.row', { x: playerName(room.x), o: playerName(room.o) }), ...details(room)].join(' · ')}
            </small>
          </span>
          <a class="button" href={`/room/${encodeURIComponent(room.room)}`}>
            {t('lobby.watch')}
          </a>
        </li>
      ))}
    </ul>
  );
}

function details(room: RunningRoom) {
  return [
    t('lobby.moves', { count: room.plies }),
    room.clock && clockWords(room.clock),
    room.rated && t('lobby.rated'),
  ].filter(Boolean);
}
