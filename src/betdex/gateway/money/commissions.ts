/** Finds the commission that the exchange charged a wallet for a settled market, in the wallet's own postings. */

import { defer, map, mergeMap, type Observable, of, timer } from 'rxjs';
import { faultsText } from '../../../codec/fault.ts';
import { instantFromWire, instantToWire } from '../../../codec/instants.ts';
import { sortedOut } from '../../../codec/lenient.ts';
import { type Instant, instant, type Money, money } from '../../../core/number/units.ts';
import type { ReadFailure } from '../../../exchange-live/connection/call-outcome.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import { readPages } from '../../lists/complete-lists.ts';
import { amountFromWire } from '../../wire/codec/decimals.ts';
import type { GatewayContext } from '../base/gateway-context.ts';

/** What the wallet paid (negative) or was given back (positive). */
interface Posting {
  readonly id: string;
  readonly at: Instant;
  readonly amount: Money;
}

/** One result of one market, for one wallet. */
export interface CommissionAsked {
  readonly walletId: string;
  readonly settledAt: Instant;
  /** Profit or loss of the result before commission. */
  readonly gross: Money;
  /** What was reported the market's earlier results. */
  readonly charged: Money;
}

/**
 * The commission of this result beyond `charged`. `isProven` is false if it does not fit the result: the rate may be zero, the
 * posting late, or the charge for a result that was never reported too long ago.
 */
export interface CommissionFound {
  readonly kind: 'read';
  readonly commission: Money;
  readonly isProven: boolean;
  readonly postings: readonly Posting[];
}

export type CommissionRead = CommissionFound | ReadFailure;

type PostingsRead = { readonly kind: 'read'; readonly postings: readonly Posting[] } | ReadFailure;

const size = 500;
/**
 * Late postings are looked for within this many times `commissionMs` after the settlement: later ones belong to another market.
 */
const LATE_FACTOR = 2;
/** How long before a result the charge of one that nobody known is looked for. */
const LOOK_BACK_MS = 3_600_000;
/** How long attributed postings are remembered, ms; a running bot never looks for older ones. */
const KEPT_MS = 24 * 3_600_000;

/**
 * A posting does not name its market (profile section 2). It is made when the market is settled (section 7), so a market's
 * postings are those of that very millisecond. If there are none and some are due, they are the earliest ones soon after it
 * that are not attributed to another market and not of a millisecond in which another market was settled. Two markets that were
 * settled in the same millisecond may therefore be given each other's commission; the sum over both is what was posted.
 *
 * A corrected result refunds the commission of the result before. If that one was never reported, because the second result
 * came first, a charge of exactly that amount is looked for before it and attributed with it.
 */
export class Commissions {
  readonly #context: GatewayContext;
  readonly #table: MarketTable;
  /** The time of each attributed posting by its id, in the order in which they were attributed. */
  readonly #attributed = new Map<string, Instant>();

  constructor(context: GatewayContext, table: MarketTable) {
    this.#context = context;
    this.#table = table;
  }

