/** The machine's orders, trades, positions, accounts and markets as objects, for readers outside the hot path. */

import { defined } from '../../core/checks/assert.ts';
import { possibleLoss, profitIfWins } from '../../core/exposure.ts';
import {
  IN_PLAY_STATUSES,
  type InPlayStatus,
  MARKET_STATUSES,
  type MarketStatus,
  type WalletType,
} from '../../core/market.ts';
import { NO_TICK, type Tick } from '../../core/number/ladder.ts';
import type { Instant, Money, Price } from '../../core/number/units.ts';
import {
  CANCELLATION_REASONS,
  type CancellationReason,
  type MatchBehavior,
  ORDER_STATUSES,
  type OrderStatus,
} from '../../core/order.ts';
import { type Side, sideOf } from '../../core/side.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market } from './market.ts';
import { marketOf } from './order-moves.ts';
import type { State } from './state.ts';

/** One order. Amounts are in 10⁻⁶, times in ms UTC, ids are the machine's numbers. */
export interface OrderView {
  readonly id: number;
  readonly app: number;
  readonly wallet: number;
  readonly market: number;
  readonly side: Side;
  readonly outcome: number;
  readonly tick: Tick;
  readonly stake: Money;
  readonly stakeUnmatched: Money;
  readonly stakeVoided: Money;
  /** What of `stakeVoided` had been matched, until its trades became void; absent where nothing had. */
  readonly voidedMatched?: Money;
  readonly status: OrderStatus;
  readonly keepWhenInPlay: boolean;
  readonly matchBehavior: MatchBehavior;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly reason?: CancellationReason;
  readonly reference?: string;
  readonly commissionRate?: number;
  /** When the in-play delay ends or ended; absent for an order that had none. */
  readonly due?: Instant;
}

/** One matched piece of an order. `profitLoss` is 0 until the market is settled. */
export interface TradeView {
  readonly id: number;
  readonly order: number;
  readonly price: Price;
  readonly stake: Money;
  readonly profitLoss: Money;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
}

/** A wallet's account in one currency; amounts in 10⁻⁶. */
export interface AccountView {
  readonly currency: number;
  readonly balance: Money;
  readonly balanceAvailable: Money;
  readonly overdraft: Money;
  readonly unmatchedExposure: Money;
}

/**
 * A wallet's position in a market. `exposures[i]` is the matched profit or loss if only outcome i wins; R and M as they
 * are held now.
 */
export interface PositionView {
  readonly wallet: number;
  readonly market: number;
  readonly exposures: readonly Money[];
  /** W: the most that can be lost, whatever is filled; below zero where every result is a profit. */
  readonly possible: Money;
  /** R and M: what the exchange holds for all bets, and for the matched ones. */
  readonly required: Money;
  readonly matched: Money;
  /**
   * When the wallet's first order in the market was accepted; absent where it has placed none there, as the System
   * wallet.
   */
  readonly createdAt?: Instant;
}

/** A market's terms, status and result. */
export interface MarketView {
  readonly id: number;
  readonly app: number;
  readonly event: number;
  readonly currency: number;
  readonly outcomes: number;
  readonly escrowWallet: number;
  readonly status: MarketStatus;
  readonly inPlayStatus: InPlayStatus;
  readonly published: boolean;
  readonly suspended: boolean;
  readonly crossMatching: boolean;
  readonly inPlayDelayMs: number;
  readonly delaysTakersOnly: boolean;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly lockAt?: Instant;
  readonly settledAt?: Instant;
  /** Outcome indexes of the winners; empty where the market is not settled. */
  readonly winners: readonly number[];
  /** Outcome indexes of removed outcomes (non-runners). */
  readonly removed: readonly number[];
  /** Matched stake by outcome; each match counts once. */
  readonly traded: readonly Money[];
  /** By outcome, where it was matched last; undefined before its first match. */
  readonly lastTicks: readonly (Tick | undefined)[];
}

/** A wallet and its accounts. */
export interface WalletView {
  readonly id: number;
  readonly app: number;
  readonly type: WalletType;
  readonly accounts: readonly AccountView[];
}

