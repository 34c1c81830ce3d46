// How a turned cube lies on the screen: where its points are seen, how large it may be drawn, how far its layers must
// be apart so that none hides another. Pure. Lengths are in sizes of a layer's side, until they are scaled.
//
// x runs with the files and z with the ranks, towards whoever looks; both are 0 in the middle. `spin` turns around the
// upright axis, `tilt` is how much one looks from above, in degrees. Each layer is seen in perspective, all in the
// same: the lower ones are copies of the first, `step` further down. So a few numbers tell what hides what.

export type Pose = { spin: number; tilt: number; step: number };
/** levels count from the middle: -1.5 is the top one of four */
export type Place = { x: number; z: number; level: number };

/** How far away one looks from: the less, the more what is near is enlarged. */
const DISTANCE = 6;
export const TILTS = { least: 10, most: 60 };

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Where a place is seen, and how near it is. */
export function seen({ x, z, level }: Place, { spin, tilt, step }: Pose): { x: number; y: number; near: number } {
  const [sin, cos] = [Math.sin(radians(spin)), Math.cos(radians(spin))];
  const towards = z * cos - x * sin;
  const near = towards * Math.cos(radians(tilt));
  const scale = DISTANCE / (DISTANCE - near);
  return { x: (x * cos + z * sin) * scale, y: towards * Math.sin(radians(tilt)) * scale + level * step, near };
}

/**
 * What does the same to the element of a layer.
 * @param side in px
 */
export function transform(level: number, { spin, tilt, step }: Pose, side: number, scale: number) {
  const down = `translateY(${level * step * side * scale}px) scale(${scale})`;
  return `${down} perspective(${DISTANCE * side}px) rotateX(${-tilt}deg) rotateY(${spin}deg) rotateX(90deg)`;
}

/** The corners of a layer, one after the other around it. */
export const CORNERS = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [-0.5, 0.5],
];

/** How far the corners of a layer ever are from its middle, upwards, downwards and to the side. */
function reach(tilt: number) {
  const corner = Math.SQRT1_2;
  const at = (x: number, z: number) => seen({ x, z, level: 0 }, { spin: 0, tilt, step: 0 });
  // The side is reached where a corner is a little nearer than the middle; nearer still it would be less far out.
  const turned = Math.asin((corner * Math.cos(radians(tilt))) / DISTANCE);
  return {
    up: -at(0, -corner).y,
    down: at(0, corner).y,
    side: at(corner * Math.cos(turned), corner * Math.sin(turned)).x,
  };
}

/**
 * How far a layer stands below the one before, from a cube that is closed (0) to one that is open (1): no layer hides
 * anything of another then, from whichever side one looks.
 */
export function stepOf(open: number, tilt: number, levels: number) {
  const closed = Math.cos(radians(tilt)) / levels;
  const { up, down } = reach(tilt);
  return closed + open * Math.max(0, up + down - closed);
}

/** What the cube needs whichever way it is spun, around the middle of the middle layer. */
export function extent({ tilt, step }: Pose, levels: number) {
  const { up, down, side } = reach(tilt);
  const most = ((levels - 1) / 2) * step;
  return { side, up: most + up, down: most + down };
}

/** Which quarter turn a spin is nearest to, 0 to 3. */
export function quarter(spin: number) {
  return ((Math.round(spin / 90) % 4) + 4) % 4;
}

const AROUND = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'];

/** The key that leads on the board where this one leads on the screen. */
export function turnedKey(key: string, spin: number) {
  const at = AROUND.indexOf(key);
  return at < 0 ? key : AROUND[(at + quarter(spin)) % 4];
}
