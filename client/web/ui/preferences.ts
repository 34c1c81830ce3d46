// A player's preferences, checked and with defaults. Pure but for `show`.

/**
 * `confirm`: a move takes two touches. `premove`: moves can be planned on the opponent's turn. `thoughts`: what a bot
 * thinks is shown if the server sends it. `colours` names a pair, `theme` the page's colours.
 */
export type Preferences = {
  confirm: boolean;
  premove: boolean;
  coordinates: boolean;
  animation: 'system' | 'off';
  sound: boolean;
  thoughts: boolean;
  colours: string;
  theme: string;
};

/** Pairs of colours, named as in tokens.css. The first is the default. */
export const COLOURS = ['blue-orange', 'ink-red', 'violet-ochre'];

/** Themes, named as in tokens.css. The first follows the system. */
export const THEMES = ['system', 'light', 'dark', 'chalk'];

export const DEFAULTS: Preferences = {
  confirm: false,
  premove: true,
  coordinates: true,
  animation: 'system',
  sound: false,
  thoughts: true,
  colours: COLOURS[0],
  theme: THEMES[0],
};

/** Stored preferences, as far as they are valid. */
export function checked(stored: unknown): Preferences {
  const given = (stored && typeof stored === 'object' ? stored : {}) as Partial<Preferences>;
  const flag = (name: 'confirm' | 'premove' | 'coordinates' | 'sound' | 'thoughts') =>
    typeof given[name] === 'boolean' ? given[name] : DEFAULTS[name];
  return {
    confirm: flag('confirm'),
    premove: flag('premove'),
    coordinates: flag('coordinates'),
    animation: given.animation === 'off' ? 'off' : 'system',
    sound: flag('sound'),
    thoughts: flag('thoughts'),
    colours: COLOURS.find((pair) => pair === given.colours) ?? DEFAULTS.colours,
    theme: THEMES.find((theme) => theme === given.theme) ?? DEFAULTS.theme,
  };
}

/** Applies them to the stylesheet. */
export function show(root: HTMLElement, preferences: Preferences) {
  root.dataset.colours = preferences.colours;
  root.dataset.theme = preferences.theme;
  root.dataset.coordinates = preferences.coordinates ? 'on' : 'off';
  root.dataset.animation = preferences.animation;
}
