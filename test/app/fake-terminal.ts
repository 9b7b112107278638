/** Runs commands with everything they print caught. */

import type { Terminal } from '../../src/app/cli/terminal.ts';
import { runCli } from '../../src/app/start/cli.ts';

export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly note: string;
}

export async function run(...args: readonly string[]): Promise<Printed> {
  return runUntil(new AbortController().signal, args);
}

/** In a terminal of so many columns. */
export async function runIn(columnsOut: number, ...args: readonly string[]): Promise<Printed> {
  return runUntil(new AbortController().signal, args, columnsOut);
}

/** With a signal that stands for Ctrl-C. */
export async function runUntil(
  signal: AbortSignal,
  args: readonly string[],
  columnsOut?: number | undefined,
): Promise<Printed> {
  const printed = { out: '', note: '' };
  const terminal: Terminal = {
    out: (text) => {
      printed.out += text;
    },
    outAll: async (pieces) => {
      for (const piece of pieces) printed.out += piece;
    },
    note: (text) => {
      printed.note += text;
    },
    interactive: false,
    colourOut: false,
    colourNote: false,
    width: 100,
    columnsOut,
    signal,
  };
  const code = await runCli(args, terminal);
  return { code, ...printed };
}
