/** A line of the log as a person at a terminal wants to read it: one line, the alert's code first. */

import { printable } from '../../../words/printable.ts';
import type { Paint } from '../../cli/terminal.ts';

interface Written {
  readonly level?: unknown;
  readonly time?: unknown;
  readonly alert?: unknown;
  readonly msg?: unknown;
  readonly repeats?: unknown;
}

/** `text` is one line of JSON as the log writes it. */
export function humanLine(text: string, paint: Paint): string {
  const line: Written = Object(JSON.parse(text));
  const time = String(line.time).slice(11, 23);
  const level = String(line.level);
  const colour = level === 'error' ? paint.red : level === 'warn' ? paint.yellow : paint.dim;
  const alert = line.alert === undefined ? '' : `${paint.bold(String(line.alert))}  `;
  const repeats = line.repeats === undefined ? '' : paint.dim(`  (and ${String(line.repeats)} like it before)`);
  return `${paint.dim(time)} ${colour(level.padEnd(5))} ${alert}${printable(oneLine(String(line.msg)))}${repeats}\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' · ');
}
