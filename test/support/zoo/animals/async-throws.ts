/** Decides later, and throws then. */

import { animal } from './mischief.ts';

export default animal('async-throws', async () => {
  await undefined;
  throw new Error('later');
});
