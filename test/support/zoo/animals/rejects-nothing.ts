/** Leaves a promise behind that is rejected with nothing that could be asked. */

import { animal } from './mischief.ts';

export default animal('rejects-nothing', () => {
  void Promise.reject(undefined);
  return [];
});
