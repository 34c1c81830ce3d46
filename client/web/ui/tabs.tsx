// Tabs: one of several panels is visible. Arrow keys move between tabs, one of which is in the tab order.

import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

export type Tab = {
  id: string;
  label: string;
  /** a badge beside the label, and its meaning */
  badge?: { text: string; meaning: string } | null;
  content: ComponentChildren;
};

/** Hidden panels keep their state: what is typed in one is not lost. */
export function Tabs(props: { label: string; tabs: Tab[]; chosen: string; onChoose: (id: string) => void }) {
  const { label, tabs, chosen, onChoose } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const walk = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const to = nextTab(event.key, at, tabs.length);
    if (to === null) return;
    event.preventDefault();
    onChoose(tabs[to].id);
    (list.current?.children[to] as HTMLElement | undefined)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={walk}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            class="tab"
            id={`${id}-${tab.id}`}
            aria-controls={`${id}-${tab.id}-panel`}
            aria-selected={tab.id === chosen}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => onChoose(tab.id)}
          >
            {tab.label}
            {tab.badge && (
              <span class="badge" role="img" aria-label={tab.badge.meaning}>
                {tab.badge.text}
              </span>
            )}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          class={`tab-panel tab-panel-${tab.id}`}
          role="tabpanel"
          id={`${id}-${tab.id}-panel`}
          aria-labelledby={`${id}-${tab.id}`}
          hidden={tab.id !== chosen}
        >
          {tab.content}
        </div>
      ))}
    </>
  );
}

/** The index of the tab that a key leads to, or null. */
function nextTab(key: string, at: number, count: number) {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
