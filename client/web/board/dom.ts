// Builds elements for boards, which draw themselves. Text only ever becomes a text node, so nothing that a player wrote
// can turn into markup.

import type { Attributes, Child, Properties } from '../types/page.d.ts';

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties?: Properties | null,
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener);
    else if (name === 'vars')
      for (const [key, v] of Object.entries(properties?.vars ?? {})) element.style.setProperty(key, String(v));
    else if (name === 'value') (element as HTMLInputElement).value = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

function append(parent: Element, child: Child) {
  if (Array.isArray(child)) for (const each of child) append(parent, each);
  else if (child instanceof Node) parent.append(child);
  else if (child !== null && child !== undefined && child !== false) parent.append(String(child));
}

/** Sets text only if it differs: a rewritten text node would be read out again and would lose its selection. */
export function setText(element: Element, text: string) {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element: Element, name: string, value: string | null) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export function button(label: Child, onclick: (event: MouseEvent) => void, properties?: Properties) {
  return el('button', { type: 'button', onclick, ...properties }, label);
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg<Tag extends keyof SVGElementTagNameMap>(tag: Tag, attributes: Attributes, ...children: Node[]) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
