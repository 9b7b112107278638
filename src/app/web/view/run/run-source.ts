/** Finds out what kind of run a directory holds, and reads it. */

import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readColumns } from '../../../../pages/report/read-columns.ts';
import type { ReportFacts } from '../../../../pages/report/report-facts.ts';
import type { PackedReport } from '../../../../report/html/html.ts';
import { STORE } from '../../../../sweep/statistics/tried-trials.ts';
import { CliError } from '../../../cli/cli-error.ts';
import { hasRun } from '../../../parity/opened-run.ts';
import { checkRunDirectory, keptReport, REPORT_DATA } from '../../../run-report/kept-report.ts';
import { BacktestTapes } from './backtest-tapes.ts';
import { LiveSource } from './live-source.ts';
import { ordersOfColumns, plotsOfColumns } from './own-orders.ts';
import type { PlayedMarket, RunSource, ViewedRun, ViewedTapes } from './viewed-run.ts';

/** `tapes`: those that were named in place of the run's own. @throws CliError, TapeFailure, JournalFailure */
export function runSourceOf(directory: string, tapes: readonly string[]): RunSource {
  checkRunDirectory(directory);
  if (existsSync(join(directory, STORE))) throw aSweep(directory);
  const data = join(directory, REPORT_DATA);
  if (existsSync(data)) return new BacktestSource({ directory, report: keptReport(data), tapes });
  if (hasRun(directory)) return new LiveSource({ directory, tapes });
  throw noRun(directory);
}

function aSweep(directory: string): CliError {
  return new CliError({
    code: 'RUN_NOT_FOUND',
    what: 'The directory holds a sweep: many runs, and not one.',
    where: directory,
    why: 'A view is of one run and its tapes.',
    next: `Play a trial of it again (oddsmith sweep rerun ${directory} --trial N), and name the directory that it prints.`,
  });
}

function noRun(directory: string): CliError {
  return new CliError({
    code: 'RUN_NOT_FOUND',
    what: 'The directory holds no run that can be viewed.',
    where: directory,
    why: `A backtest leaves ${REPORT_DATA} in its directory, a live or paper run its journal.`,
    next: 'Name the directory of one run, not the one that holds several. A backtest of an older version is run again.',
  });
}

interface KeptBacktest {
  readonly directory: string;
  readonly report: PackedReport;
  /** Tapes that were named in place of those that the run names. */
  readonly tapes: readonly string[];
}

/** A backtest as the view reads it: from the data of its report, and from the tapes that it played. */
class BacktestSource implements RunSource {
  readonly #run: ViewedRun;
  readonly #tapes: BacktestTapes;

  /** @throws CliError, TapeFailure where none of its tapes can be read */
  constructor({ directory, report, tapes }: KeptBacktest) {
    const { facts, packed } = report;
    const columns = readColumns(gunzipSync(packed));
    this.#tapes = new BacktestTapes({ directory, played: facts.result.tapes, named: tapes });
    this.#run = {
      kind: facts.kind,
      name: basename(resolve(directory)),
      currency: facts.result.currency,
      strategies: facts.result.strategies.map(({ name }) => name),
      notes: notesOf(facts),
      markets: new Map(facts.result.byMarket.map((market) => [market.id, playedMarket(market)])),
      orders: ordersOfColumns(columns),
      plots: plotsOfColumns(columns),
    };
  }

  run(): ViewedRun {
    return this.#run;
  }

  openTapes(): ViewedTapes {
    return { tapes: this.#tapes.tapes, faults: this.#tapes.faults, close: () => undefined };
  }

  close(): void {
    this.#tapes.close();
  }
}

type Played = ReportFacts['result']['byMarket'][number];

function playedMarket({ eventName, name, startsAt, settledAt, profit }: Played): PlayedMarket {
  const isSettled = settledAt !== undefined;
  return { event: eventName, name, startsAt, profit: isSettled ? profit.central.profitNet : undefined };
}

function notesOf({ counted, result }: ReportFacts): readonly string[] {
  const notes: string[] = [];
  if (result.interrupted) notes.push('The run was interrupted: it has what was played until then.');
  if (result.fills !== 'central')
    notes.push('Strategies lived their own fills in each bound: orders and fills are those of the central one.');
  if (counted.marketsLeftOut > 0)
    notes.push(
      `The run has ${counted.orders} orders, more than its report holds: of ${counted.marketsLeftOut} markets, those with the smallest results, none are shown. orders.csv has them all.`,
    );
  return notes;
}
