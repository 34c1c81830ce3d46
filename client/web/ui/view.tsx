// Views drawn by components, their panels, and the app as every component can get it.

import { type ComponentChildren, createContext, type Ref, render } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { App, View } from '../main.tsx';

export const AppContext = createContext<App | null>(null);

/** The app that a component is part of. */
export function useApp(): App {
  return useContext(AppContext) as App;
}

/** The page's title, once it is known. */
export function useTitle(title: string | null | undefined) {
  const app = useApp();
  useLayoutEffect(() => {
    if (title) app.setTitle(title);
  }, [title]);
}

/** Fills the place of a view until it goes. */
export function drawnView(app: App, title: string, content: ComponentChildren): View {
  const node = document.createElement('div');
  node.className = 'view';
  render(<AppContext.Provider value={app}>{content}</AppContext.Provider>, node);
  return { node, title, unmount: () => render(null, node) };
}

/** An element that draws itself, such as a board, among components; in place before the first paint. */
export function Hosted({ node, ...rest }: { node: Element; class?: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(node), [node]);
  return <div ref={place} {...rest} />;
}

type PanelProps = {
  /** Makes ids of panels unique. */
  name: string;
  title: string;
  /** The rank and other classes. */
  class?: string;
  /** To focus the title, or scroll to it. */
  heading?: Ref<HTMLHeadingElement>;
  children: ComponentChildren;
};

/** A titled part of a view. */
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
