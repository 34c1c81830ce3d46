// @ts-check
// Builds elements. Text only ever becomes a text node, so nothing that a player wrote can turn into markup.

/** @typedef {import('../types/page.js').Child} Child */
/** @typedef {import('../types/page.js').Properties} Properties */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties|null} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === 'vars')
      for (const [key, v] of Object.entries(properties?.vars ?? {})) element.style.setProperty(key, String(v));
    else if (name === 'value') /** @type {HTMLInputElement} */ (element).value = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Element} parent @param {Child} child */
function append(parent, child) {
  if (Array.isArray(child)) for (const each of child) append(parent, each);
  else if (child instanceof Node) parent.append(child);
  else if (child !== null && child !== undefined && child !== false) parent.append(String(child));
}

/** Replaces everything in `parent`. @param {Element} parent @param {...Child} children */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/** Sets text only where it differs: a rewritten text node would be read out again and would lose a selection. */
export function setText(/** @type {Element} */ element, /** @type {string} */ text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Element} element @param {string} name @param {string|null} value */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** A name that somebody chose: isolated, so that right-to-left letters do not turn the words around it. The names of
 * bots may be broken where their parameters begin. */
export function personName(/** @type {string} */ name) {
  return el(
    'bdi',
    { class: 'name' },
    name
      .split(/([^:,]*[:,])/)
      .filter(Boolean)
      .map((part, i) => [i > 0 && el('wbr'), part]),
  );
}

/**
 * A player's name that leads to their page.
 * @param {{id: string, name: string}} player @param {string} [key] tells it apart in a list that is built anew
 */
export function playerLink(player, key) {
  return el(
    'a',
    { class: 'player', href: `/player/${encodeURIComponent(player.id)}`, 'data-key': key ?? null },
    personName(player.name),
  );
}

/** @param {Child} label @param {(event: MouseEvent) => void} onclick @param {Properties} [properties] */
export function button(label, onclick, properties) {
  return el('button', { type: 'button', onclick, ...properties }, label);
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {import('../types/page.js').Attributes} attributes @param {...Node} children
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
