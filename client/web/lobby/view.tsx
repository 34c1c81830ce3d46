// The lobby: the player's own games, quick starts for a kind of game, and what is going on.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { picture } from '../board/picture.ts';
import { gameName, shortGameName } from '../i18n/gameWords.ts';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { learnPath } from '../net/address.ts';
import { loaded } from '../net/errors.ts';
import type { Rules } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/fields.tsx';
import { lastChoices, ownGames, setLastChoices } from '../ui/settings.ts';
import { Again, useLoading } from '../ui/unloaded.tsx';
import { drawnView, Hosted, useApp } from '../ui/view.tsx';
import { viewsSheet } from '../ui/viewsSheet.ts';
import { oneAtATime } from './createMessage.ts';
import { StartButtons } from './startButtons.tsx';

const FIRST_GAME = 'tictactoe';

export function lobbyView(app: App) {
  return drawnView(app, '', <Lobby />);
}

/** The games to choose from; if they cannot be loaded, the lobby says why. */
export function useGames() {
  const app = useApp();
  const loading = useLoading(() => app.catalog.games(), []);
  useEffect(() => {
    if (loading.error) app.fail(loading.error);
  }, [loading.error]);
  return loading;
}

function Lobby() {
  const app = useApp();
  const wanted = useSignal(String(lastChoices().game ?? FIRST_GAME));
  const { answer: games, error, load } = useGames();
  const rules = games && (games.find(({ id }) => id === wanted.value) ?? games[0]);
  const game = rules?.id ?? wanted.value;
  const offered = useLoading(async () => ({ game, bots: await app.catalog.bots(game) }), [game]);
  const parts = useLoading(() => loaded(import('./lists.tsx')), []);
  /** Everything in the lobby that makes or joins a room goes through this. */
  const only = useMemo(oneAtATime, []);
  useEffect(() => app.lobby.follow(), []);
  useEffect(() => {
    if (parts.answer) viewsSheet().catch(() => {}); // the next view needs it, and reports a failure
  }, [parts.answer]);
  const Parts = parts.answer;
  return (
    <div class="lobby">
      {Parts ? <Parts.Urgent only={only} /> : ownGames() > 0 && <div class="mine-place" />}
      <section class="hero">
        <h1 tabIndex={-1}>{t('lobby.title')}</h1>
        {error && !games ? (
          <Again
            again={() => {
              load();
              offered.load();
            }}
          />
        ) : (
          <Games
            games={games ?? []}
            chosen={game}
            choose={(id) => {
              setLastChoices({ game: id }); // only the player's own choice is remembered
              wanted.value = id;
            }}
          />
        )}
        <About key={game} rules={rules ?? { id: game }} />
        <StartButtons game={game} bots={offered.answer?.game === game ? offered.answer.bots : null} only={only} />
      </section>
      {Parts ? (
        <Parts.Lists game={game} offered={offered} only={only} />
      ) : parts.error ? (
        <div class="panel">
          <Again sentence={parts.error.message} again={parts.load} />
        </div>
      ) : (
        <div class="coming" />
      )}
    </div>
  );
}

type GamesProps = { games: Rules[]; chosen: string; choose: (id: string) => void };

/** A strip of all games. Its space is reserved until they are loaded. */
function Games({ games, chosen, choose }: GamesProps) {
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const card = strip.current?.querySelector<HTMLElement>('.card:has(:checked)');
    if (card && strip.current) strip.current.scrollLeft = card.offsetLeft - strip.current.clientWidth / 3;
  }, [games.length]);
  return (
    <div class="cards" role="radiogroup" aria-label={t('lobby.game')} ref={strip}>
      {games.map((rules) => (
        <Choice key={rules.id} class="card" name="game" value={rules.id} chosen={chosen} choose={choose}>
          <Picture rules={rules} />
          <span>{shortGameName(rules)}</span>
        </Choice>
      ))}
    </div>
  );
}

export function Picture({ rules }: { rules: Rules }) {
  return <Hosted class="picture-frame" node={useMemo(() => picture(rules), [rules])} />;
}

/** The name of the chosen game, with its rules on demand. */
function About({ rules }: { rules: Pick<Rules, 'id'> & Partial<Rules> }) {
  const open = useSignal(false);
  const name = gameName(rules);
  return (
    <div class="about">
      <strong>{name}</strong>
      <Button
        class="icon-button"
        aria-expanded={open.value}
        aria-label={t('lobby.rules', { game: name })}
        act={() => (open.value = !open.value)}
      >
        ?
      </Button>
      <a href={learnPath(rules.id)}>{t('lobby.learn', { game: shortGameName(rules) })}</a>
      {open.value && <p class="muted">{rules.sentences?.join(' ')}</p>}
    </div>
  );
}
