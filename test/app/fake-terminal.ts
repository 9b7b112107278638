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

/** With a signal that stands for Ctrl-C. */
export async function runUntil(signal: AbortSignal, args: readonly string[]): Promise<Printed> {
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
    signal,
  };
  const code = await runCli(args, terminal);
  return { code, ...printed };
}
