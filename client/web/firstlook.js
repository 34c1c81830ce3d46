// @ts-check
// What somebody chose to see holds from the first paint on: so this comes before all else, and needs no texts.

import { checked, show } from './preferences.js';
import { read } from './storage.js';

show(document.documentElement, checked(read('preferences')));
