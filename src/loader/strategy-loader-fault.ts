/** What can be wrong with a strategy file, as one block that shows the user where it is and what to do. */

import { relative } from 'node:path';
import { OddsmithError } from '../core/checks/oddsmith-error.ts';
import type { SignalFault } from './signals/signal-file.ts';

export const STRATEGY_FAULT_CODES = {
  STRATEGY_NOT_FOUND: 'there is no such file',
  STRATEGY_SYNTAX: 'the file is no TypeScript or JavaScript',
  STRATEGY_IMPORT: 'a module or an export that the file imports does not exist or is not allowed',
  STRATEGY_NO_DEFAULT_EXPORT: 'the file has no default export',
  STRATEGY_SHAPE: 'the default export is not shaped as a strategy',
  STRATEGY_PARAM: 'a parameter is unknown, missing or not allowed',
  STRATEGY_THROW: 'the strategy threw',
  STRATEGY_LOAD_TIMEOUT: 'the file did not come to its end while it was loaded',
} as const;

export type StrategyFaultCode = keyof typeof STRATEGY_FAULT_CODES;

/** Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface StrategyFault extends Place {
  readonly code: StrategyFaultCode;
  /** What happened: a sentence. */
  readonly what: string;
  readonly why: string;
  /** What to do next. */
  readonly next: string;
  /** The place to correct, if that is not in the strategy's file: `file:line:column` of a configuration, or a flag. */
  readonly where?: string | undefined;
  /** The calls that led there, in the user's own files and lines. */
  readonly stack?: string;
}

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
