// In which order bots are listed. Pure.

import type { Bot } from '../types/page.d.ts';

/** Shown at once; the others are for the curious. */
export const SHOWN = ['strongest', 'perfect', 'level'];

/** The strongest first; those of whom nothing was measured behind the others, as the server lists them. */
export function byStrength(bots: Bot[]): Bot[] {
  const height = (bot: Bot) =>
    SHOWN.includes(bot.family) ? 100 - SHOWN.indexOf(bot.family) : (bot.measured?.[bot.name] ?? -1);
  return [...bots].sort((a, b) => height(b) - height(a));
}
