// The order in which bots are offered, and which bot a full name selects. Pure.

import { botName, firstBot, isLevels } from '../net/catalog.ts';
import type { Bot } from '../types/page.d.ts';

export type Chosen = { bot: Bot; values: string[]; name: string };

/** The bot asked for if it plays this game, else the first one offered. Null if there is none. */
export function chosenBot(bots: Bot[], wanted: string): Chosen | null {
  const [family, given] = wanted.split(':', 2);
  const bot = bots.find((each) => each.family === family) ?? firstBot(bots);
  if (!bot) return null;
  const typed = bot.family === family ? (given?.split(',') ?? []) : [];
  const values = bot.parameters.map((parameter, i) => {
    const value = typed[i] ?? String(parameter.default);
    // Where a game has fewer levels, a higher one means the top level.
    return isLevels(bot) ? String(Math.min(Number(value) || 1, parameter.max as number)) : value;
  });
  return { bot, values, name: botName(bot, values) };
}

/** The full name with another value for a parameter. */
export function withValue({ bot, values }: Chosen, at: number, value: string) {
  return botName(
    bot,
    values.map((before, i) => (i === at ? value.trim() : before)),
  );
}

/** Shown at once; the others are for the curious. */
export const SHOWN = ['strongest', 'perfect', 'level'];

/** The strongest first; bots without a measured strength last, in the server's order. */
export function byStrength(bots: Bot[]): Bot[] {
  const height = (bot: Bot) =>
    SHOWN.includes(bot.family) ? 100 - SHOWN.indexOf(bot.family) : (bot.measured?.[bot.name] ?? -1);
  return [...bots].sort((a, b) => height(b) - height(a));
}
