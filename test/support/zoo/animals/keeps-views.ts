/** Keeps a view and asks it later. */

import { animal } from './mischief.ts';

let kept: { readonly tradable: boolean } | undefined;

export default animal('keeps-views', ({ market }) => {
  kept ??= market;
  void Promise.resolve().then(() => kept?.tradable);
  return [];
});
