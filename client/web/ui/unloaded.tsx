// What replaces content that cannot be shown: what happened, and a way to go on. What could not be loaded is requested
// again automatically when the connection is back.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { Button } from './button.tsx';
import { listen } from './listen.ts';
import { useApp, useTitle } from './view.tsx';

/** A retry would get the same answer. */
const FINAL = [400, 401, 404, 410];

export type LoadError = Error & { status?: number };

export function Unloaded({ error, retry }: { error: LoadError; retry: () => void }) {
  const app = useApp();
  const final = FINAL.includes(error.status ?? 0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => app.settle(place.current?.querySelector('h1') ?? null), []);
  useEffect(() => {
    if (final) return;
    const ends = [listen(app.connection, { open: retry }), listen(window, { online: retry })];
    return () => {
      for (const end of ends) end();
    };
  }, [retry, final]);
  return (
    <div class="view" ref={place}>
      {final ? (
        <Lost sentence={error.message} />
      ) : (
        <Lost title={t('page.unloaded')} sentence={`${error.message} ${t('page.unloaded.itself')}`}>
          <Button say="page.again" class="primary" act={retry} />
        </Lost>
      )}
    </div>
  );
}

/** Replaces a part of a page: what is wrong with it, and a way to retry. */
export function Again({ sentence, again }: { sentence?: string; again: () => void }) {
  return (
    <>
      {sentence && <p class="empty">{sentence}</p>}
      <Button say="page.again" act={again} />
    </>
  );
}

/** The same error with another message. */
export function worded({ status }: LoadError, sentence: string): LoadError {
  return Object.assign(new Error(sentence), { status });
}

export type Loading<T> = { answer: T | null; error: LoadError | null; load: () => void };

/** The answer of `ask`, requested again whenever one of `of` changes; an answer stays until the next one. */
export function useLoading<T>(ask: () => Promise<T>, of: readonly unknown[]): Loading<T> {
  const [state, setState] = useState<{ answer: T | null; error: LoadError | null }>({ answer: null, error: null });
  const [round, setRound] = useState(0);
  // A layout effect, so that the request starts before the first paint, not a frame later.
  useLayoutEffect(() => {
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

/** Shows the loaded content or the error; `waiting` until then. */
export function Loaded<T>(props: {
  of: Loading<T>;
  waiting: ComponentChildren;
  children: (answer: T) => ComponentChildren;
}) {
  const { answer, error, load } = props.of;
  if (answer !== null) return props.children(answer);
  return error ? <Unloaded error={error} retry={load} /> : props.waiting;
}

/** @param children other actions besides the link to the lobby */
export function Lost(props: { title?: string; sentence: string; children?: ComponentChildren }) {
  const nothing = t('page.nothing');
  useTitle(props.title ? null : nothing); // with another title there may be content yet
  return (
    <div class="lost">
      <h1 tabIndex={-1}>{props.title ?? nothing}</h1>
      <p>{props.sentence}</p>
      <div class="submit-row">
        {props.children}
        <a class={props.children ? 'button' : 'button primary'} href="/">
          {t('page.to-lobby')}
        </a>
      </div>
    </div>
  );
}
