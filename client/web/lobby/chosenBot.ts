// Which bots are offered in which order, and which of them a full name chooses. Pure.

import { botName, firstBot, isLevels } from '../net/catalog.ts';
import type { Bot } from '../types/page.d.ts';

export type Chosen = { bot: Bot; values: string[]; name: string };

/** The bot that was wanted if it plays this game, else the first to offer. Null where none does. */
export function chosenBot(bots: Bot[], wanted: string): Chosen | null {
  const [family, given] = wanted.split(':', 2);
  const bot = bots.find((each) => each.family === family) ?? firstBot(bots);
  if (!bot) return null;
  const typed = bot.family === family ? (given?.split(',') ?? []) : [];
  const values = bot.parameters.map((parameter, i) => {
    const value = typed[i] ?? String(parameter.default);
    // Where there are fewer levels, a higher one is the top.
    return isLevels(bot) ? String(Math.min(Number(value) || 1, parameter.max as number)) : value;
  });
  return { bot, values, name: botName(bot, values) };
}

/** The full name with another value. */
export function withValue({ bot, values }: Chosen, at: number, value: string) {
  return botName(
    bot,
    values.map((before, i) => (i === at ? value.trim() : before)),
  );
}

/** Shown at once; the others are for the curious. */
export const SHOWN = ['strongest', 'perfect', 'level'];

/** The strongest first; those of whom nothing was measured behind the others, as the server lists them. */
export function byStrength(bots: Bot[]): Bot[] {
  const height = (bot: Bot) =>
    SHOWN.includes(bot.family) ? 100 - SHOWN.indexOf(bot.family) : (bot.measured?.[bot.name] ?? -1);
  return [...bots].sort((a, b) => height(b) - height(a));
}
