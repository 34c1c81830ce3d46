// Lets node find the libraries of the page's modules, which are beside this file.

import { registerHooks } from 'node:module';

registerHooks({
  resolve: (asked, context, next) =>
    next(asked, /^[^./]/.test(asked) ? { ...context, parentURL: import.meta.url } : context),
});
