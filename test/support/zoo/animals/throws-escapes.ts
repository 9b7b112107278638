/** Throws words that would write to the terminal. */

import { animal } from './mischief.ts';

export default animal('throws-escapes', () => {
  throw new Error('\u001b[2J\u0007\r\ngone');
});