  /**
   * Reads the postings of a result, and reads them again after `commissionMs` if commission is due but not posted. The postings
   * found are not attributed until `attribute` is called.
   */
  find(asked: CommissionAsked): Observable<CommissionRead> {
    const { clock, settings } = this.#context;
    const look$ = defer(() => this.#look(asked));
    return look$.pipe(
      mergeMap((first) =>
        first.kind === 'read' && first.postings.length === 0 && isDue(asked)
          ? timer(settings.timeouts.commissionMs, clock).pipe(mergeMap(() => look$))
          : of(first),
      ),
    );
  }

  /**
   * Attributes the postings to their market. To be called in the same step in which they were found, because two markets that
   * are read at the same time may find the same ones.
   */
  attribute({ postings }: CommissionFound): void {
    const oldest = this.#context.clock.now() - KEPT_MS;
    for (const [id, at] of this.#attributed) {
      if (at >= oldest) break;
      this.#attributed.delete(id);
    }
    for (const { id, at } of postings) this.#attributed.set(id, at);
  }

  #look(asked: CommissionAsked): Observable<CommissionRead> {
    const { walletId, settledAt } = asked;
    return this.#read(walletId, settledAt).pipe(
      mergeMap((read): Observable<CommissionRead> => {
        if (read.kind === 'failed') return of(read);
        const own = this.#own(asked, read.postings);
        const refund = givenBack(own);
        if (refund === 0 || refund === asked.charged) return of(found(asked, own));
        return this.#read(walletId, instant(settledAt - LOOK_BACK_MS), settledAt).pipe(
          map((earlier) => {
            if (earlier.kind === 'failed') return earlier;
            const still = own.filter(({ id }) => !this.#attributed.has(id));
            return found(asked, [...still, ...this.#unreported(still, earlier.postings)]);
          }),
        );
      }),
    );
  }

  /** The postings of the result itself. */
  #own(asked: CommissionAsked, postings: readonly Posting[]): readonly Posting[] {
    const { settledAt } = asked;
    const open = postings.filter(({ id, at }) => at >= settledAt && !this.#attributed.has(id));
    const exact = open.filter(({ at }) => at === settledAt);
    if (exact.length > 0 || !isDue(asked)) return exact;
    const until = settledAt + this.#context.settings.timeouts.commissionMs * LATE_FACTOR;
    const late = open.filter(({ at }) => at <= until && !this.#isOfAnother(at));
    const first = Math.min(...late.map(({ at }) => at));
    return late.filter(({ at }) => at === first);
  }

  /**
   * Commission charged for earlier results that were never reported: for each refund the newest charge of the same amount,
   * together with the refunds that were posted in that millisecond.
   */
  #unreported(own: readonly Posting[], earlier: readonly Posting[]): readonly Posting[] {
    const known = new Set(own.map(({ id }) => id));
    const open = earlier.filter(({ id }) => !this.#attributed.has(id) && !known.has(id)).sort((a, b) => b.at - a.at);
    const unreported: Posting[] = [];
    const take = (posting: Posting): void => {
      open.splice(open.indexOf(posting), 1);
      unreported.push(posting);
    };
    const refunds = own.filter(({ amount }) => amount > 0);
    for (let refund = refunds.shift(); refund !== undefined; refund = refunds.shift()) {
      const { at, amount } = refund;
      const charge = open.find((each) => each.at < at && each.amount === -amount);
      if (charge === undefined) continue;
      take(charge);
      if (this.#isOfAnother(charge.at)) continue;
      const beside = open.filter((each) => each.at === charge.at && each.amount > 0);
      refunds.push(...beside);
      beside.forEach(take);
    }
    return unreported;
  }

  #isOfAnother(at: Instant): boolean {
    return this.#table.all().some(({ settledAt }) => settledAt === at);
  }

  #read(walletId: string, from: Instant, to?: Instant): Observable<PostingsRead> {
    const until = to === undefined ? {} : { toCreatedAt: instantToWire(to) };
    const input = { path: { id: walletId }, query: { fromCreatedAt: instantToWire(from), ...until, size } };
    return readPages(this.#context.calls, 'listWalletTransactions', input).pipe(
      map((reading): PostingsRead => {
        if (reading.kind === 'failed') return reading;
        const { read, unreadable } = sortedOut(reading.answers.flatMap(({ transactions }) => transactions));
        for (const { part, faults } of unreadable) this.#noteUnreadable(part.transactionId, faultsText(faults));
        // The newest come first: others that are posted meanwhile move what was read to the next page, where it is read again.
        const byId = new Map(read.flatMap((each) => this.#posting(each)).map((posting) => [posting.id, posting]));
        return { kind: 'read', postings: [...byId.values()] };
      }),
    );
  }

  #posting(transaction: Transaction): readonly Posting[] {
    const { transactionId: id, code, currencyId, amount, createdAt } = transaction;
    const { settings } = this.#context;
    if (code !== 'Commission' || currencyId !== settings.currency) return [];
    const money = amountFromWire(amount);
    const at = instantFromWire(createdAt);
    if (money.kind === 'read' && at.kind === 'read') return [{ id, at: at.value, amount: money.value }];
    this.#noteUnreadable(id, 'its amount or its time makes no sense');
    return [];
  }

  #noteUnreadable(id = 'without an id', details: string): void {
    this.#context.note({ kind: 'unreadable', what: `transaction ${id}`, details });
  }
}

interface Transaction {
  readonly transactionId: string;
  readonly code: string;
  readonly currencyId: string;
  readonly amount: number;
  readonly createdAt: string;
}

/** Commission is charged on a profit only (profile section 7), and refunded if a later result takes the profit away. */
function isDue({ gross, charged }: CommissionAsked): boolean {
  return gross > 0 || charged !== 0;
}

function givenBack(postings: readonly Posting[]): number {
  return postings.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);
}

function found(asked: CommissionAsked, postings: readonly Posting[]): CommissionFound {
  const { gross, charged } = asked;
  const commission = money(-postings.reduce((sum, { amount }) => sum + amount, 0));
  const total = charged + commission;
  const isThere = postings.length > 0 || !isDue(asked);
  return { kind: 'read', commission, postings, isProven: isThere && (gross > 0 ? total >= 0 : total === 0) };
}
