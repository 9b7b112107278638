/** What is wrong with a strategy or its signals, as one error with the strategy's own file and line. */

import { relative } from 'node:path';
import { OddsmithError } from '../core/checks/oddsmith-error.ts';
import type { SignalFault } from './signals/signal-file.ts';
import type { StrategyFault } from './strategy-loader-fault.ts';

type StrategyErrorCode = StrategyFault['code'] | SignalFault['code'];

/** The file is named as seen from the working directory, where it lies below it. */
export function strategyError(fault: StrategyFault | SignalFault): OddsmithError<StrategyErrorCode> {
  const near = relative('', fault.file);
  const file = near === '' || near.startsWith('..') ? fault.file : near;
  const column = 'column' in fault ? fault.column : undefined;
  const inFile = [file, fault.line, column].filter((part) => part !== undefined).join(':');
  const where = ('where' in fault ? fault.where : undefined) ?? inFile;
  return new OddsmithError({ code: fault.code, what: fault.what, where, why: fault.why, next: fault.next });
}
