// Applies the stored theme and preferences before the first paint, so this runs before everything else and needs no
// texts. It requests them, though, because they take longest.

import './i18n/textFile.ts';
import { checked, show } from './ui/preferences.ts';
import { read } from './ui/storage.ts';

show(document.documentElement, checked(read('preferences')));
