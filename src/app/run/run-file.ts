/** `replay.json` beside a run's journal: what a replay of its tapes needs to know, without secrets. The daemon writes it. */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BacktestOptions } from '../../backtest/options/backtest-options.ts';
import type { Money } from '../../core/number/units.ts';
import { requireFile } from '../../recording/tape/path-kind.ts';
import type { Bound } from '../../report/figures/bounds.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import { CliError } from '../cli/cli-error.ts';

/** Beside the journal and the tapes. */
export const RUN_FILE = 'replay.json';

/** Fields that older files of the same format lack, with the values that all runs had then. */
const BEFORE_REFILL = { refill: 'never' } as const;

/** For a live run, latency, rules and fees are what its replay assumes of the real exchange. */
export interface RunFile
  extends Pick<BacktestOptions, 'latency' | 'fillRules' | 'inPlayDelay' | 'commission' | 'seed'> {
  readonly format: 1;
  readonly version: string;
  readonly mode: 'live' | 'paper';
  /** In the order of the configuration. */
  readonly strategies: readonly RunStrategy[];
  /** In the order of the configuration. */
  readonly wallets: readonly RunFileWallet[];
  /** The limits that the bot judged by: with the `staleMs` of its freshness, and without the heartbeat, which a replay does not have. */
  readonly limits: Limits;
  readonly fills: Bound;
  readonly intentsMax: number;
}

export interface RunStrategy {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  /** As configured. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The value of each parameter that it declares, given or by default, with durations as people write them. Absent in older files. */
  readonly paramsUsed?: Readonly<Record<string, unknown>>;
  /** Of its code, when the run started. */
  readonly sha256: string;
  /** A wallet's name. */
  readonly wallet: string;
  /** Files that it may read; absent: none. */
  readonly files?: readonly string[];
}

export interface RunFileWallet {
  readonly name: string;
  readonly currency: string;
  /** At the start of the run; `unlimited` if it is not known. */
  readonly balance: Money | 'unlimited';
}

/** Replaces the file at once: a reader finds the old one or the new one. @throws what the file system throws */
export function writeRunFile(directory: string, run: RunFile): void {
  const path = join(directory, RUN_FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(run, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** @throws CliError RUN_NOT_FOUND or RUN_NOT_READABLE */
export function readRunFile(directory: string): RunFile {
  const path = join(directory, RUN_FILE);
  let text: string;
  try {
    requireFile(path);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError({
      code: 'RUN_NOT_FOUND',
      what: 'There is no run to compare.',
      where: path,
      why: existsSync(path)
        ? messageOf(error)
        : 'The file is not there: no run that recorded begins in this directory.',
      next: 'Name the directory of a run that recorded: dir of its configuration, with record: true.',
    });
  }
  const run = parsed(text);
  if (isRun(run)) return { ...run, fillRules: { ...BEFORE_REFILL, ...run.fillRules } };
  const why = faultOf(run);
  throw new CliError({
    code: 'RUN_NOT_READABLE',
    what: 'The description of the run is none that this version reads.',
    where: path,
    ...(why === undefined ? {} : { why }),
    next: 'Compare it with the version of oddsmith that ran it, or put the file back from a copy.',
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type IsOf = (value: unknown) => boolean;
const isText: IsOf = (value) => typeof value === 'string';
const isNumber: IsOf = (value) => typeof value === 'number';
const isMap: IsOf = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNamed: IsOf = (value) => isMap(value) && isText(Object(value).name);

/** What every file of the format has, whichever version wrote it. */
const FIELDS: Readonly<Partial<Record<keyof RunFile, IsOf>>> = {
  format: (value) => value === 1,
  mode: (value) => value === 'live' || value === 'paper',
  version: isText,
  fills: isText,
  seed: isNumber,
  intentsMax: isNumber,
  fillRules: isMap,
  limits: isMap,
  latency: (value) => isMap(value) && isMap(Object(value).request) && isMap(Object(value).response),
  inPlayDelay: (value) => value === 'recorded' || isMap(value),
  commission: (value) => value === 'recorded' || isMap(value),
  strategies: (value) => Array.isArray(value) && value.every(isStrategy),
  wallets: (value) => Array.isArray(value) && value.every((each) => isNamed(each) && isText(each.currency)),
};

function isStrategy(value: unknown): boolean {
  const { file, params, sha256, wallet, files }: Partial<Record<keyof RunStrategy, unknown>> = Object(value);
  const isGranted = files === undefined || (Array.isArray(files) && files.every(isText));
  return isNamed(value) && isText(file) && isMap(params) && isText(sha256) && isText(wallet) && isGranted;
}

function isRun(run: unknown): run is RunFile {
  return faultOf(run) === undefined;
}

/** Undefined where nothing is wrong. */
function faultOf(run: unknown): string | undefined {
  if (!isMap(run)) return 'It is no JSON, or no map: it was cut, or another program wrote it.';
  const wrong = Object.entries(FIELDS).find(([name, is]) => !is(Object(run)[name]));
  return wrong && `Its "${wrong[0]}" is missing, or none that this version knows.`;
}
