/** Makes a command line error of what is wrong with a strategy or its signals. */

import { relative } from 'node:path';
import { CliError } from '../cli/cli-error.ts';
import type { SignalFault } from './signal-file.ts';
import type { StrategyFault } from './strategy-loader-fault.ts';

export function strategyError(fault: StrategyFault | SignalFault): CliError {
  const near = relative(process.cwd(), fault.file);
  const file = near === '' || near.startsWith('..') ? fault.file : near;
  const column = 'column' in fault ? fault.column : undefined;
  const place = [file, fault.line, column].filter((part) => part !== undefined).join(':');
  return new CliError({ code: fault.code, what: fault.what, where: place, why: fault.why, next: fault.next });
}
