/** Makes a microtask in each microtask. */

import { animal } from './mischief.ts';

function again(): Promise<void> {
  return Promise.resolve().then(again);
}

export default animal('endless-microtasks', () => {
  void again();
  return [];
});
