/** Reads from a run's journal what operators and the bot's guards did, and does it again to a replay. */

import { assert } from '../../core/checks/assert.ts';
import type { TimedRecord } from '../../core/run/journal.ts';
import type { Ledger } from '../../engine/ledger/ledger.ts';
import type { Step } from '../../engine/ledger/step.ts';
import type { NoteLog } from '../../engine/log/run-log.ts';
import type { EventOf, HistoryEvent } from '../../journal/history/fold.ts';
import { historyOf, type TimedEvent } from '../../journal/history/read-history.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import { nestedLimits } from '../../risk/limits/limits-text.ts';
import { parseLimits } from '../../risk/limits/parse-limits.ts';

/** A run's acts in the order of time. */
export type RunActs = readonly TimedEvent[];

/** Only what a replay can do too: it has no heartbeat and no comparison with an exchange. */
export function actsOf(records: readonly TimedRecord[]): RunActs {
  return [...historyOf(records)].filter(
    ({ event }) => ['trading', 'limits', 'marketRisk'].includes(event.kind) || isOfWallet(event),
  );
}

/** Does one of them again, and notes it as the run did, which begins to journal refusals anew then. `limits` gives `staleMs`, which the bot lowers by its freshness. A stop cancels orders as it did in the run, and so does `cancel`, which moves trading to where it is. `wallets`: names by index, which the ledger of a replay has not. */
export function redo(
  { event }: TimedEvent,
  parts: { ledger: Ledger; step: Step; limits: Limits; log: NoteLog; wallets: readonly string[] },
): void {
  const { ledger, step, limits, log, wallets } = parts;
  const { risk } = ledger;
  if (event.kind === 'trading') {
    risk.moveTrading(event);
    log.noted(step.at, event);
    if (event.to !== 'running' || event.from === event.to) ledger.cancelAll(step);
  } else if (event.kind === 'limits') {
    const parsed = parseLimits(nestedLimits(event.limits));
    assert(parsed.kind === 'limits', 'a journal holds limits that risk took');
    const { heartbeat: _heartbeat, ...recorded } = parsed.limits;
    risk.setLimits({ ...(limits.staleMs !== undefined && { staleMs: limits.staleMs }), ...recorded });
  } else if (event.kind === 'marketRisk') {
    const { dark, market, isOff } = event;
    const index = ledger.entryById(market)?.state.index;
    if (index === undefined) return;
    if (dark !== undefined) {
      risk.setStatusStale(index, isOff);
      if (isOff && dark.orders === 'cancel') withdraw(ledger, step, { market, sparesInPlay: dark.sparesInPlay });
    } else if (event.isOff) risk.switchMarketOff(index, event.cause);
    else risk.switchMarketOn(index);
  } else if (isOfWallet(event)) risk.setWalletStale(wallets.indexOf(event.wallet), event.isLate);
}

/** Orders of one wallet alone were stopped, or may go on. */
function isOfWallet(event: HistoryEvent): event is EventOf<'freshness'> & { wallet: string } {
  return event.kind === 'freshness' && event.wallet !== undefined;
}

function withdraw(ledger: Ledger, step: Step, dark: { readonly market: string; readonly sparesInPlay: boolean }): void {
  for (const order of ledger.liveOrders()) {
    if (order.marketId !== dark.market || (dark.sparesInPlay && order.terms.keepWhenInPlay)) continue;
    ledger.cancel(order, step);
  }
}
