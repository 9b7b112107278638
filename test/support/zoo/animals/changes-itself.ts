/** Replaces its own decision while it decides. */

import { calmly } from './mischief.ts';

const plugin = {
  name: 'changes-itself',
  decide(input: Parameters<typeof calmly>[0]) {
    plugin.name = 'somebody-else';
    plugin.decide = () => JSON.parse('{');
    return calmly(input);
  },
};

export default plugin;
