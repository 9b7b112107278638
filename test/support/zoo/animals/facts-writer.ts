/** Writes into the facts of a market when it is offered one. */

import { defineStrategy } from 'oddsmith';

export default defineStrategy({
  name: 'facts-writer',
  watches: (market) => (market.outcomes as unknown[]).splice(0).length > 0,
  decide: () => [],
});
