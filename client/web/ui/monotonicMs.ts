/** Milliseconds of a clock that never jumps, since the page was loaded. */
export function monotonicMs(): number {
  return performance.now();
}
