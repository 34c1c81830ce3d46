// What is seen while an invitation is taken up.

import { useEffect } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { roomPath } from '../net/address.ts';
import { ConnectionLost } from '../net/connection.ts';
import { isTaken } from '../net/rooms.ts';
import { useApp } from '../ui/view.tsx';

export function Joining({ code }: { code: string }) {
  const app = useApp();
  useEffect(() => {
    let wanted = true;
    const goTo = (room: string) => app.navigate(roomPath(room, code), { replace: true });
    const join = async () => {
      while (wanted) {
        await app.connection.ready();
        try {
          const room = await app.rooms.join({ code });
          if (wanted) goTo(room.state.room);
          return;
        } catch (error) {
          if (error instanceof ConnectionLost) continue;
          const taken = isTaken(error) ? error.room : null;
          if (taken && wanted) goTo(taken);
          else if (wanted) app.missing(error, t('page.joining.missing'));
          return;
        }
      }
    };
    void join();
    return () => {
      wanted = false;
    };
  }, [code]);
  return (
    <div class="lost">
      <h1 tabIndex={-1}>{t('page.joining')}</h1>
    </div>
  );
}
