// Prints the names and rules of games as the page tells them in English: node gameWords.js ID ...

import './page.js';
import { gameName, gameSentences } from '../../client/web/i18n/gameWords.ts';

const ids = process.argv.slice(2);
process.stdout.write(JSON.stringify(ids.map((id) => [gameName({ id }), gameSentences({ id })])));
