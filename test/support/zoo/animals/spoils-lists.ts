/** Replaces how lists grow, in its realm. */

import { animal } from './mischief.ts';

export default animal('spoils-lists', ({ orders }) => {
  Array.prototype.push = () => {
    throw new Error('spoilt');
  };
  [].push();
  return orders.slice(0, 0);
});
