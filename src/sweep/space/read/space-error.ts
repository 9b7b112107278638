/** What is wrong with the block `sweep` of a configuration, with its place in the file. */

import type { ConfigErrorCode } from '../../../backtest/options/loaded-config.ts';
import { OddsmithError } from '../../../core/checks/oddsmith-error.ts';

interface SpaceFault {
  readonly code?: ConfigErrorCode;
  readonly what: string;
  readonly where: string;
  readonly why?: string;
  readonly next: string;
}

export function spaceError({ code = 'CONFIG_INVALID', ...parts }: SpaceFault): OddsmithError<ConfigErrorCode> {
  return new OddsmithError({ code, ...parts });
}
