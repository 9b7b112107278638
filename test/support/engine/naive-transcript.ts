/** The transcript's hash as its format says it: every row put together by itself, all rows joined, hashed at once. */

import { createHash } from 'node:crypto';

/** Numbers are one row of little-endian doubles, texts are UTF-8. */
export function naiveTranscript(heading: string, parts: readonly (readonly number[] | string)[]): string {
  const bytes = parts.map((part) => {
    if (typeof part === 'string') return Buffer.from(part, 'utf8');
    const row = Buffer.alloc(8 * part.length);
    for (const [cell, value] of part.entries()) row.writeDoubleLE(value, 8 * cell);
    return row;
  });
  return createHash('sha256')
    .update(Buffer.concat([Buffer.from(heading), ...bytes]))
    .digest('hex');
}
