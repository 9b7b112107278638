/** Writes into the market that all share. */

import { animal } from './mischief.ts';

export default animal('market-writer', ({ market }) => {
  Object.defineProperty(market, 'tradable', { value: false });
  return [];
});
