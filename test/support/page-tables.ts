/** The data that a page holds, as its script reads it. */

import { gunzipSync } from 'node:zlib';
import type { ColumnFile } from '../../src/report/page/columns.ts';
import { readColumns } from '../../src/report/page/read-columns.ts';

export function tablesIn(page: string): ColumnFile {
  const [, base64 = ''] = /id="data">([^<]*)</.exec(page) ?? [];
  return readColumns(gunzipSync(Buffer.from(base64, 'base64')));
}
