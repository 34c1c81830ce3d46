// Printing: as ink on white, since printers leave out the backgrounds that light letters and marks need.

import { listen } from './listen.ts';
import { preferences } from './settings.ts';

/** Every page is printed in the light theme. */
export function printLight() {
  const themed = (theme: string) => (document.documentElement.dataset.theme = theme);
  listen(window, { beforeprint: () => themed('light'), afterprint: () => themed(preferences().theme) });
}
