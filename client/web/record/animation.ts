// A whole game as an animated GIF, made in the browser.

import { applyPalette, GIFEncoder, quantize } from 'gifenc/dist/gifenc.esm.js';

const COLOURS = 63;
/** The palette index of unchanged pixels. */
const SAME = COLOURS;
const LONGEST_MS = 60_000;
const STEP_MS = { least: 120, most: 800 };
const LAST_MS = 3_000;

/** How long each position is shown: long games are played faster. Pure. */
export function delayOf(frames: number) {
  return Math.round(Math.min(STEP_MS.most, Math.max(STEP_MS.least, LONGEST_MS / frames)));
}

/**
 * @param draw draws one position on the canvas, from 0 to `frames` - 1
 * @param told gets the number of finished frames, and returns whether to go on
 */
export async function animated(
  canvas: HTMLCanvasElement,
  frames: number,
  draw: (frame: number) => void,
  told: (done: number) => boolean,
): Promise<Blob | null> {
  const { width, height } = canvas;
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  const pixels = (frame: number) => {
    draw(frame);
    return context.getImageData(0, 0, width, height).data;
  };
  const gif = GIFEncoder();
  const delay = delayOf(frames);
  // The last two positions have all the colours.
  const colours = quantize(joined(pixels(frames - 1), pixels(Math.max(0, frames - 2))), COLOURS);
  const palette = Array.from({ length: COLOURS + 1 }, (_, i) => colours[i] ?? [0, 0, 0]);
  let before: Uint8Array | null = null;
  for (let frame = 0; frame < frames; frame++) {
    const last = frame === frames - 1;
    const now = applyPalette(pixels(frame), colours);
    gif.writeFrame(before ? changes(before, now) : now, width, height, {
      palette: frame ? undefined : palette,
      delay: last ? LAST_MS : delay,
      repeat: 0,
      transparent: frame > 0,
      transparentIndex: SAME,
      dispose: 1, // keep the frame before
    });
    before = now;
    await new Promise((resolve) => setTimeout(resolve)); // the page stays responsive
    if (!told(frame + 1)) return null;
  }
  gif.finish();
  return new Blob([gif.bytes()], { type: 'image/gif' });
}

/** Replaces unchanged pixels, which are most of them. */
function changes(before: Uint8Array, now: Uint8Array) {
  return now.map((colour, i) => (colour === before[i] ? SAME : colour));
}

function joined(one: Uint8ClampedArray, other: Uint8ClampedArray) {
  const both = new Uint8ClampedArray(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
