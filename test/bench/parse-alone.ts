/** The yardstick of replay and import: splitting a recording into lines and JSON.parse of each, nothing else. */

import { claim, type Measured, Stopwatch } from './figure.ts';

export const PARSE_ALONE = 'split and JSON.parse of each line';

/** The text is in memory already, best as one byte a character: that is the fastest that JSON.parse reads. */
export function parseAlone(text: string): Measured {
  const operations = countLines(text);
  return {
    operations,
    run() {
      const watch = new Stopwatch();
      const parsed = parseLines(text);
      const seconds = watch.seconds();
      claim(parsed === operations, 'JSON.parse alone read another number of lines');
      return seconds;
    },
  };
}

/** How many lines were objects. */
export function parseLines(text: string): number {
  let parsed = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object') parsed += 1;
  }
  return parsed;
}

export function countLines(text: string): number {
  let lines = 0;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    if (end > start) lines += 1;
    start = end + 1;
  }
  return start < text.length ? lines + 1 : lines;
}
