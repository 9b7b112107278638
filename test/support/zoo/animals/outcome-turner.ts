/** Turns the list of outcomes round. */

import { animal } from './mischief.ts';

export default animal('outcome-turner', ({ market }) => {
  (market.outcomes as unknown[]).reverse();
  return [];
});
