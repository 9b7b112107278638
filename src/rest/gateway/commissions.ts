/** What the exchange charged a wallet for a settled market, from the postings themselves. */

import { defer, map, mergeMap, type Observable, of, timer } from 'rxjs';
import { type Instant, instant, type Money, money } from '../../core/units.ts';
import { amountFromWire } from '../../wire/decimals.ts';
import { instantFromWire, instantToWire } from '../../wire/instants.ts';
import type { LiveMarket } from './live-market.ts';
import type { MarketTable } from './market-table.ts';
import { type ReadFailure, readPages } from './whole-lists.ts';
import type { Wiring } from './wiring.ts';

interface Posting {
  readonly id: string;
  readonly at: Instant;
  readonly amount: Money;
}

/** `isProven` is false where no posting was found: the rate may be zero, or the posting late. */
export type CommissionRead =
  | { readonly kind: 'read'; readonly commission: Money; readonly isProven: boolean }
  | ReadFailure;

const size = 500;
/** How far back postings are looked for where a market does not say when it was settled. */
const RECENT_MS = 60_000;
/** Looked for twice, the second time after the margin: what is later than that is another market's. */
const LATE_FACTOR = 2;

/**
 * A posting does not name its market (profile section 2). It is made when the market is settled (section 7), so that a
 * market's are those of that very moment; where there are none, the earliest soon after it that no other market has
 * claimed and that are not of the moment in which another was settled. Two markets settled at the same millisecond may so
 * be told each other's commission; the sum over them is what was posted. What a result brought that nobody heard of,
 * because another followed at once, is not told.
 */
export class Commissions {
  readonly #wiring: Wiring;
  readonly #table: MarketTable;
  readonly #claimed = new Set<string>();

  constructor(wiring: Wiring, table: MarketTable) {
    this.#wiring = wiring;
    this.#table = table;
  }

  /** Claims what was posted; looks a second time where there was nothing yet. */
  claim(market: LiveMarket, walletId: string): Observable<CommissionRead> {
    const { clock, settings } = this.#wiring;
    const since = market.settledAt ?? instant(clock.now() - RECENT_MS);
    const read$ = defer(() => this.#read(market, walletId, since));
    return read$.pipe(
      mergeMap((first) =>
        first.kind === 'read' && !first.isProven
          ? timer(settings.margins.commissionMs, clock).pipe(mergeMap(() => read$))
          : of(first),
      ),
    );
  }

  #read(market: LiveMarket, walletId: string, since: Instant): Observable<CommissionRead> {
    const { calls } = this.#wiring;
    const input = { path: { id: walletId }, query: { fromCreatedAt: instantToWire(since), size } } as const;
    return readPages(calls, 'listWalletTransactions', input).pipe(
      map((reading): CommissionRead => {
        if (reading.kind === 'failed') return reading;
        const postings = reading.answers.flatMap(({ transactions }) =>
          transactions.flatMap((each) => this.#posting(each)),
        );
        return this.#take(this.#candidates(market, since, postings));
      }),
    );
  }

  #candidates(market: LiveMarket, since: Instant, postings: readonly Posting[]): readonly Posting[] {
    const open = postings.filter(({ id, at }) => at >= since && !this.#claimed.has(id));
    const exact = open.filter(({ at }) => at === market.settledAt);
    if (exact.length > 0) return exact;
    const until = since + this.#wiring.settings.margins.commissionMs * LATE_FACTOR;
    const others = new Set(this.#table.all().map(({ settledAt }) => settledAt));
    return open.filter(({ at }) => at <= until && !others.has(at));
  }

  #take(open: readonly Posting[]): CommissionRead {
    const first = Math.min(...open.map(({ at }) => at));
    let commission = 0;
    for (const { id, at, amount } of open) {
      if (at !== first) continue;
      this.#claimed.add(id);
      commission -= amount;
    }
    return { kind: 'read', commission: money(commission), isProven: open.length > 0 };
  }

  #posting(transaction: Transaction): readonly Posting[] {
    const { transactionId: id, code, currencyId, amount, createdAt } = transaction;
    const { settings, note } = this.#wiring;
    if (code !== 'Commission' || currencyId !== settings.currency) return [];
    const money = amountFromWire(amount);
    const at = instantFromWire(createdAt);
    if (money.kind === 'read' && at.kind === 'read') return [{ id, at: at.value, amount: money.value }];
    note({ kind: 'unreadable', what: `transaction ${id}`, details: 'its amount or its time makes no sense' });
    return [];
  }
}

interface Transaction {
  readonly transactionId: string;
  readonly code: string;
  readonly currencyId: string;
  readonly amount: number;
  readonly createdAt: string;
}
