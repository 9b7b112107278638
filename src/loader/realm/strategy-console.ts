/** The console of a strategy: what it writes becomes lines of our own output, and never part of a result. */

import { inspect } from 'node:util';
import { printable } from '../../words/printable.ts';

/** Writes one line, which comes without its line end. */
export type Say = (line: string) => void;

/** A strategy that writes at every price would drown all other output. */
export const CONSOLE_LINES_MAX = 1_000;
const LINE_MAX = 2_000;

const METHODS = ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir', 'table'] as const;

export function guestConsole(say: Say): Readonly<Record<string, (...values: readonly unknown[]) => void>> {
  let lines = 0;
  const write = (...values: readonly unknown[]): void => {
    lines += 1;
    if (lines > CONSOLE_LINES_MAX) return;
    say(printable(values.map(valueText).join(' ').slice(0, LINE_MAX)));
    if (lines === CONSOLE_LINES_MAX) say(`${CONSOLE_LINES_MAX} lines were written: no more are shown`);
  };
  return Object.freeze({
    ...Object.fromEntries(METHODS.map((method) => [method, write])),
    assert: (isSo: unknown, ...values: readonly unknown[]) => {
      if (!isSo) write('Assertion failed', ...values);
    },
  });
}

/** Text of a value, made without calling its code: neither its own inspection nor a proxy's traps. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  return inspect(value, {
    customInspect: false,
    showProxy: true,
    depth: 3,
    breakLength: Number.POSITIVE_INFINITY,
    maxArrayLength: 20,
    maxStringLength: LINE_MAX,
  });
}
