// A table of recorded games, page by page; each row links to its record.

import { useEffect, useRef, useState } from 'preact/hooks';
import { playerName } from '../i18n/botWords.ts';
import { hasText, number, t } from '../i18n/language.ts';
import { getJson } from '../net/catalog.ts';
import type { GameAnswer, GamesAnswer } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { whenWords } from '../ui/figures.ts';
import { Name } from '../ui/names.tsx';
import { token } from '../ui/settings.ts';
import { DataTable, type Row } from '../ui/table.tsx';
import { useApp } from '../ui/view.tsx';

const PAGE = 20;

type Ended = Pick<GameAnswer, 'x' | 'o' | 'winner' | 'termination'>;
type Listed = { path: string; games: GameAnswer[]; next: number | null };
type Props = {
  /** As /api/games takes them. */
  filters: Record<string, string | null>;
  caption: string;
  /** A player's id: results are worded from that player's side. */
  mine?: string;
  /** Whether to show each game's variant instead of its opening. */
  kinds?: boolean;
};

export function GameList({ filters, caption, mine, kinds }: Props) {
  const [listed, setListed] = useState<Listed | null>(null);
  const [error, setError] = useState('');
  const app = useApp();
  const list = useRef<HTMLDivElement>(null);
  const query = new URLSearchParams({ limit: String(PAGE) });
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  const path = `/api/games?${query}` as const;
  const shown = useRef(path);
  shown.current = path;

  const load = async (before: Listed | null) => {
    try {
      const asked = before ? (`${path}&before=${before.next}` as const) : path;
      const page: GamesAnswer = await getJson(asked, token());
      if (shown.current !== path) return;
      setListed({ path, games: [...(before?.games ?? []), ...page.games], next: page.next ?? null });
      setError('');
      if (before)
        requestAnimationFrame(() =>
          list.current?.querySelectorAll<HTMLElement>('tbody a')[before.games.length]?.focus(),
        );
    } catch (reason) {
      if (shown.current === path) setError((reason as Error).message);
    }
  };
  useEffect(() => {
    void load(null);
  }, [path]);

  const games = listed?.games ?? [];
  const row = (game: GameAnswer): Row => [
    game.id,
    <a href={`/game/${game.id}`}>
      <Name name={playerName(game.x)} /> – <Name name={playerName(game.o)} />
    </a>,
    kinds ? app.catalog.name(game.game) : game.start?.join(' '),
    resultWords(game, mine ?? null),
    game.ended_ms ? whenWords(game.ended_ms) : '–',
    game.termination && number(game.plies ?? 0),
  ];
  const status = !games.length
    ? t('games.none')
    : t(listed?.next == null ? 'games.all' : 'games.newest', { count: games.length });
  return (
    <div class="game-list stack tight" ref={list}>
      {games.length > 0 && (
        <DataTable
          class={kinds ? 'games kinds' : 'games'}
          caption={caption}
          heads={['players', kinds ? 'game' : 'opening', 'result', 'ended', 'moves'].map((head) => t(`games.${head}`))}
          rows={games.map(row)}
          texts={4}
        />
      )}
      <p class="muted" role="status">
        {error || (listed && status)}
      </p>
      {error && listed?.path !== path && <Button say="page.again" act={() => load(null)} />}
      {listed?.path === path && listed.next != null && <Button say="games.more" act={() => load(listed)} />}
    </div>
  );
}

/** "X wins", "O wins on time", "draw"; or "won", "lost on time" for one player. */
function resultWords(game: Ended, mine: string | null) {
  if (!game.termination) return t('games.running');
  if (game.termination === 'aborted') return t('games.aborted');
  if (!game.winner) return ending('games.draw', game);
  if (mine === null || game.x.id === game.o.id) return ending('games.wins', game);
  return ending(game[game.winner].id === mine ? 'games.won' : 'games.lost', game);
}

/** With the termination, unless the game ended on the board. */
function ending(key: string, game: Ended) {
  const full = `${key}.${game.termination}`;
  return t(hasText(full) ? full : key, { side: game.winner?.toUpperCase() });
}
