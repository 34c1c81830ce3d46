// The sentence about a challenge.

import { playerName } from '../i18n/botWords.ts';
import { shortGameName } from '../i18n/gameWords.ts';
import { joined, t } from '../i18n/language.ts';
import { clockWords } from '../room/clock.ts';
import type { Seek } from '../types/page.d.ts';
import { freeSide, sideWords } from './quickStart.ts';

/** @param game its name in the catalogue, if known */
export function challengeWords(challenge: Seek, game: string) {
  const about = [
    shortGameName({ id: challenge.game, name: game }),
    clockWords(challenge.clock),
    challenge.rated && t('lobby.rated'),
    sideWords(freeSide(challenge)),
  ];
  return t('page.challenge', { name: playerName(challenge.by), about: joined(about, ' · ') });
}
