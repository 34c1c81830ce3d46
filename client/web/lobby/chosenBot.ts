// Which bot a full name chooses among those that play a game, and what stands in its fields. Pure.

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
