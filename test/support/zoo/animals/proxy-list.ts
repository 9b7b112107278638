/** Returns a list that throws when it is read. */

import { animal } from './mischief.ts';

export default animal('proxy-list', () => new Proxy([1], { get: () => JSON.parse('{') }));
