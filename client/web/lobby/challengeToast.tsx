// A challenge to this player, told wherever one looks but in the lobby, which lists it itself.

import { useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { useApp } from '../ui/view.tsx';
import { challengeWords } from './challengeWords.ts';

export function ChallengeToast() {
  const app = useApp();
  const [later, setLater] = useState<string[]>([]);
  const isTold = new URL(app.path, location.origin).pathname === '/';
  const challenge = isTold ? undefined : app.lobby.challenges.find(({ room }) => !later.includes(room));
  return (
    <div class="toast challenge">
      {challenge && (
        <>
          <span>{challengeWords(challenge, app.catalog.name(challenge.game))}</span>
          <Button say="lobby.accept" act={() => app.join({ room: challenge.room })} />
          <Button say="lobby.decline" act={() => app.attempt(() => app.lobby.decline(challenge))} />
          <Button
            aria-label={t('lobby.later')}
            title={t('lobby.later')}
            act={() => setLater([...later, challenge.room])}
          >
            ×
          </Button>
        </>
      )}
    </div>
  );
}
