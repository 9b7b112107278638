/** Fits the cancellation model to the fills of a run, from the run's directory. */

import { MergedUpdates, type SourceMarket, type UpdateSource } from '../../../backtest/simulation/backtest-source.ts';
import type { CancellationFit } from '../../../result/cancellation-fit.ts';
import { type OpenedRun, withRun } from '../opened-run.ts';
import type { ParityHooks } from '../parity-run.ts';
import { runTimes } from '../run-times.ts';
import type { FitMarket } from './compared-orders.ts';
import { fitCancellations } from './fit-cancellations.ts';

/** Undefined if the signal ended it: a part of the tapes gives no result. @throws CliError, TapeFailure, JournalFailure */
export async function fitRun(directory: string, hooks: ParityHooks): Promise<CancellationFit | undefined> {
  return await withRun(directory, (opened) => fitted(opened, hooks));
}

async function fitted(
  { run, records, markets }: OpenedRun,
  { signal, onProgress }: ParityHooks,
): Promise<CancellationFit | undefined> {
  const source = new MergedUpdates(markets);
  const total = markets.reduce((sum, { market }) => sum + market.updates, 0);
  const { downs } = runTimes(records);
  let done = 0;
  const fit = await fitCancellations({
    run,
    records,
    downs,
    source,
    signal,
    markets: markets.map((market) => fitMarketOf(market, source)),
    onProgress: (played, at) => {
      done += played;
      onProgress({ done, total, at });
    },
  });
  return signal.aborted ? undefined : fit;
}

/** What is recorded of a market of a run. */
export function fitMarketOf({ index, market, later = [] }: SourceMarket, source: UpdateSource): FitMarket {
  const parts = [market, ...later.map((part) => part.market)];
  return {
    index,
    id: market.facts.id,
    outcomes: market.facts.outcomes.map(({ id }) => id),
    firstAt: market.firstAt,
    lastAt: market.lastAt,
    // Tapes of the other grades hold only levels or last prices.
    hasTrades: parts.every(({ grade }) => grade === 'A' || grade === 'B'),
    crossMatching: source.recorded(index).definitions.some((definition) => definition.crossMatching === true),
    gaps: parts.flatMap((part) => part.gaps ?? []),
  };
}
