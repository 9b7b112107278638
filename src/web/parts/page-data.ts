/** Reads the data that a page holds: base64, gzipped columns. */

import type { ColumnFile } from '../../pages/report/columns.ts';
import { readColumns } from '../../pages/report/read-columns.ts';

/** Undefined where the page has no such data. */
export async function pageData(id: string): Promise<ColumnFile | undefined> {
  const text = document.getElementById(id)?.textContent;
  if (text === undefined || text === null || text === '') return undefined;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return readColumns(new Uint8Array(await new Response(unpacked).arrayBuffer()));
}
