// Writes client/web/learn/lessons.json, the guided first games of the listed games, for the terminal: `node makeLessons.js`.

import './page.js';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lessonFor } from '../../client/web/learn/lessons.ts';
import { WEB } from './bundle.js';
import { playthroughs } from './examples.js';

export const LESSONS = path.join(WEB, 'learn', 'lessons.json');

/** A line for each game, as the file has it. */
export function lessonsText() {
  const games = new Map(playthroughs.map(({ rules }) => [rules.id, lessonFor(rules)]));
  const lines = [...games].map(([id, lesson]) => `${JSON.stringify(id)}: ${JSON.stringify(lesson)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

if (process.argv[1] === import.meta.filename) await writeFile(LESSONS, lessonsText());
