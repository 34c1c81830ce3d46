// The explorer's position and the steps to others: the server is asked about each.

import { useEffect, useRef, useState } from 'preact/hooks';
import { joined, t } from '../i18n/language.ts';
import { spokenMove } from '../i18n/moveWords.ts';
import { explorePath } from '../net/address.ts';
import { getJson } from '../net/catalog.ts';
import type { ExplorerAnswer, Rules } from '../types/page.d.ts';
import { marks } from '../ui/settings.ts';
import { type LoadError, worded } from '../ui/unloaded.tsx';
import { useApp } from '../ui/view.tsx';
import { whereWords } from './words.ts';

/** While games are being counted. Beside a ladder that never ends, so the page asks less and less often. */
const AGAIN_MS = 2000;
const AGAIN_MOST_MS = 20_000;
/** Reports an impossible position. */
const IMPOSSIBLE = 400;

export type Shown = { rules: Rules; offered: Rules[]; moves: string[]; answer: ExplorerAnswer };

export function useExplorer(game: string, first: string[]) {
  const app = useApp();
  const [shown, setShown] = useState<Shown | null>(null);
  const [error, setError] = useState<LoadError | null>(null);
  const asked = useRef(0);
  /** The position being loaded: steps back count from there. */
  const wanted = useRef({ game, moves: first });
  const again_ms = useRef(AGAIN_MS);

  /** @param step whether to stay at the old position if it fails */
  const load = async (game: string, moves: string[], step = false) => {
    const mine = ++asked.current;
    wanted.current = { game, moves };
    try {
      const rules = await app.catalog.rules(game);
      const listed = await app.catalog.games();
      const offered = listed.some((each) => each.id === rules.id) ? listed : [...listed, rules];
      const now = { rules, offered, moves, answer: await ask(rules.id, moves) };
      if (mine !== asked.current) return;
      again_ms.current = AGAIN_MS;
      wanted.current = { game: rules.id, moves };
      app.setTitle(t('explorer.of', { game: rules.name }));
      setError(null);
      setShown(now);
      if (!step) return;
      history.pushState(null, '', explorePath(rules.id, moves));
      app.clearNotice();
      app.say(spoken(now));
    } catch (reason) {
      if (mine !== asked.current) return;
      if (!step || !shown) return setError(told(reason as LoadError));
      wanted.current = { game, moves: shown.moves };
      setShown({ ...shown }); // its figures may still be counted
      app.fail(reason);
    }
  };

  const go = (moves: string[]) => shown && void load(shown.rules.id, moves, true);
  const choose = (game: string) => {
    history.pushState(null, '', explorePath(game));
    void load(game, []);
  };
  const back = () => {
    const { moves } = wanted.current;
    if (moves.length) go(moves.slice(0, -1));
  };
  const retry = () => void load(wanted.current.game, wanted.current.moves);

  useEffect(() => {
    void load(game, first);
    return () => {
      asked.current += 1; // the view is gone: a late answer is dropped
    };
  }, []);
  useEffect(() => {
    if (!shown?.answer.pending) return;
    const mine = asked.current;
    const timer = setTimeout(async () => {
      const answer = await ask(shown.rules.id, shown.moves).catch(() => shown.answer);
      if (mine !== asked.current) return;
      setShown({ ...shown, answer });
      if (!answer.pending) app.say(spoken({ ...shown, answer })); // the first answer was incomplete
    }, again_ms.current);
    again_ms.current = Math.min(AGAIN_MOST_MS, 1.5 * again_ms.current);
    return () => clearTimeout(timer);
  }, [shown]);
  return { shown, error, go, back, choose, retry };
}

export type Explorer = ReturnType<typeof useExplorer>;

function ask(game: string, moves: string[]) {
  return getJson(`/api/explorer?game=${encodeURIComponent(game)}&moves=${moves.map(encodeURIComponent).join(',')}`);
}

function told(error: LoadError): LoadError {
  if (error.status !== IMPOSSIBLE) return error;
  return worded(error, t('explorer.impossible', { reason: error.message }));
}

function spoken({ rules, moves, answer }: Shown) {
  const { games, next } = answer;
  const sentences = [
    whereWords({ answer, moves, nested: rules.nested }, marks()),
    t('explorer.went', { count: games }),
    next[0] && t('explorer.most', { move: spokenMove(next[0].move), count: next[0].games }),
  ];
  return joined(sentences);
}
