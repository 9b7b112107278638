/** Compares the ledger with the exchange's account snapshot, and changes nothing. */

import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { isLive } from '../../core/order.ts';
import { UnseenMarket } from '../../core/run/unseen-market.ts';
import type { AccountSnapshot, BookedOrder } from '../../exchange/live-gateway.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OwnOrder } from '../ledger/own-order.ts';
import type { MarketEntry } from '../ledger/strategy-in-market.ts';
import type { ReconcileSettings } from './bot-settings.ts';

/**
 * What the exchange's own sum of a position may differ by for each matched order (10⁻⁴): a cross match truncates prices and
 * shortens winnings by a few 10⁻⁶ a piece (profile section 6). The smallest stake (10⁻³) is above it. An exchange that takes stakes
 * in hundredths keeps the worth of each order in hundredths, too.
 */
const ROUNDING_PER_ORDER = 100;

/** One thing on which ledger and exchange differ. */
export interface Difference {
  readonly scope: 'order' | 'position' | 'stray' | 'market';
  /** Identifies the difference from comparison to comparison. */
  readonly id: string;
  readonly marketId: string;
  readonly ours: string;
  readonly theirs: string;
  /** How far the two sides of a position are apart, and how much of it may be rounding, 10⁻⁶. */
  readonly gap?: { readonly by: number; readonly rounding: number };
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Orders in our wallets that are neither this run's nor adopted, those that cannot be adopted included. Their share of a position is not compared. */
  readonly foreignOrders: readonly BookedOrder[];
  /** Ids of markets that could not be compared, because they changed while the snapshot was read. */
  readonly moving: ReadonlySet<string>;
}

/**
 * Markets that changed since the reading began are left out: the snapshot may show them before or after the change. So are
 * markets that have their result: their orders are settled and their money is in the wallet. What could not be read is no difference: it counts as it
 * was last known.
 */
export function compare(
  ledger: Ledger,
  books: AccountSnapshot,
  { foreignOrders: policy }: Pick<ReconcileSettings, 'foreignOrders'>,
): Comparison {
  const differences: Difference[] = [];
  const foreignOrders = books.orders.filter(({ client }) => client === 0);
  const moving = new Set<string>();
  const theirs = new Map(books.orders.map((order) => [order.order, order]));
  for (const entry of ledger.marketEntries()) {
    if (isOver(entry)) continue;
    const isMoving =
      entry.changedAt >= books.from ||
      hasInFlight(entry) ||
      entry.state instanceof UnseenMarket ||
      isUnreadable(entry.state.facts.id, books.unreadable?.positions);
    if (isMoving) moving.add(entry.state.facts.id);
    for (const order of entry.orders) {
      if (theirs.has(order.exchangeId ?? -1) || !isUnreadable(String(order.exchangeId), books.unreadable?.orders))
        differences.push(...orderDifference(order, theirs));
    }
    if (!isMoving) differences.push(...positionDifferences(ledger, entry, { ...books, foreignOrders }));
  }
  for (const order of books.orders) {
    if (order.client === 0) {
      const problem = policy === 'leave' ? undefined : adoptionProblem(ledger, order);
      if (problem !== undefined) differences.push(problem);
    } else if (ledger.order(order.client) === undefined) differences.push(...forgotten(ledger, order));
  }
  return { differences, foreignOrders, moving };
}

/** Whether the exchange shows it and it could not be read, so that it is no difference. */
function isUnreadable(id: string, unreadable: readonly (string | undefined)[] = []): boolean {
  return unreadable.includes(id) || unreadable.includes(undefined);
}

function isOver({ state }: MarketEntry): boolean {
  return state.status === 'Settled' || state.status === 'Voided' || state.status === 'Closed';
}

function hasInFlight({ orders }: MarketEntry): boolean {
  for (const order of orders) if (order.inFlight !== undefined || order.unknown) return true;
  return false;
}

