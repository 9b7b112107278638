/** A run in recorded markets whose orders the simulated exchange filled by a model that is known, as its journal has it. */

import type { BacktestOptions } from '../../../src/backtest/options/backtest-options.ts';
import type { UpdateSource } from '../../../src/backtest/simulation/backtest-source.ts';
import type { Intent } from '../../../src/core/intent.ts';
import type { TimedRecord } from '../../../src/core/run/journal.ts';
import type { CancellationRule } from '../../../src/simulator/overlay/fill-rules.ts';
import type { DecideInput, StrategyPlugin } from '../../../src/strategy/contract.ts';
import { journalLog } from '../paper/paper-run.ts';
import { OPTIONS, runOver } from '../scripted-run.ts';

const LIFE_MS = 60_000;

/** Joins the queues of best prices, an outcome and a side after the other, two orders at a time, and gives each up after a minute. */
const joiner: StrategyPlugin = {
  name: 'joiner',
  decide({ market, orders, now, why }: DecideInput): readonly Intent[] {
    const old = orders.filter((order) => order.inFlight === undefined && now - order.placedAt > LIFE_MS);
    if (old.length > 0) return old.map(({ id }) => ({ kind: 'cancel', order: id }));
    if (!market.tradable || orders.length > 1 || why === 'order') return [];
    const step = Math.floor(now / LIFE_MS) + orders.length;
    const outcome = market.outcomes[step % market.outcomes.length];
    const side = step % 4 < 2 ? 'For' : 'Against';
    const price = side === 'For' ? outcome?.bestFor?.price : outcome?.bestAgainst?.price;
    if (outcome === undefined || price === undefined) return [];
    return [{ kind: 'place', market: market.id, outcome: outcome.id, side, price, stake: 2 }];
  },
};

export async function simulatedRun(
  source: UpdateSource,
  cancellations: CancellationRule,
  latency: BacktestOptions['latency'] = OPTIONS.latency,
): Promise<readonly TimedRecord[]> {
  const records: TimedRecord[] = [];
  await runOver(source, [joiner], {
    ...{ latency, fillRules: { ...OPTIONS.fillRules, cancellations }, goesOnUnrecorded: true },
    secondLog: journalLog(records, [joiner]),
  });
  return records;
}
