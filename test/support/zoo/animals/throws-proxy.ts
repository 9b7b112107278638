/** Throws what throws whatever is asked of it. */

import { animal } from './mischief.ts';

export default animal('throws-proxy', () => {
  const no = () => JSON.parse('{');
  throw new Proxy({}, { get: no, has: no, getPrototypeOf: no, ownKeys: no });
});
