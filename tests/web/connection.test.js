import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from '../../client/web/net/connection.ts';

test('who one is may change before a request goes', async () => {
  const line = new Connection('', /** @type {any} */ (null));
  line.send = async () => /** @type {any} */ ('sent');
  line.hold();
  const answers = ['before', 'after'].map((id) => line.request(/** @type {any} */ ({}), id).catch(({ name }) => name));
  line.player = /** @type {any} */ ({ id: 'after' });
  line.state = 'open';
  line.changed();
  assert.deepEqual(await Promise.all(answers), ['Error', 'sent']);
  line.heard(); // it doubts no line any more
});
