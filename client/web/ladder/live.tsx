// The game that a ladder is playing now, move by move.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Board } from '../board/board.ts';
import { pictureOf } from '../board/position.ts';
import { pieces, t } from '../i18n/language.ts';
import { getJson } from '../net/catalog.ts';
import type { LiveGame, Rules } from '../types/page.d.ts';
import { useEvery } from '../ui/listen.ts';
import { Mark } from '../ui/mark.tsx';
import { PlayerLink } from '../ui/names.tsx';
import { marks } from '../ui/settings.ts';
import { Hosted, Panel, useApp } from '../ui/view.tsx';

const WATCH_MS = 1000;

export function Live({ ladder, playing }: { ladder: string; playing: boolean }) {
  const app = useApp();
  const [game, setGame] = useState<LiveGame | null>(null);
  const asking = useRef(false);
  const watched = useRef(playing);
  watched.current = playing;

  const watch = async () => {
    if (asking.current) return;
    asking.current = true;
    try {
      const { live } = await getJson(`/api/ladder/live?ladder=${encodeURIComponent(ladder)}`);
      if (live) await app.catalog.rules(live.game);
      if (watched.current) setGame(live);
    } catch {
      setGame(null); // the server is away: try again at the next poll
    } finally {
      asking.current = false;
    }
  };
  useEvery(playing ? WATCH_MS : null, () => void watch());
  useEffect(() => {
    if (playing) void watch();
    else setGame(null);
  }, [playing]);
  const rules = game && app.catalog.known.get(game.game);
  return (
    <Panel name="live" title={t('ladder.live.title')} class={rules ? 'live' : 'live sunken'}>
      {rules ? (
        <Running key={`${game.game} ${game.x.id} ${game.o.id} ${game.begun_ms}`} game={game} rules={rules} />
      ) : (
        <p class="empty">{t(playing ? 'ladder.live.short' : 'ladder.live.idle', { ladder })}</p>
      )}
    </Panel>
  );
}

function Running({ game, rules }: { game: LiveGame; rules: Rules }) {
  const app = useApp();
  const [board] = useState(() => new Board(rules, { onplay: () => {} }));
  const moves = [...game.start, ...game.moves];
  useLayoutEffect(() => {
    board.update({ ...pictureOf(rules, moves, marks()), over: true });
  });
  return (
    <>
      <p>
        {pieces<ComponentChildren>('ladder.live', {
          game: app.catalog.name(game.game),
          x_mark: <Mark side="x" />,
          x: <PlayerLink player={game.x} />,
          o_mark: <Mark side="o" />,
          o: <PlayerLink player={game.o} />,
          moves: <span class="live-moves">{t('ladder.live.moves', { count: moves.length })}</span>,
        })}
      </p>
      <Hosted class="board-area" node={board.node} />
    </>
  );
}
