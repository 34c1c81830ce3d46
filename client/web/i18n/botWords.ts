// What bots are called and how they play, in the page's language. A bot that the texts do not know is told in the
// server's words.

import type { Bot } from '../types/page.d.ts';
import { hasText, t } from './language.ts';

export type Told = { family: string; title?: string; character?: string };

type Named = { name: string; kind?: 'bot' | 'person'; bot?: string | null };

const MEASURED = /^(about|below) level (\d+)$/;

/** What a player is called. Whoever plays for themselves keeps the name they chose, even one like that of a bot. */
export function playerName({ name, kind, bot }: Named) {
  return bot || kind === 'bot' ? botFullName(bot || name) : name;
}

/** A bot's full name as people say it: "Level 2", "Random", "Alpha-beta (3)". One that is not known here stays as it is. */
export function botFullName(name: string) {
  const [family, values] = name.split(':', 2);
  const title = known(`bots.${family}.title`, name);
  if (!values || title === name) return values === undefined ? title : name;
  if (family === 'level') return /^\d+$/.test(values) ? t('bots.level', { level: values }) : name;
  return t('bots.named', { title, parameters: values.split(',').map(choiceWord).join(', ') });
}

/** The same bot, described in the page's language. */
export function botInWords(bot: Bot): Bot {
  const parameters = bot.parameters.map((parameter) => ({ ...parameter, meaning: meaning(bot, parameter) }));
  const strengths = Object.fromEntries(
    Object.entries(bot.strengths ?? {}).map(([name, measured]) => [name, strengthWords(measured)]),
  );
  const measured = Object.fromEntries(
    Object.entries(bot.strengths ?? {}).map(([name, words]) => [name, measuredLevel(words)]),
  );
  return { ...bot, title: botTitle(bot), character: botCharacter(bot), parameters, strengths, measured };
}

export function botTitle({ family, title }: Told) {
  return known(`bots.${family}.title`, title || family);
}

/** One sentence. */
export function botCharacter({ family, character }: Told) {
  return known(`bots.${family}.character`, character ?? '');
}

/** What a number or a choice in a bot's name means. */
function meaning({ family }: Bot, parameter: Bot['parameters'][number]) {
  return known(`bots.${family}.${parameter.name}`, parameter.meaning ?? parameter.name);
}

/** One of the words to choose from. */
export function choiceWord(word: string) {
  return known(`bots.choice.${word}`, word);
}

/** How strong a bot is where it was measured, as the server says it: "about level 3". */
function strengthWords(measured: string) {
  const [, how, level] = MEASURED.exec(measured) ?? [];
  return how ? t(`bots.strength.${how}`, { level }) : measured;
}

/** The level that a bot is about as strong as, 0 where the server says it otherwise. */
function measuredLevel(measured: string) {
  const [, how, level] = MEASURED.exec(measured) ?? [];
  return how === 'below' ? Number(level) - 0.5 : Number(level ?? 0);
}

function known(key: string, otherwise: string) {
  return hasText(key) ? t(key) : otherwise;
}
