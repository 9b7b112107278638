/** Writes into its params. */

import { animal } from './mischief.ts';

export default animal('param-writer', ({ params }) => {
  Object.assign(params, { stake: 1e9 });
  return [];
});
