// A table of recorded games, page by page, each a link to its record.

import { useEffect, useRef, useState } from 'preact/hooks';
import { playerName } from '../i18n/botWords.ts';
import { hasText, number, t } from '../i18n/language.ts';
import { getJson } from '../net/catalog.ts';
import type { GameAnswer, GamesAnswer } from '../types/page.d.ts';
import { whenWords } from '../ui/figures.ts';
import { Name } from '../ui/names.tsx';
import { token } from '../ui/settings.ts';
import { Across } from '../ui/table.tsx';
import { useApp } from '../ui/view.tsx';

const PAGE = 20;

type Ended = Pick<GameAnswer, 'x' | 'o' | 'winner' | 'termination'>;
type Listed = { games: GameAnswer[]; next: number | null };
type Props = {
  /** As /api/games takes them. */
  filters: Record<string, string | null>;
  caption: string;
  /** A player's id: results are told from their side. */
  mine?: string;
  /** Whether to tell which game of the family each was, instead of its opening. */
  kinds?: boolean;
};

export function GameList({ filters, caption, mine, kinds }: Props) {
  const [listed, setListed] = useState<Listed | null>(null);
  const [error, setError] = useState('');
  const rows = useRef<HTMLTableSectionElement>(null);
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
      setListed({ games: [...(before?.games ?? []), ...page.games], next: page.next ?? null });
      setError('');
      if (before) requestAnimationFrame(() => rows.current?.rows[before.games.length]?.querySelector('a')?.focus());
    } catch (reason) {
      if (shown.current === path) setError((reason as Error).message);
    }
  };
  useEffect(() => {
    void load(null);
  }, [path]);

  const games = listed?.games ?? [];
  const status = !games.length
    ? t('games.none')
    : t(listed?.next == null ? 'games.all' : 'games.newest', { count: games.length });
  return (
    <div class="game-list stack tight">
      {games.length > 0 && (
        <Across label={caption}>
          <table class="data games">
            <caption>{caption}</caption>
            <thead>
              <tr>
                <th scope="col">{t('games.players')}</th>
                <th scope="col" class={kinds ? 'g-kind' : 'g-start'}>
                  {t(kinds ? 'games.game' : 'games.opening')}
                </th>
                <th scope="col">{t('games.result')}</th>
                <th scope="col" class="num">
                  {t('games.moves')}
                </th>
                <th scope="col" class="g-when">
                  {t('games.ended')}
                </th>
              </tr>
            </thead>
            <tbody ref={rows}>
              {games.map((game) => (
                <Row key={game.id} game={game} mine={mine ?? null} kinds={kinds ?? false} />
              ))}
            </tbody>
          </table>
        </Across>
      )}
      <p class="muted" role="status">
        {error || (listed && status)}
      </p>
      {error && !listed && (
        <button type="button" onClick={() => void load(null)}>
          {t('page.again')}
        </button>
      )}
      {listed?.next != null && (
        <button type="button" onClick={() => void load(listed)}>
          {t('games.more')}
        </button>
      )}
    </div>
  );
}

function Row({ game, mine, kinds }: { game: GameAnswer; mine: string | null; kinds: boolean }) {
  const app = useApp();
  const start = game.start ?? [];
  return (
    <tr>
      <td class="g-who">
        <a href={`/game/${game.id}`}>
          <Name name={playerName(game.x)} /> – <Name name={playerName(game.o)} />
        </a>
      </td>
      {kinds ? <td class="g-kind">{app.catalog.name(game.game)}</td> : <td class="g-start">{start.join(' ')}</td>}
      <td class="g-result">{resultWords(game, mine)}</td>
      <td class="g-plies num">{game.termination ? number((game.plies ?? 0) + start.length) : ''}</td>
      <td class="g-when">{game.ended_ms ? whenWords(game.ended_ms) : t('games.running')}</td>
    </tr>
  );
}

/** "X wins", "O wins on time", "draw"; "won", "lost on time" for one of the two. */
function resultWords(game: Ended, mine: string | null) {
  if (!game.termination) return t('games.running');
  if (game.termination === 'aborted') return t('games.aborted');
  if (!game.winner) return ending('games.draw', game);
  if (mine === null || game.x.id === game.o.id) return ending('games.wins', game);
  return ending(game[game.winner].id === mine ? 'games.won' : 'games.lost', game);
}

/** With how it ended, where that was not on the board. */
function ending(key: string, game: Ended) {
  const full = `${key}.${game.termination}`;
  return t(hasText(full) ? full : key, { side: game.winner?.toUpperCase() });
}
