/** Names stakes and prices that are none. */

import { animal } from './mischief.ts';

export default animal('bad-numbers', ({ market }) =>
  [Number.NaN, -1, 1e308, Number.POSITIVE_INFINITY, '2', 2n].flatMap((odd) => [
    { kind: 'place', market: market.id, outcome: market.outcomes[0]?.id, side: 'For', price: odd, stake: 2 },
    { kind: 'place', market: market.id, outcome: market.outcomes[0]?.id, side: 'For', price: 1000, stake: odd },
  ]),
);
