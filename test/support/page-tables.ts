/** The data that a page holds, as its script reads it. */

import { gunzipSync } from 'node:zlib';
import type { ColumnFile } from '../../src/pages/report/columns.ts';
import { readColumns } from '../../src/pages/report/read-columns.ts';

export function tablesIn(page: string): ColumnFile {
  const [, base64 = ''] = /id="data">([^<]*)</.exec(page) ?? [];
  return readColumns(gunzipSync(Buffer.from(base64, 'base64')));
}
