// What lies over the board until a game starts: the way to a seat, or to whoever shall take the other one.

import { pieces, t } from '../i18n/language.ts';
import { roomPath } from '../net/address.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copyField.tsx';
import { QrFold } from '../ui/qrCode.tsx';
import type { Hand } from './hand.ts';

export function Waiting({ hand }: { hand: Hand }) {
  const { code, state } = hand.room;
  const { game, seats, you } = state;
  if (game.started || game.result || (you && seats.x && seats.o)) return null;
  if (!you) {
    if (seats.x && seats.o) return null;
    return (
      <div class="before">
        <Button say="room.sit-down" class="primary big" act={() => hand.join()} />
      </div>
    );
  }
  const link = `${location.origin}${roomPath(state.room, code)}`;
  return (
    <div class="before">
      <div class="panel stack tight invitation">
        {code ? (
          <p>{pieces<preact.ComponentChild>('room.invite', { strong: <strong>{t('room.invite.send')}</strong> })}</p>
        ) : (
          <p>{t('room.look-around')}</p>
        )}
        <CopyField link={link} label={t(code ? 'room.invite.link' : 'room.link')} />
        <QrFold text={link} label={t('room.invite.qr')} />
      </div>
    </div>
  );
}
