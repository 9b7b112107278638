/** What every command is given, and the exit code it leaves behind. */

import type { Terminal } from './terminal.ts';

export interface CommandContext {
  readonly terminal: Terminal;
  /** Set by a command that ends well but not with 0: one of ours, or that of a program which it ran. */
  exitCode: number;
}
