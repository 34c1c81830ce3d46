// @ts-check
// How somebody likes to play, checked and with what holds where nothing was chosen. Pure but for `show`.

/**
 * @typedef {{confirm: boolean, premove: boolean, coordinates: boolean, animation: 'system'|'off', sound: boolean,
 *            thoughts: boolean, colours: string}} Preferences
 *   `confirm`: a move takes two touches. `premove`: a move may be planned on the opponent's turn. `thoughts`: what a bot thinks
 *   is shown where the server tells it. `colours` names a pair.
 */

/** Pairs of colours, named as in tokens.css. The first holds where none was chosen. */
export const COLOURS = ['blue-orange', 'ink-red', 'violet-ochre'];

/** @type {Preferences} */
export const DEFAULTS = {
  confirm: false,
  premove: true,
  coordinates: true,
  animation: 'system',
  sound: false,
  thoughts: true,
  colours: COLOURS[0],
};

/** What was stored, as far as it can be used. @param {unknown} stored @returns {Preferences} */
export function checked(stored) {
  const given = /** @type {Partial<Preferences>} */ (stored && typeof stored === 'object' ? stored : {});
  const flag = (/** @type {'confirm'|'premove'|'coordinates'|'sound'|'thoughts'} */ name) =>
    typeof given[name] === 'boolean' ? given[name] : DEFAULTS[name];
  return {
    confirm: flag('confirm'),
    premove: flag('premove'),
    coordinates: flag('coordinates'),
    animation: given.animation === 'off' ? 'off' : 'system',
    sound: flag('sound'),
    thoughts: flag('thoughts'),
    colours: COLOURS.find((pair) => pair === given.colours) ?? DEFAULTS.colours,
  };
}

/** Lets the stylesheet know. @param {HTMLElement} root @param {Preferences} preferences */
export function show(root, preferences) {
  root.dataset.colours = preferences.colours;
  root.dataset.coordinates = preferences.coordinates ? 'on' : 'off';
  root.dataset.animation = preferences.animation;
}
