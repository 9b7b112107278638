/** Returns an intent whose stake grows with each look. */

import { animal } from './mischief.ts';

export default animal('shifting-stake', ({ market }) => {
  let looks = 0;
  const intent = { kind: 'place', market: market.id, outcome: market.outcomes[0]?.id, side: 'For', price: 1000 };
  return [
    Object.defineProperty(intent, 'stake', {
      get: () => {
        looks += 1;
        if (looks > 1) throw new Error('read twice');
        return -1;
      },
    }),
  ];
});
