/** Writes into an order. */

import { animal } from './mischief.ts';

export default animal('order-writer', ({ orders }) => {
  for (const order of orders) Object.assign(order, { stakeUnmatched: 0, exchangeId: 1 });
  return [];
});
