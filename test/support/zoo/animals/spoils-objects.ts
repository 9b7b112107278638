/** Adds to every object, and takes JSON, Math and promises away, in its realm. */

import { animal } from './mischief.ts';

export default animal('spoils-objects', () => {
  Object.defineProperty(Object.prototype, 'kind', { value: 'place', configurable: true });
  JSON.stringify = () => 'spoilt';
  Math.floor = () => 7;
  Object.assign(globalThis, { Promise: undefined, Map: undefined, Number: undefined });
  return [{}];
});
