// The lobby: one's own games, a kind of game that is begun in one click, and what goes on here.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { picture } from '../board/picture.ts';
import { gameName, shortGameName } from '../i18n/gameWords.ts';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { loaded } from '../net/errors.ts';
import type { Bot, Rules } from '../types/page.d.ts';
import { lastChoices, ownGames, setLastChoices } from '../ui/settings.ts';
import { drawnView, Hosted, useApp } from '../ui/view.tsx';
import { viewsSheet } from '../ui/viewsSheet.ts';
import { oneAtATime } from './createMessage.ts';
import { StartButtons } from './startButtons.tsx';

const FIRST_GAME = 'tictactoe';

/** The bots of a game, or why they are not here. */
export type Offered = { game: string; bots: Bot[] | null; error?: Error };

export function lobbyView(app: App) {
  return drawnView(app, '', <Lobby />);
}

function Lobby() {
  const app = useApp();
  const game = useSignal(String(lastChoices().game ?? FIRST_GAME));
  const games = useSignal<Rules[] | null>(null);
  const offered = useSignal<Offered>({ game: '', bots: null });
  const lists = useSignal<typeof import('./lists.tsx') | null>(null);
  const missing = useSignal('');
  /** What makes or joins a room from the lobby goes through this. */
  const only = useMemo(oneAtATime, []);

  const offer = async (id: string) => {
    try {
      const bots = await app.catalog.bots(id);
      if (game.value === id) offered.value = { game: id, bots };
    } catch (error) {
      if (game.value === id) offered.value = { game: id, bots: null, error: error as Error };
    }
  };
  const choose = (id: string) => {
    game.value = id;
    void offer(id);
  };
  const load = async () => {
    try {
      const found = await app.catalog.games();
      games.value = found;
      if (!found.some((rules) => rules.id === game.value)) choose(found[0].id);
    } catch (error) {
      app.fail(error);
      games.value = [];
    }
  };
  const loadLists = () => {
    missing.value = '';
    loaded(import('./lists.tsx')).then(
      (module) => {
        lists.value = module;
        viewsSheet().catch(() => {}); // whatever comes next needs it; where it fails, that says so
      },
      (error) => (missing.value = error.message),
    );
  };
  useEffect(() => {
    void load();
    void offer(game.value);
    loadLists();
    const me = {};
    app.lobby.want(me, true);
    return () => app.lobby.want(me, false);
  }, []);

  const { game: offeredGame, bots } = offered.value;
  const Parts = lists.value;
  return (
    <div class="lobby">
      {Parts ? <Parts.Urgent only={only} /> : ownGames() > 0 && <div class="mine-place" />}
      <section class="hero">
        <h1 tabIndex={-1}>{t('lobby.title')}</h1>
        <Games
          games={games.value}
          chosen={game.value}
          choose={(id) => {
            setLastChoices({ game: id }); // what somebody chose is remembered; what is chosen for them is not
            choose(id);
          }}
          again={() => {
            void load();
            void offer(game.value);
          }}
        />
        <About key={game.value} id={game.value} rules={games.value?.find((rules) => rules.id === game.value)} />
        <StartButtons game={game.value} bots={offeredGame === game.value ? bots : null} only={only} />
      </section>
      {Parts ? (
        <Parts.Lists
          game={game.value}
          games={games.value ?? []}
          offered={offered.value}
          again={() => void offer(game.value)}
          only={only}
        />
      ) : missing.value ? (
        <div class="panel">
          <p class="empty">{missing.value}</p>
          <button type="button" onClick={loadLists}>
            {t('page.again')}
          </button>
        </div>
      ) : (
        <div class="coming" />
      )}
    </div>
  );
}

type GamesProps = { games: Rules[] | null; chosen: string; choose: (id: string) => void; again: () => void };

/** A strip of all kinds of games. Its room is kept until they are here. */
function Games({ games, chosen, choose, again }: GamesProps) {
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const card = strip.current?.querySelector<HTMLElement>('.card:has(:checked)');
    if (card && strip.current) strip.current.scrollLeft = card.offsetLeft - strip.current.clientWidth / 3;
  }, [games]);
  if (games?.length === 0)
    return (
      <button type="button" onClick={again}>
        {t('page.again')}
      </button>
    );
  return (
    <div class="cards" role="radiogroup" aria-label={t('lobby.game')} ref={strip}>
      {games?.map((rules) => (
        <label class="card" key={rules.id}>
          <input
            type="radio"
            name="game"
            value={rules.id}
            checked={rules.id === chosen}
            onChange={() => choose(rules.id)}
          />
          <Picture rules={rules} />
          <span>{shortGameName(rules)}</span>
        </label>
      ))}
    </div>
  );
}

export function Picture({ rules }: { rules: Rules }) {
  return <Hosted class="picture-frame" node={useMemo(() => picture(rules), [rules])} />;
}

/** The name of the chosen game; its rules for whoever asks. */
function About({ id, rules }: { id: string; rules: Rules | undefined }) {
  const open = useSignal(false);
  return (
    <div class="about">
      <strong>{gameName(rules ?? { id })}</strong>
      <button
        type="button"
        class="icon-button"
        aria-expanded={open.value}
        aria-label={t('lobby.rules', { game: gameName(rules ?? { id }) })}
        onClick={() => (open.value = !open.value)}
      >
        ?
      </button>
      <a href={`/learn/${encodeURIComponent(id)}`}>{t('lobby.learn', { game: shortGameName(rules ?? { id }) })}</a>
      {open.value && <p class="muted">{rules?.sentences.join(' ')}</p>}
    </div>
  );
}
