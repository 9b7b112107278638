/** What every command is given, and the exit code it leaves behind. */

import type { ExitCode } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

export interface CommandContext {
  readonly terminal: Terminal;
  /** Set by a command that ends well but not with 0. */
  exitCode: ExitCode;
}
