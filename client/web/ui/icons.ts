// One family of icons: on a grid of 24, strokes of 2 with round ends. Text or a label beside each says what it means.

import { svg } from '../board/dom.ts';

export const ICONS = {
  play: 'M9 4v16M15 4v16M4 9h16M4 15h16',
  learn: 'M12 7c-2-1.7-4.7-2.2-8-2v13c3.3-.2 6 .3 8 2 2-1.7 4.7-2.2 8-2V5c-3.3-.2-6 .3-8 2zM12 7v13',
  ladder: 'M8 3v18M16 3v18M8 7.5h8M8 12h8M8 16.5h8',
  stats: 'M5 20v-6M12 20V5M19 20v-9',
  explorer: 'M4 12h4c4 0 4-6 8-6h4M8 12c4 0 4 6 8 6h4',
  settings: 'M4 6h9m5 0h2M4 12h2m5 0h9M4 18h9m5 0h2M15.5 3.5v5M8.5 9.5v5M15.5 15.5v5',
  person: 'M12 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5zM4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  // Of the cube
  left: 'M5 4.5v6h6M5.5 10.5a7.5 7.5 0 1 1 1.5 7.5',
  right: 'M19 4.5v6h-6M18.5 10.5a7.5 7.5 0 1 0-1.5 7.5',
  up: 'M5 15.5l7-7 7 7',
  down: 'M5 8.5l7 7 7-7',
  reset: 'M12 3.5l7.5 4.25v8.5L12 20.5l-7.5-4.25v-8.5zM12 12v8.5M12 12l7.5-4.25M12 12L4.5 7.75',
};

export function icon(name: keyof typeof ICONS) {
  return svg(
    'svg',
    { class: 'icon line', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    svg('path', { d: ICONS[name] }),
  );
}
