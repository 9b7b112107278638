/** Returns a decision of which nothing can be asked. */

import { animal } from './mischief.ts';

export default animal(
  'proxy-decision',
  () => new Proxy({}, { has: () => JSON.parse('{'), ownKeys: () => JSON.parse('{') }),
);
