// Prints one module of the page, named below client/web, as a script that a browser can import.

import { moduleScript, WEB } from './bundle.js';

process.stdout.write(await moduleScript(WEB, process.argv[2]));
