// How a turned cube is projected on the screen: where its points appear, how large it can be drawn, and how far apart
// its layers must be so that none hides another. Pure. Lengths are in sides of a layer, until they are scaled.
//
// x runs along the files and z along the ranks, towards the viewer; both are 0 in the middle. `spin` turns around the
// vertical axis, `tilt` is how far the viewer looks down, both in degrees. Every layer has the same perspective: the lower ones
// are copies of the first, shifted down by `step`. So a few numbers say what hides what.

export type Pose = { spin: number; tilt: number; step: number };
/** levels count from the middle: -1.5 is the top one of four */
export type Place = { x: number; z: number; level: number };

/** The viewing distance: the smaller, the stronger the perspective. */
const DISTANCE = 6;
export const TILTS = { least: 10, most: 60 };

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Where a point appears, and how near it is. */
export function seen({ x, z, level }: Place, { spin, tilt, step }: Pose): { x: number; y: number; near: number } {
  const [sin, cos] = [Math.sin(radians(spin)), Math.cos(radians(spin))];
  const towards = z * cos - x * sin;
  const near = towards * Math.cos(radians(tilt));
  const scale = DISTANCE / (DISTANCE - near);
  return { x: (x * cos + z * sin) * scale, y: towards * Math.sin(radians(tilt)) * scale + level * step, near };
}

/**
 * The same as a CSS transform of the layer's element.
 * @param side in px
 */
export function transform(level: number, { spin, tilt, step }: Pose, side: number, scale: number) {
  const down = `translateY(${level * step * side * scale}px) scale(${scale})`;
  return `${down} perspective(${DISTANCE * side}px) rotateX(${-tilt}deg) rotateY(${spin}deg) rotateX(90deg)`;
}

/** The corners of a layer, in order around it. */
export const CORNERS = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [-0.5, 0.5],
];

/** The greatest distances of a layer's corners from its middle: up, down and sideways. */
function reach(tilt: number) {
  const corner = Math.SQRT1_2;
  const at = (x: number, z: number) => seen({ x, z, level: 0 }, { spin: 0, tilt, step: 0 });
  // The maximum sideways is reached when a corner is a little nearer than the middle.
  const turned = Math.asin((corner * Math.cos(radians(tilt))) / DISTANCE);
  return {
    up: -at(0, -corner).y,
    down: at(0, corner).y,
    side: at(corner * Math.cos(turned), corner * Math.sin(turned)).x,
  };
}

/**
 * The distance between layers, from a closed cube (0) to an open one (1). When it is open, no layer hides any part of
 * another, from any side.
 */
export function stepOf(open: number, tilt: number, levels: number) {
  const closed = Math.cos(radians(tilt)) / levels;
  const { up, down } = reach(tilt);
  return closed + open * Math.max(0, up + down - closed);
}

/** The space that the cube needs at any spin, around the middle of the middle layer. */
export function extent({ tilt, step }: Pose, levels: number) {
  const { up, down, side } = reach(tilt);
  const most = ((levels - 1) / 2) * step;
  return { side, up: most + up, down: most + down };
}

/** The quarter turn nearest to a spin, 0 to 3. */
export function quarter(spin: number) {
  return ((Math.round(spin / 90) % 4) + 4) % 4;
}

const AROUND = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'];

/** The board's arrow key that moves in the direction that this key shows on the screen. */
export function turnedKey(key: string, spin: number) {
  const at = AROUND.indexOf(key);
  return at < 0 ? key : AROUND[(at + quarter(spin)) % 4];
}
