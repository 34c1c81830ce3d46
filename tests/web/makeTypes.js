// Makes client/web/types/protocol.d.ts of docs/protocol.schema.json, which the server's types make.
// `--check` writes nothing, and fails where the file is not the one that would be made.

import { readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';

const SCHEMA = new URL('../../docs/protocol.schema.json', import.meta.url);
const TYPES = new URL('../../client/web/types/protocol.d.ts', import.meta.url);

/** One interface `Protocol` that leads to every message and answer; each of them is a type of its own. */
async function made() {
  const { client, server, answers, $defs } = JSON.parse(await readFile(SCHEMA, 'utf8'));
  delete client.allOf; // bounds, and what goes together, of which types say nothing
  const whole = {
    title: 'Protocol',
    ...object({ client, server, answers: object(answers) }),
    $defs,
  };
  return compile(whole, 'Protocol', {
    additionalProperties: false,
    bannerComment: '// Made of docs/protocol.schema.json by `npm run types` in tests/web: not to be edited.',
    style: { singleQuote: true, printWidth: 120 },
    ignoreMinAndMaxItems: true,
    unknownAny: true,
  });
}

/** @param {Record<string, unknown>} properties */
function object(properties) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const types = await made();
if (!process.argv.includes('--check')) {
  await writeFile(TYPES, types);
} else if ((await readFile(TYPES, 'utf8')) !== types) {
  console.error('client/web/types/protocol.d.ts is not what docs/protocol.schema.json says: run `npm run types`.');
  process.exitCode = 1;
}