export function orderView(state: State, slot: number): OrderView {
  const { orders, positions } = state;
  const position = orders.position(slot);
  const reference = orders.referenceBySlot.get(slot);
  const reason = CANCELLATION_REASONS[orders.reason(slot) - 1];
  const rate = orders.rate(slot);
  const due = orders.due(slot);
  const voidedMatched = orders.voidedMatchedBySlot.get(slot);
  return {
    id: orders.id(slot),
    app: positions.app[position] ?? NONE,
    wallet: positions.wallet[position] ?? NONE,
    market: marketOf(state, slot).id,
    side: sideOf(orders.side(slot)),
    outcome: orders.outcome(slot),
    tick: orders.tick(slot) as Tick,
    stake: orders.stake(slot) as Money,
    stakeUnmatched: orders.unmatched(slot) as Money,
    stakeVoided: orders.voided(slot) as Money,
    status: defined(ORDER_STATUSES[orders.status(slot)], 'an order has a status'),
    keepWhenInPlay: orders.keepsWhenInPlay(slot),
    matchBehavior: orders.cancelsUnmatched(slot) ? 'CancelUnmatched' : 'RetainUnmatched',
    createdAt: orders.createdAt(slot) as Instant,
    modifiedAt: orders.modifiedAt(slot) as Instant,
    ...(voidedMatched === undefined ? {} : { voidedMatched }),
    ...(reason === undefined ? {} : { reason }),
    ...(reference === undefined ? {} : { reference }),
    ...(rate === NONE ? {} : { commissionRate: rate }),
    ...(Number.isNaN(due) ? {} : { due: due as Instant }),
  };
}

export function tradeView(state: State, trade: number): TradeView {
  const { trades, orders } = state;
  return {
    id: trades.id(trade),
    order: orders.id(trades.order(trade)),
    price: trades.price(trade) as Price,
    stake: trades.stake(trade) as Money,
    profitLoss: trades.profitLoss(trade) as Money,
    createdAt: trades.createdAt(trade) as Instant,
    modifiedAt: trades.modifiedAt(trade) as Instant,
  };
}

export function positionView(state: State, market: Market, position: number): PositionView {
  const { positions } = state;
  const shape = { firstSlot: positions.baseOf(position), outcomes: market.outcomes, winners: market.winnersRange };
  const exposures: Money[] = [];
  for (let i = 0; i < market.outcomes; i += 1) exposures.push(profitIfWins(positions.columns, shape, i));
  const first = positions.firstOrder[position] ?? NONE;
  return {
    wallet: positions.wallet[position] ?? NONE,
    market: market.id,
    ...(first === NONE ? {} : { createdAt: state.orders.createdAt(first) as Instant }),
    exposures,
    possible: possibleLoss(positions.columns, { ...shape, removed: positions.removed }),
    required: positions.requiredOf(position),
    matched: positions.matchedOf(position),
  };
}

export function accountView(state: State, account: number): AccountView {
  const { accounts } = state;
  return {
    currency: accounts.currency[account] ?? 0,
    balance: accounts.balanceOf(account),
    balanceAvailable: accounts.available(account),
    overdraft: accounts.overdraftOf(account),
    unmatchedExposure: accounts.exposureOf(account),
  };
}

export function walletView(state: State, id: number): WalletView | undefined {
  const wallet = state.accounts.wallets.get(id);
  if (wallet === undefined) return undefined;
  const accounts = [...wallet.accounts.values()].map((account) => accountView(state, account));
  return { id, app: wallet.app, type: wallet.type, accounts };
}

export function marketView(market: Market): MarketView {
  const removed: number[] = [];
  for (const [outcome, mark] of market.removed.entries()) if (mark !== 0) removed.push(outcome);
  const { id, app, currency, outcomes, escrowWallet, published, suspended, crossMatching } = market;
  const { inPlayDelayMs, delaysTakersOnly, createdAt, modifiedAt, settledAt } = market;
  return {
    id,
    app,
    currency,
    outcomes,
    escrowWallet,
    published,
    suspended,
    crossMatching,
    inPlayDelayMs,
    delaysTakersOnly,
    createdAt,
    modifiedAt,
    removed,
    event: market.event.id,
    status: defined(MARKET_STATUSES[market.status], 'a market has a status'),
    inPlayStatus: defined(IN_PLAY_STATUSES[market.inPlay], 'a market has an in-play status'),
    winners: market.settlement?.winners ?? [],
    traded: [...market.traded] as Money[],
    lastTicks: Array.from(market.lastTick, (tick) => (tick === NO_TICK ? undefined : (tick as Tick))),
    ...(Number.isNaN(market.lockAt) ? {} : { lockAt: market.lockAt as Instant }),
    ...(settledAt === undefined ? {} : { settledAt }),
  };
}