/** Only of orders that have the exchange's id: the fate of the others is sought by their reference. */
function orderDifference(order: OwnOrder, theirs: ReadonlyMap<number, BookedOrder>): readonly Difference[] {
  const { exchangeId } = order;
  if (exchangeId === undefined || order.inFlight === 'place' || order.unknown) return [];
  const { stakeMatched, winningsMatched } = order.held();
  if (!order.isLive && stakeMatched === 0) return [];
  const booked = theirs.get(exchangeId);
  const isSame =
    booked !== undefined &&
    booked.stakeMatched === stakeMatched &&
    booked.winningsMatched === winningsMatched &&
    booked.stakeUnmatched === (order.isLive ? order.unmatchedMoney : 0);
  if (isSame) return [];
  const ours = stakesText(
    order.status ?? 'unanswered',
    stakeMatched,
    order.isLive ? order.unmatchedMoney : (0 as Money),
  );
  const theirsText = booked === undefined ? 'not among its live or matched orders' : bookedText(booked);
  return [{ scope: 'order', id: String(exchangeId), marketId: order.marketId, ours, theirs: theirsText }];
}

/** The difference that a foreign order makes which cannot be adopted: its market or its outcome is not known. */
function adoptionProblem(ledger: Ledger, order: BookedOrder): Difference | undefined {
  const entry = ledger.entryById(order.marketId);
  if (entry?.outcomeById.has(order.outcomeId) === true) return undefined;
  const ours = entry === undefined ? 'its market is not followed' : `its outcome ${order.outcomeId} is not known`;
  return { scope: 'stray', id: String(order.order), marketId: order.marketId, ours, theirs: bookedText(order) };
}

/** An order under the run's own reference that is not on the ledger, and so counts in no limit. */
function forgotten(ledger: Ledger, order: BookedOrder): readonly Difference[] {
  const entry = ledger.entryById(order.marketId);
  if (entry !== undefined && isOver(entry)) return [];
  if (!isLive(order.status) && order.stakeMatched === 0) return [];
  return [
    { scope: 'order', id: String(order.order), marketId: order.marketId, ours: 'not known', theirs: bookedText(order) },
  ];
}

interface BookedMoney extends Pick<AccountSnapshot, 'positions'> {
  readonly foreignOrders: readonly BookedOrder[];
}

/** Compares profit or loss of the matched bets if each outcome wins, summed over all that the wallet holds in the market. */
function positionDifferences(
  ledger: Ledger,
  entry: MarketEntry,
  { positions, foreignOrders }: BookedMoney,
): readonly Difference[] {
  const { facts, index, minimumStake } = entry.state;
  if (!ledger.exposure.isOpen(index)) return [];
  const differences: Difference[] = [];
  for (const wallet of ledger.names.wallets.keys()) {
    const others = foreignOrders.filter((each) => each.wallet === wallet && each.marketId === facts.id);
    const rounding = Math.max(ROUNDING_PER_ORDER, minimumStake?.step ?? 0);
    const tolerance = rounding * (matchedOrders(entry, wallet) + others.length);
    const booked = positions.find((each) => each.wallet === wallet && each.marketId === facts.id);
    for (const [outcome, { id, title }] of facts.outcomes.entries()) {
      // It cannot win, and Betfair says nothing of it.
      if (entry.state.outcomeStatus(outcome) === 'Removed') continue;
      const ours = ledger.exposure.walletProfitIfWins({ market: index, wallet, outcome });
      const theirs = (booked?.profitIfWins.get(id) ?? 0) - sumIfWins(others, id);
      if (Math.abs(ours - theirs) <= tolerance) continue;
      differences.push({
        scope: 'position',
        id: `${facts.id} ${id} ${ledger.names.wallets[wallet]}`,
        marketId: facts.id,
        ours: `${moneyToDecimal(ours)} if ${title} wins`,
        theirs: String(moneyToDecimal(theirs as Money)),
        gap: { by: ours - theirs, rounding: tolerance },
      });
    }
  }
  return differences;
}

/** What these orders win or lose together if an outcome wins. */
function sumIfWins(orders: readonly BookedOrder[], outcomeId: string): number {
  let sum = 0;
  for (const order of orders) {
    const backer = order.outcomeId === outcomeId ? order.winningsMatched : -order.stakeMatched;
    sum += order.side === 'For' ? backer : -backer;
  }
  return sum;
}

function matchedOrders({ orders }: MarketEntry, wallet: number): number {
  let count = 0;
  for (const order of orders) if (order.terms.wallet === wallet && order.held().stakeMatched > 0) count += 1;
  return count;
}

function bookedText({ status, stakeMatched, stakeUnmatched }: BookedOrder): string {
  return stakesText(status, stakeMatched, stakeUnmatched);
}

function stakesText(status: string, matched: Money, unmatched: Money): string {
  return `${status}: ${moneyToDecimal(matched)} matched, ${moneyToDecimal(unmatched)} unmatched`;
}
