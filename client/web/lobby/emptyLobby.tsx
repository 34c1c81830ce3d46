// For a lobby where nobody plays: a game that was played here, small, and two bots ready to play at once.

import { useRef } from 'preact/hooks';
import { positionAfter } from '../board/smallPosition.ts';
import { shortGameName } from '../i18n/gameWords.ts';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { getJson, isLevels } from '../net/catalog.ts';
import type { GameAnswer, GamesAnswer } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { useLoading } from '../ui/unloaded.tsx';
import { useApp } from '../ui/view.tsx';
import type { Only } from './createMessage.ts';
import { CardName, GameCard } from './gameCard.tsx';
import { levelName } from './levels.ts';
import { worthALook } from './running.ts';

/** How many of the newest games are searched for a finished one. */
const LOOKED_AT = 20;

type Props = { game: string; own: boolean; only: Only; settled: () => void };

/**
 * @param game the chosen kind @param own whether the player has a game @param settled called once it is clear what to
 * show
 */
export function EmptyLobby({ game, own, only, settled }: Props) {
  const app = useApp();
  /** Requested once per visit. */
  const newest = useRef<Promise<GamesAnswer>>(undefined);
  const { answer: record } = useLoading(async () => {
    try {
      newest.current ??= getJson(`/api/games?limit=${LOOKED_AT}`);
      const best = worthALook((await newest.current).games, game);
      return best && (await getJson(`/api/games/${best.id}`));
    } catch {
      return null; // without records there is no game to show
    } finally {
      settled();
    }
  }, [game]);
  return (
    <div class="featured">
      {record && <Recorded key={record.id} record={record} />}
      <div class="stack">
        <p class="empty">
          {t(own ? 'lobby.empty.else' : 'lobby.empty')} {t(record ? 'lobby.empty.look' : 'lobby.empty.none')}
        </p>
        <Button say="lobby.empty.bots" act={() => only(() => app.attempt(() => letPlay(app, game)))} />
      </div>
    </div>
  );
}

function Recorded({ record }: { record: GameAnswer }) {
  const moves = [...record.start, ...(record.moves ?? []).map((move) => move.move)];
  return (
    <ul class="game-cards">
      <GameCard
        href={`/game/${record.id}`}
        verb={t('lobby.look')}
        game={record.game}
        position={(rules) => positionAfter(rules, moves, record.line ?? moves.slice(-1))}
      >
        <CardName side="x" player={record.x} toMove={false} />
        <CardName side="o" player={record.o} toMove={false} />
        <small class="card-about">
          {shortGameName({ id: record.game })} · {t('lobby.moves', { count: record.plies })}
        </small>
      </GameCard>
    </ul>
  );
}

/** The two highest levels, slow enough to watch. */
async function letPlay(app: App, game: string) {
  const levels = (await app.catalog.bots(game)).find(isLevels);
  if (!levels) throw new Error(t('lobby.pick.none'));
  const highest = levels.parameters[0].max as number;
  const bots = { x: levelName(levels, highest), o: levelName(levels, highest - 1) };
  await app.make({ game, seat: 'none', bots, pace: 'human' });
}
