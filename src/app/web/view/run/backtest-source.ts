/** A backtest as the view reads it: from the data of its report, and from the tapes that it played. */

import { basename, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readColumns } from '../../../../pages/report/read-columns.ts';
import type { ReportFacts } from '../../../../pages/report/report-facts.ts';
import type { PackedReport } from '../../../../report/html/html.ts';
import { BacktestTapes } from './backtest-tapes.ts';
import { ordersOfColumns, plotsOfColumns } from './own-orders.ts';
import type { PlayedMarket, RunSource, ViewedRun, ViewedTapes } from './viewed-run.ts';

interface KeptBacktest {
  readonly directory: string;
  readonly report: PackedReport;
  /** Tapes that were named in place of those that the run names. */
  readonly tapes: readonly string[];
}

export class BacktestSource implements RunSource {
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
