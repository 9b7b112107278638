/** Reads from a run's journal what operators and the bot's guards did, and does it again to a replay. */

import { assert } from '../../core/checks/assert.ts';
import type { JournalRecord } from '../../core/run/journal.ts';
import type { Ledger } from '../../engine/ledger/ledger.ts';
import type { Step } from '../../engine/ledger/step.ts';
import type { NoteLog } from '../../engine/log/run-log.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import { nestedLimits } from '../../risk/limits/limits-text.ts';
import { parseLimits } from '../../risk/limits/parse-limits.ts';
import type { RunRecord } from './steps/step-sequence.ts';

/** In the order of time. */
export type RunActs = readonly RunRecord[];

/** Only what a replay can do too: it has no heartbeat and no comparison with an exchange. */
export function actsOf(records: readonly RunRecord[]): RunActs {
  return records.filter(
    ({ record }) => ['trading', 'limits', 'marketRisk'].includes(record.kind) || isOfWallet(record),
  );
}

/** Does one of them again, and notes it as the run did, which begins to journal refusals anew then. `limits` gives `staleMs`, which the bot lowers by its freshness. A stop cancels orders as it did in the run, and so does `cancel`, which moves trading to where it is. `wallets`: names by index, which the ledger of a replay has not. */
export function redo(
  { record }: RunRecord,
  parts: { ledger: Ledger; step: Step; limits: Limits; log: NoteLog; wallets: readonly string[] },
): void {
  const { ledger, step, limits, log, wallets } = parts;
  const { risk } = ledger;
  if (record.kind === 'trading') {
    risk.moveTrading(record);
    log.noted(step.at, record);
    if (record.to !== 'running' || record.from === record.to) ledger.cancelAll(step);
  } else if (record.kind === 'limits') {
    const parsed = parseLimits(nestedLimits(record.limits));
    assert(parsed.kind === 'limits', 'a journal holds limits that risk took');
    const { heartbeat: _heartbeat, ...recorded } = parsed.limits;
    risk.setLimits({ ...(limits.staleMs !== undefined && { staleMs: limits.staleMs }), ...recorded });
  } else if (record.kind === 'marketRisk') {
    const { dark, market, isOff } = record;
    const index = ledger.entryById(market)?.state.index;
    if (index === undefined) return;
    if (dark !== undefined) {
      risk.setStatusStale(index, isOff);
      if (isOff && dark.orders === 'cancel') withdraw(ledger, step, { market, sparesInPlay: dark.sparesInPlay });
    } else if (record.isOff) risk.switchMarketOff(index, record.cause);
    else risk.switchMarketOn(index);
  } else if (isOfWallet(record)) risk.setWalletStale(wallets.indexOf(record.wallet), record.isLate);
}

/** Orders of one wallet alone were stopped, or may go on. */
function isOfWallet(
  record: JournalRecord,
): record is Extract<JournalRecord, { kind: 'freshness' }> & { wallet: string } {
  return record.kind === 'freshness' && record.wallet !== undefined;
}

function withdraw(ledger: Ledger, step: Step, dark: { readonly market: string; readonly sparesInPlay: boolean }): void {
  for (const order of ledger.liveOrders()) {
    if (order.marketId !== dark.market || (dark.sparesInPlay && order.terms.keepWhenInPlay)) continue;
    ledger.cancel(order, step);
  }
}
