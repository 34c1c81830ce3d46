// How somebody likes to play, checked and with what holds where nothing was chosen. Pure but for `show`.

/** * `confirm`: a move takes two touches. `premove`: a move may be planned on the opponent's turn. `thoughts`: what a bot thinks
   is shown where the server tells it. `colours` names a pair, `theme` the colours of the page. */
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

/** Pairs of colours, named as in tokens.css. The first holds where none was chosen. */
export const COLOURS = ['blue-orange', 'ink-red', 'violet-ochre'];

/** Themes, named as in tokens.css. The first is light or dark, as the system is. */
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

/** What was stored, as far as it can be used. */
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

/** Lets the stylesheet know. */
export function show(root: HTMLElement, preferences: Preferences) {
  root.dataset.colours = preferences.colours;
  root.dataset.theme = preferences.theme;
  root.dataset.coordinates = preferences.coordinates ? 'on' : 'off';
  root.dataset.animation = preferences.animation;
}
