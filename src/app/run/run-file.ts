/** `replay.json` beside a run's journal: what a replay of its tapes needs to know, without secrets. The daemon writes it. */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import type { BacktestOptions } from '../../backtest/options/backtest-options.ts';
import type { Money } from '../../core/number/units.ts';
import { OWN_SCHEMAS } from '../../core/own-schemas.ts';
import { requireFile } from '../../recording/tape/path-kind.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import { proposeSideWords, type SideWords } from '../../words/side-words.ts';
import { CliError } from '../cli/cli-error.ts';

/** The name of the file beside the journal and the tapes. */
export const RUN_FILE = 'replay.json';

/** Fields that older files of the same format lack, with the values that all runs had then. */
const BEFORE_REFILL = { refill: 'never' } as const;

/** What a run was. Latency, rules and fees of a live run are what its replay assumes of the real exchange. */
export interface RunFile
  extends Pick<BacktestOptions, 'latency' | 'fillRules' | 'inPlayDelay' | 'commission' | 'seed'> {
  readonly format: 1;
  readonly version: string;
  readonly mode: 'live' | 'paper';
  /** The strategies in the order of the configuration. */
  readonly strategies: readonly RunStrategy[];
  /** The wallets in the order of the configuration. */
  readonly wallets: readonly RunFileWallet[];
  /** The limits that the bot judged by: with the `staleMs` of its freshness, and without the heartbeat, which a replay does not have. */
  readonly limits: Limits;
  readonly fills: Bound;
  readonly intentsMax: number;
  /** The words that its configuration chose for the sides; absent: back and lay. */
  readonly sides?: SideWords;
}

export interface RunStrategy {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  /** The params as configured. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The value of each parameter that it declares, given or by default, with durations as people write them. Absent in older files. */
  readonly paramsUsed?: Readonly<Record<string, unknown>>;
  /** The SHA-256 of its code when the run started. */
  readonly sha256: string;
  /** A wallet's name. */
  readonly wallet: string;
  /** Files that it may read; absent: none. */
  readonly files?: readonly string[];
}

export interface RunFileWallet {
  readonly name: string;
  readonly currency: string;
  /** The balance at the start of the run; `unlimited` if it is not known. */
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
  const run = checked(parsed(text));
  if (typeof run !== 'string') {
    proposeSideWords(run.sides);
    return { ...run, fillRules: { ...BEFORE_REFILL, ...run.fillRules } };
  }
  throw new CliError({
    code: 'RUN_NOT_READABLE',
    what: 'The description of the run is none that this version reads.',
    where: path,
    why: run,
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

const string = Type.String();
const map = Type.Object({});
const recordedOr = Type.Union([Type.Literal('recorded'), map]);

/** What every file of the format has, whichever version wrote it. */
const RunSchema = Type.Object({
  format: Type.Literal(1),
  mode: Type.Union([Type.Literal('live'), Type.Literal('paper')]),
  ...{ version: string, fills: string, seed: Type.Number(), intentsMax: Type.Number(), fillRules: map, limits: map },
  latency: Type.Object({ request: map, response: map }),
  ...{ inPlayDelay: recordedOr, commission: recordedOr },
  strategies: Type.Array(
    Type.Object({
      ...{ name: string, file: string, params: map, sha256: string, wallet: string },
      files: Type.Optional(Type.Array(string)),
    }),
  ),
  wallets: Type.Array(Type.Object({ name: string, currency: string })),
});

/** Compiled when a run is first read: most commands read none. */
let accepts: ValidateFunction<RunFile> | undefined;

/** The run, or what is wrong with it. */
function checked(run: unknown): RunFile | string {
  accepts ??= new Ajv(OWN_SCHEMAS).compile<RunFile>(RunSchema);
  if (accepts(run)) return run;
  const { instancePath = '', params = {} } = accepts.errors?.[0] ?? {};
  const field = instancePath.split('/')[1] ?? params['missingProperty'];
  return field === undefined
    ? 'It is no JSON, or no map: it was cut, or another program wrote it.'
    : `Its "${field}" is missing, or none that this version knows.`;
}
