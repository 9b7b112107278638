/** Names markets, outcomes and orders that are not there, or not its own. */

import { animal } from './mischief.ts';

export default animal('stranger', ({ market }) => [
  { kind: 'place', market: 'x'.repeat(1e6), outcome: 'y', side: 'For', price: 2, stake: 2 },
  { kind: 'place', market: market.id, outcome: 'nobody', side: 'For', price: 2, stake: 2 },
  { kind: 'cancel', order: 1e9 },
  { kind: 'replace', order: -1, price: 2 },
]);
