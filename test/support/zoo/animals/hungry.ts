/** Makes ten thousand objects at each call. */

import { animal } from './mischief.ts';

export default animal('hungry', ({ now }) => ({ state: Array.from({ length: 10_000 }, (_, at) => ({ at, now })) }));
