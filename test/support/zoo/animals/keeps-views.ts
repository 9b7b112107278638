/** Keeps a view to ask it after the call, which never comes: what a strategy awaits is not run. */

import { animal } from './mischief.ts';

let kept: { readonly tradable: boolean } | undefined;

export default animal('keeps-views', ({ market }) => {
  kept ??= market;
  void Promise.resolve().then(() => kept?.tradable);
  return [];
});
