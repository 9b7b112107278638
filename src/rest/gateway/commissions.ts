/** What the exchange charged a wallet for a settled market, from the postings themselves. */

import { defer, map, mergeMap, type Observable, of, timer } from 'rxjs';
import { type Instant, instant, type Money, money } from '../../core/units.ts';
import { amountFromWire } from '../../wire/decimals.ts';
import { instantFromWire, instantToWire } from '../../wire/instants.ts';
import type { LiveMarket } from './live-market.ts';
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

/**
 * A posting does not name its market (profile section 2). It is made when the market is settled (section 7), so that a
 * market's are the earliest since its settlement that no other market of ours has claimed. Two markets settled at the
 * same millisecond may so be told each other's commission; the sum over them is always what was posted.
 */
export class Commissions {
  readonly #wiring: Wiring;
  readonly #claimed = new Set<string>();

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
  }

  /** Claims what was posted; looks a second time where there was nothing yet. */
  claim(market: LiveMarket, walletId: string): Observable<CommissionRead> {
    const { clock, settings } = this.#wiring;
    const since = market.settledAt ?? instant(clock.now() - RECENT_MS);
    const read$ = defer(() => this.#read(walletId, since));
    return read$.pipe(
      mergeMap((first) =>
        first.kind === 'read' && !first.isProven
          ? timer(settings.margins.commissionMs, clock).pipe(mergeMap(() => read$))
          : of(first),
      ),
    );
  }

  #read(walletId: string, since: Instant): Observable<CommissionRead> {
    const { calls } = this.#wiring;
    const input = { path: { id: walletId }, query: { fromCreatedAt: instantToWire(since), size } } as const;
    return readPages(calls, 'listWalletTransactions', input).pipe(
      map((reading): CommissionRead => {
        if (reading.kind === 'failed') return reading;
        const postings = reading.answers.flatMap(({ transactions }) =>
          transactions.flatMap((each) => this.#posting(each)),
        );
        return this.#take(postings.filter(({ id, at }) => at >= since && !this.#claimed.has(id)));
      }),
    );
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
