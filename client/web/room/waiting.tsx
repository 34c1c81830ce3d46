// What covers the board until a game starts: the way to a seat, or the invitation for the other one.

import { useMemo } from 'preact/hooks';
import { pieces, t } from '../i18n/language.ts';
import { roomPath } from '../net/address.ts';
import type { LiveRoom } from '../net/rooms.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copyField.tsx';
import { Name } from '../ui/names.tsx';
import { QrFold } from '../ui/qrCode.tsx';
import { useApp } from '../ui/view.tsx';
import type { Hand } from './hand.ts';

export function Waiting({ hand }: { hand: Hand }) {
  const challenged = useChallenged(hand.room);
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
        {challenged && (
          <p>{pieces<preact.ComponentChild>('room.challenged', { name: <Name name={challenged.name} /> })}</p>
        )}
        {code ? (
          <p>{pieces<preact.ComponentChild>('room.invite', { strong: <strong>{t('room.invite.send')}</strong> })}</p>
        ) : (
          <p>{t('room.look-around')}</p>
        )}
        {!challenged && (
          <>
            <CopyField link={link} label={t(code ? 'room.invite.link' : 'room.link')} />
            <QrFold text={link} label={t('room.invite.qr')} />
          </>
        )}
      </div>
    </div>
  );
}

/** The only player who may take the free seat, if this page asked for one: a link would lead others nowhere. */
function useChallenged({ asked }: LiveRoom) {
  const { lobby } = useApp();
  return useMemo(() => lobby.state?.people.find(({ id }) => id === asked?.opponent?.player), [asked]);
}
