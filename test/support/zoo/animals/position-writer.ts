/** Says of its position that it is flat. */

import { animal } from './mischief.ts';

export default animal('position-writer', ({ position }) => {
  Object.defineProperty(position, 'isFlat', { value: true });
  return [];
});
