/** Takes an order out of the list it was given. */

import { animal } from './mischief.ts';

export default animal('order-thief', ({ orders }) => {
  (orders as unknown[]).shift();
  return [];
});
