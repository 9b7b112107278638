/** Throws a proxy that itself throws at every access. */

import { animal } from './mischief.ts';

export default animal('throws-proxy', () => {
  const no = () => JSON.parse('{');
  throw new Proxy({}, { get: no, has: no, getPrototypeOf: no, ownKeys: no });
});
