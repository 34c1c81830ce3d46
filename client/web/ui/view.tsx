// Views drawn by components, the panels that they are made of, and what every component may ask for: the app.

import { type ComponentChildren, createContext, type Ref, render } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { App, View } from '../main.tsx';

export const AppContext = createContext<App | null>(null);

/** The app that a component is part of. */
export function useApp(): App {
  return useContext(AppContext) as App;
}

/** What the page is called once that is known. */
export function useTitle(title: string | null | undefined) {
  const app = useApp();
  useLayoutEffect(() => {
    if (title) app.setTitle(title);
  }, [title]);
}

/** What stands in the place of a view until it goes. */
export function drawnView(app: App, title: string, content: ComponentChildren): View {
  const node = document.createElement('div');
  node.className = 'view';
  render(<AppContext.Provider value={app}>{content}</AppContext.Provider>, node);
  return { node, title, unmount: () => render(null, node) };
}

/** An element that draws itself, such as a board, in the midst of components; there before anything is painted. */
export function Hosted({ node, ...rest }: { node: Element; class?: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(node), [node]);
  return <div ref={place} {...rest} />;
}

type PanelProps = {
  /** Tells the panels of a view apart. */
  name: string;
  title: string;
  /** Its rank and what is more. */
  class?: string;
  /** Where the title can be brought into sight by itself. */
  heading?: Ref<HTMLHeadingElement>;
  children: ComponentChildren;
};

/** A part of a view below a title. */
export function Panel({ name, title, heading, children, ...look }: PanelProps) {
  return (
    <section class={`panel ${look.class ?? ''}`} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`} tabIndex={heading ? -1 : undefined} ref={heading}>
        {title}
      </h2>
      {children}
    </section>
  );
}
