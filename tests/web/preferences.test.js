import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checked, DEFAULTS } from '../../client/web/ui/preferences.ts';

test('what was stored is used as far as it can be', () => {
  assert.deepEqual(DEFAULTS, {
    confirm: false,
    premove: true,
    coordinates: true,
    animation: 'system',
    sound: false,
    thoughts: true,
    colours: 'blue-orange',
    theme: 'system',
  });
  for (const nonsense of [
    null,
    undefined,
    7,
    'confirm',
    [],
    {},
    { confirm: 'yes', animation: 'fast', colours: 'pink', theme: 'neon', sound: 1 },
  ]) {
    assert.deepEqual(checked(nonsense), DEFAULTS);
  }
  const chosen = {
    ...DEFAULTS,
    confirm: true,
    coordinates: false,
    animation: 'off',
    colours: 'ink-red',
    theme: 'chalk',
  };
  assert.deepEqual(checked(chosen), chosen);
  assert.deepEqual(checked({ ...chosen, later: 'unknown' }), chosen);
});
