// How a page is printed: as ink on white, since a printer leaves out the grounds on which light letters and marks are seen.

import { listen } from './listen.ts';
import { preferences } from './settings.ts';

/** Every page is printed in the light theme. */
export function printLight() {
  const themed = (theme: string) => (document.documentElement.dataset.theme = theme);
  listen(window, { beforeprint: () => themed('light'), afterprint: () => themed(preferences().theme) });
}
