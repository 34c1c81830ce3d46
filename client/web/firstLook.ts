// What somebody chose to see holds from the first paint on: so this comes before all else, and needs no texts. It asks for
// them, though: they take longest.

import './i18n/textFile.ts';
import { checked, show } from './ui/preferences.ts';
import { read } from './ui/storage.ts';

show(document.documentElement, checked(read('preferences')));
