/** Deletes all that its realm has. */

import { animal } from './mischief.ts';

export default animal('deletes-globals', () => {
  for (const name of Object.getOwnPropertyNames(globalThis)) Reflect.deleteProperty(globalThis, name);
  return [];
});
