/** Calls itself without end, through views. */

import { animal } from './mischief.ts';

function deeper(market: { readonly outcomes: readonly unknown[] }): unknown {
  return market.outcomes.length > 0 ? [deeper(market)] : [];
}

export default animal('recurses', ({ market }) => deeper(market));
