// @ts-check
// What somebody chose to see holds from the first paint on: so this comes before all else, and needs no texts.

import { checked, show } from './ui/preferences.js';
import { read } from './ui/storage.js';

show(document.documentElement, checked(read('preferences')));
