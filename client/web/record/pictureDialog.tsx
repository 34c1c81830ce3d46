// A picture of the position, or of the whole game, to share: made in the browser, and sent nowhere by the page. Loaded
// on demand.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { geometry } from '../board/geometry.ts';
import { inARow, strikes } from '../board/lines.ts';
import { playerName } from '../i18n/botWords.ts';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { Button } from '../ui/button.tsx';
import { Complaint, DialogTitle, openDialog } from '../ui/dialog.tsx';
import { saveAs } from '../ui/download.ts';
import { marks } from '../ui/settings.ts';
import { animated } from './animation.ts';
import type { Words } from './drawing.ts';
import { coloursNow, drawPosition } from './drawing.ts';
import type { Replay } from './replay.ts';
import { sheetOf } from './sheet.ts';
import { recordSentence } from './words.ts';

/** Pixels per unit of the sheet: still pictures are looked at closely, animations have to be small. */
const SHARP = 2;

export function openPicture(app: App, replay: Replay) {
  replay.pause();
  openDialog(app, (close) => <Pictures replay={replay} close={close} />, 'picture-dialog');
}

function Pictures({ replay, close }: { replay: Replay; close: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  /** How many frames of the animation are drawn; null while none is being made. */
  const done = useSignal<number | null>(null);
  const wrong = useSignal('');
  const open = useRef(true);
  const frames = replay.last + 1;
  useEffect(() => {
    paint(canvas.current as HTMLCanvasElement, replay, replay.ply.value, SHARP);
    return () => {
      open.current = false;
    };
  }, []);

  const pass = async (make: () => Promise<Blob | null>, name: string, how: Passing) => {
    wrong.value = '';
    try {
      const blob = await make();
      if (blob) await how(blob, name);
    } catch (error) {
      // Cancelling the system's share dialog is no error.
      if ((error as Error).name !== 'AbortError') wrong.value = t('picture.failed');
    }
    done.value = null;
  };
  const picture = () => toBlob(canvas.current as HTMLCanvasElement);
  const animation = () => {
    done.value = 0;
    const drawn = document.createElement('canvas');
    paint(drawn, replay, 0, 1);
    const tell = (count: number) => {
      done.value = count;
      return open.current;
    };
    return animated(drawn, frames, (ply) => paint(drawn, replay, ply, 1), tell);
  };
  const name = `noughts-${replay.id}`;
  const making = done.value !== null;
  return (
    <form method="dialog">
      <DialogTitle>{t('picture.title')}</DialogTitle>
      <canvas ref={canvas} class="picture-preview" role="img" aria-label={replay.place()} />
      {making && <progress aria-label={t('picture.making')} max={frames} value={done.value ?? 0} />}
      <Complaint>{wrong.value}</Complaint>
      <div class="submit-row">
        {canShare() && (
          <Button
            say="picture.share"
            class="primary"
            disabled={making}
            act={() => pass(picture, `${name}.png`, share)}
          />
        )}
        <Button
          say="picture.save"
          class={canShare() ? '' : 'primary'}
          disabled={making}
          act={() => pass(picture, `${name}.png`, saveAs)}
        />
        {frames > 1 && (
          <Button say="picture.animate" disabled={making} act={() => pass(animation, `${name}.gif`, saveAs)} />
        )}
        <Button say="picture.close" class="quiet" act={close} />
      </div>
    </form>
  );
}

type Passing = (blob: Blob, name: string) => unknown;

const share: Passing = (blob, name) => navigator.share({ files: [new File([blob], name, { type: blob.type })] });

function canShare() {
  const probe = new File([], 'probe.png', { type: 'image/png' });
  return 'canShare' in navigator && navigator.canShare({ files: [probe] });
}

/** Draws a position of the game on a canvas of the right size. */
function paint(canvas: HTMLCanvasElement, replay: Replay, ply: number, scale: number) {
  const board = geometry(replay.rules);
  const sheet = sheetOf(board);
  const [width, height] = [sheet.width * scale, sheet.height * scale];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  const { picture } = replay.picture(ply);
  const struck = strikes(board, picture.line, inARow(replay.rules) ?? 3);
  drawPosition(context, sheet, picture, struck, wordsOf(replay, ply), coloursNow(), scale);
}

function wordsOf(replay: Replay, ply: number): Words {
  const record = replay.record.value;
  const names = marks();
  const over = ply === replay.last && replay.over;
  return {
    left: `${names.x} ${playerName(record.x)} – ${names.o} ${playerName(record.o)}`,
    right: replay.rules.name,
    below: over ? recordSentence(record, names) : replay.place(ply),
  };
}

function toBlob(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
