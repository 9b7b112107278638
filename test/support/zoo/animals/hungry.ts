/** Makes a hundred thousand objects at each call. */

import { animal } from './mischief.ts';

export default animal('hungry', ({ now }) => ({ state: Array.from({ length: 100_000 }, (_, at) => ({ at, now })) }));
