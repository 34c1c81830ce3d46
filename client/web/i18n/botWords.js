// @ts-check
// What bots are called and how they play, in the page's language. A bot that the texts do not know is told in the
// server's words.

import { hasText, t } from './language.js';

/** @typedef {{family: string, title?: string, character?: string}} Told */
/** @typedef {import('../types/page.js').Bot} Bot */

const MEASURED = /^(about|below) level (\d+)$/;

/** The same bot, described in the page's language. @param {Bot} bot @returns {Bot} */
export function botInWords(bot) {
  const parameters = bot.parameters.map((parameter) => ({ ...parameter, meaning: meaning(bot, parameter) }));
  const strengths = Object.fromEntries(
    Object.entries(bot.strengths ?? {}).map(([name, measured]) => [name, strengthWords(measured)]),
  );
  const measured = Object.fromEntries(
    Object.entries(bot.strengths ?? {}).map(([name, words]) => [name, measuredLevel(words)]),
  );
  return { ...bot, title: botTitle(bot), character: botCharacter(bot), parameters, strengths, measured };
}

/** @param {Told} bot */
export function botTitle({ family, title }) {
  return known(`bots.${family}.title`, title || family);
}

/** One sentence. @param {Told} bot */
export function botCharacter({ family, character }) {
  return known(`bots.${family}.character`, character ?? '');
}

/** What a number or a choice in a bot's name means. @param {Bot} bot @param {Bot['parameters'][number]} parameter */
function meaning({ family }, parameter) {
  return known(`bots.${family}.${parameter.name}`, parameter.meaning ?? parameter.name);
}

/** One of the words to choose from. @param {string} word */
export function choiceWord(word) {
  return known(`bots.choice.${word}`, word);
}

/** How strong a bot is where it was measured, as the server says it: "about level 3". @param {string} measured */
function strengthWords(measured) {
  const [, how, level] = MEASURED.exec(measured) ?? [];
  return how ? t(`bots.strength.${how}`, { level }) : measured;
}

/** The level that a bot is about as strong as, 0 where the server says it otherwise. @param {string} measured */
function measuredLevel(measured) {
  const [, how, level] = MEASURED.exec(measured) ?? [];
  return how === 'below' ? Number(level) - 0.5 : Number(level ?? 0);
}

/** @param {string} key @param {string} otherwise */
function known(key, otherwise) {
  return hasText(key) ? t(key) : otherwise;
}
