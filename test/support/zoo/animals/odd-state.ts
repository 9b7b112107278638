/** Keeps a state that is frozen and turns back on itself. */

import { animal } from './mischief.ts';

const circle: { self?: unknown } = {};
circle.self = circle;
Object.freeze(circle);

export default animal('odd-state', () => ({ state: circle }));
