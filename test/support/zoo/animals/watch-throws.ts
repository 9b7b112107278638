/** Throws when it is offered a market. */

import { defineStrategy } from 'oddsmith';

export default defineStrategy({
  name: 'watch-throws',
  watches: () => JSON.parse('{'),
  decide: () => [],
});
