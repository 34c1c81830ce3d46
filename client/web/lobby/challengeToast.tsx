// A challenge to this player, shown in every view except the lobby, which lists it.

import { t } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { useApp } from '../ui/view.tsx';
import { challengeWords } from './challengeWords.ts';

export function ChallengeToast() {
  const app = useApp();
  const isTold = new URL(app.path, location.origin).pathname === '/';
  const challenge = isTold ? undefined : app.lobby.urgent;
  return (
    <div class="toast challenge">
      {challenge && (
        <>
          <span>{challengeWords(challenge, app.catalog.name(challenge.game))}</span>
          <Button say="lobby.accept" act={() => app.join(challenge.room)} />
          <Button say="lobby.decline" act={() => app.attempt(() => app.lobby.decline(challenge))} />
          <Button aria-label={t('lobby.later')} title={t('lobby.later')} act={() => app.lobby.putOff(challenge)}>
            ×
          </Button>
        </>
      )}
    </div>
  );
}
