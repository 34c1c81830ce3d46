import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CORNERS, extent, quarter, seen, stepOf, turnedKey } from '../../client/web/board/projection.ts';

/** Whether a line parts two shapes of four corners each. */
function apart(a, b) {
  return [a, b].some((shape) =>
    shape.some((from, i) => {
      const to = shape[(i + 1) % 4];
      const along = (set) => set.map((point) => point.x * (to.y - from.y) + point.y * (from.x - to.x));
      const [one, other] = [along(a), along(b)];
      return Math.max(...one) <= Math.min(...other) + 1e-9 || Math.max(...other) <= Math.min(...one) + 1e-9;
    }),
  );
}

/** @param {(pose: import('../../client/web/board/projection.ts').Pose, levels: number, layers: {x: number, y: number}[][]) => void} check */
function fromAllSides(check) {
  for (const levels of [3, 4, 5]) {
    for (const tilt of [10, 26, 40, 60]) {
      for (let spin = 0; spin < 360; spin += 3) {
        const pose = { spin, tilt, step: stepOf(1, tilt, levels) };
        const corners = (level) => CORNERS.map(([x, z]) => seen({ x, z, level: level - (levels - 1) / 2 }, pose));
        check(
          pose,
          levels,
          Array.from({ length: levels }, (_, level) => corners(level)),
        );
      }
    }
  }
}

test('an open cube hides nothing from any side', () => {
  fromAllSides((pose, _levels, layers) => {
    const covered = layers.slice(1).filter((layer, i) => !apart(layers[i], layer));
    assert.deepEqual(covered, [], JSON.stringify(pose));
  });
});

test('a cube lies in its extent from any side', () => {
  fromAllSides((pose, levels, layers) => {
    const box = extent(pose, levels);
    for (const { x, y } of layers.flat()) {
      assert.ok(Math.abs(x) <= box.side + 1e-9 && y >= -box.up - 1e-9 && y <= box.down + 1e-9, JSON.stringify(pose));
    }
  });
});

test('arrows follow the turned cube', () => {
  const keys = {
    0: 'ArrowRight',
    44: 'ArrowRight',
    90: 'ArrowDown',
    180: 'ArrowLeft',
    '-90': 'ArrowUp',
    '-24': 'ArrowRight',
    810: 'ArrowDown',
  };
  for (const [spin, key] of Object.entries(keys)) assert.equal(turnedKey('ArrowRight', Number(spin)), key);
  assert.equal(turnedKey('PageDown', 90), 'PageDown');
});

test('four quarter turns are none', () => {
  for (let spin = -720; spin <= 720; spin += 15) {
    assert.equal(quarter(spin + 360), quarter(spin));
    for (const key of ['ArrowUp', 'ArrowLeft']) assert.equal(turnedKey(key, spin + 360), turnedKey(key, spin));
  }
});

test('what is opened further stands further apart', () => {
  for (let open = 0; open < 1; open += 0.1) assert.ok(stepOf(open + 0.1, 26, 4) > stepOf(open, 26, 4));
});
