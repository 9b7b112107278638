/** A command in this process that runs until it is told to end. */

import type { Terminal } from '../../../src/app/cli/terminal.ts';
import { watched } from '../running-command.ts';

export function terminalOf(start: (terminal: Terminal) => Promise<number>) {
  const abort = new AbortController();
  const said = { out: '', note: '' };
  const terminal: Terminal = {
    ...{ interactive: false, colourOut: false, colourNote: false, width: 100, signal: abort.signal },
    out: (text) => {
      said.out += text;
    },
    outAll: async (text) => {
      for (const piece of text) said.out += piece;
    },
    note: (text) => {
      said.note += text;
    },
  };
  const code = start(terminal);
  const { until } = watched({ said, code, pid: process.pid, kill: () => abort.abort('SIGTERM') });
  const end = (signal: NodeJS.Signals): Promise<number> => {
    abort.abort(signal);
    return code;
  };
  return { said, until, end };
}
