// Rows of the lobby's lists: a name, a description and actions.

import type { ComponentChildren } from 'preact';

export function Row(props: {
  what: ComponentChildren;
  about?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <li class={props.class}>
      <span class="row-what">
        {props.what}
        {props.about && <small>{props.about}</small>}
      </span>
      {props.children}
    </li>
  );
}

/** @param none the text of an empty list */
export function List(props: { class: string; title: string; none?: string; children: ComponentChildren[] }) {
  return (
    <section class={`panel ${props.class}`}>
      <h2>{props.title}</h2>
      {props.children.length ? <ul>{props.children}</ul> : <p class="empty">{props.none}</p>}
    </section>
  );
}
