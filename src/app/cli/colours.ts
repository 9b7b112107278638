/** The terminal's colours, by what a report wants to say with them. */

import type { Colours } from '../../report/text/table.ts';
import type { Paint } from './terminal.ts';

export function inkOf(paint: Paint): Colours {
  return { bold: paint.bold, dim: paint.dim, gain: paint.green, loss: paint.red, warn: paint.yellow };
}
