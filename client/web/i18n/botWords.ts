// Names and descriptions of bots in the page's language. A bot without texts keeps the server's words.

import type { Bot } from '../types/page.d.ts';
import { hasText, t } from './language.ts';

export type Told = { family: string; title?: string; character?: string };

type Named = { name: string; kind?: 'bot' | 'person'; bot?: string | null };

const MEASURED = /^(about|below) level (\d+)$/;

/** The name of a player. A person keeps the name they chose, even one like a bot's. */
export function playerName({ name, kind, bot }: Named) {
  return bot || kind === 'bot' ? botFullName(bot || name) : name;
}

/** A bot's full name for people: "Level 2", "Random", "Alpha-beta (3)". An unknown one stays as it is. */
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

/** The description in one sentence. */
export function botCharacter({ family, character }: Told) {
  return known(`bots.${family}.character`, character ?? '');
}

/** What a parameter in a bot's name means. */
function meaning({ family }: Bot, parameter: Bot['parameters'][number]) {
  return known(`bots.${family}.${parameter.name}`, parameter.meaning ?? parameter.name);
}

/** One option of a parameter. */
export function choiceWord(word: string) {
  return known(`bots.choice.${word}`, word);
}

/** A bot's measured strength, as the server words it: "about level 3". */
function strengthWords(measured: string) {
  const [, how, level] = MEASURED.exec(measured) ?? [];
  return how ? t(`bots.strength.${how}`, { level }) : measured;
}

/** The level of about the same strength, or 0 if the server's words name none. */
function measuredLevel(measured: string) {
  const [, how, level] = MEASURED.exec(measured) ?? [];
  return how === 'below' ? Number(level) - 0.5 : Number(level ?? 0);
}

function known(key: string, otherwise: string) {
  return hasText(key) ? t(key) : otherwise;
}
