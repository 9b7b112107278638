/** Throws when it makes its first state. */

import { defineStrategy } from 'oddsmith';

export default defineStrategy({
  name: 'state-throws',
  state: () => JSON.parse('{'),
  decide: () => [],
});
