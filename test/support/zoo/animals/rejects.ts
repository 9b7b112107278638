/** Leaves a promise behind that is rejected. */

import { animal } from './mischief.ts';

export default animal('rejects', () => {
  void Promise.reject(new Error('nobody hears'));
  return [];
});
