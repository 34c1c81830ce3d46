// Two short synthesised sounds: your turn, and the end of the game. Browsers play none before the user has touched the
// page; until then sounds are dropped, not queued.

/** In hertz, one after the other. */
const TURN = [660, 880];
const END = [520, 390];
const NOTE_S = 0.09;
const LOUD = 0.08;

let context: AudioContext | null = null;

export function ring(which: 'turn' | 'end') {
  // A context made before any touch would start suspended, and browsers warn about it.
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume().catch(() => {});
    const line = context;
    (which === 'turn' ? TURN : END).forEach((pitch, i) => note(line, pitch, line.currentTime + i * NOTE_S));
  } catch {
    // No sound device, or no permission: the page goes on without.
  }
}

function note(line: AudioContext, pitch: number, from: number) {
  const tone = line.createOscillator();
  const volume = line.createGain();
  tone.type = 'triangle';
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUD, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + 2 * NOTE_S); // avoids a click at its end
  tone.connect(volume).connect(line.destination);
  tone.start(from);
  tone.stop(from + 2 * NOTE_S);
}
