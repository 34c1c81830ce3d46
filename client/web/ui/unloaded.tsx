// What stands in the place of something that could not be loaded: what happened, and a way to try again. It tries by
// itself when the connection is back.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { Lost } from './lost.tsx';
import { useApp } from './view.tsx';

/** Asking again gets the same answer. */
const FINAL = [400, 401, 404, 410];

export type LoadError = Error & { status?: number };

export function Unloaded({ error, retry }: { error: LoadError; retry: () => void }) {
  const app = useApp();
  const final = FINAL.includes(error.status ?? 0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => app.settle(place.current?.querySelector('h1') ?? null), []);
  useEffect(() => {
    if (final) return;
    app.connection.addEventListener('open', retry);
    window.addEventListener('online', retry);
    return () => {
      app.connection.removeEventListener('open', retry);
      window.removeEventListener('online', retry);
    };
  }, [retry, final]);
  if (final)
    return (
      <div class="view" ref={place}>
        <Lost sentence={error.message} />
      </div>
    );
  return (
    <div class="lost" ref={place}>
      <h1 tabIndex={-1}>{t('page.unloaded')}</h1>
      <p role="status">{error.message}</p>
      <p class="muted">{t('page.unloaded.itself')}</p>
      <button type="button" class="primary" onClick={retry}>
        {t('page.unloaded.retry')}
      </button>
    </div>
  );
}

export type Loading<T> = { answer: T | null; error: LoadError | null; load: () => void };

/** What `ask` answers, asked again whenever one of `of` changes; an answer stays until there is another. */
export function useLoading<T>(ask: () => Promise<T>, of: readonly unknown[]): Loading<T> {
  const [state, setState] = useState<{ answer: T | null; error: LoadError | null }>({ answer: null, error: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let wanted = true;
    ask().then(
      (answer) => wanted && setState({ answer, error: null }),
      (error) => wanted && setState((was) => ({ ...was, error })),
    );
    return () => {
      wanted = false;
    };
  }, [...of, round]);
  const [load] = useState(() => () => setRound((was) => was + 1));
  return { ...state, load };
}

/** Shows what was loaded, or why it could not be; meanwhile `waiting`. */
export function Loaded<T>(props: {
  of: Loading<T>;
  waiting: ComponentChildren;
  children: (answer: T) => ComponentChildren;
}) {
  const { answer, error, load } = props.of;
  if (answer !== null) return props.children(answer);
  return error ? <Unloaded error={error} retry={load} /> : props.waiting;
}
