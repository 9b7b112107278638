/** What the exchange machine did, in the order in which it did it: the object form of its event log. */

import type { InPlayStatus, MarketStatus, WalletType } from '../../core/market.ts';
import type { Instant, Money, Price } from '../../core/number/units.ts';
import type { CancellationReason, OrderErrorCode, OrderStatus } from '../../core/order.ts';
import type { TransactionCode } from '../../core/transaction.ts';

/** Why a command did nothing at all. (The refusal of a single order is an `orderRefused` event.) */
export const COMMAND_REFUSALS = [
  'UNKNOWN_ID',
  'INVALID_MOVE',
  'INVALID_ARGUMENT',
  'INSUFFICIENT_FUNDS',
  'HEARTBEAT_LAPSED',
  'NO_HEARTBEAT',
] as const;
export type CommandRefusal = (typeof COMMAND_REFUSALS)[number];

/**
 * The order of events is part of the contract; an oracle compares it event by event:
 *
 * - Placing one item: `orderRefused`; or `orderAccepted`, then the matching (unless Pending), then `orderChanged` of
 *   the taker if any of its stake matched or was voided, then the postings.
 * - Matching, for each piece consumed: the maker's `orderMatched`, the maker's `orderChanged`, the taker's
 *   `orderMatched`. A piece of recorded stake gives the taker's `orderMatched` only. A cross match: `orderMatched` then
 *   `orderChanged` of each maker, by outcome index, then one `orderMatched` of the taker.
 * - Postings: when an item, a cancel command, a delay's end or a fill by recorded stake is done, each wallet whose M
 *   changed gets one transaction pair (wallet, then escrow), in the order in which the wallets were first touched. M
 *   rising is TradeCreation, M falling MarketPositionRefund.
 * - Cancelling many orders: in the order of their ids; each gives one `orderChanged`, a Pending one none until its
 *   delay ends.
 * - Replacing: one `orderChanged` for each order that was cancelled, as listed; then each new order as a placed item,
 *   whose `item` is the index of its replacement.
 * - Settling: `marketChanged` (Settling); per order with unmatched stake, by id, `orderChanged` (voiding it); per
 *   order with matched stake, by id: its `tradeSettled` by trade id, then `orderChanged` (Won or Lost); then per
 *   position by wallet id: MarketPositionPayout pair (escrow, wallet) where not zero, then per commission rate by id a
 *   Commission pair (wallet, commission wallet) where not zero; a SettlementResidual pair (escrow, System) where a
 *   residue of truncation is left; then `marketChanged` (Settled).
 * - Voiding: `marketChanged` (Voiding); per order by id: `tradeSettled` (0) of its trades, `orderChanged` (Voided);
 *   per position by wallet id: MarketPositionVoid pair (escrow, wallet) of M; residual; `marketChanged` (Voided).
 * - Voiding trades: per order with such trades, by id: their `tradeSettled` (0) by trade id, then `orderChanged` (Unmatched,
 *   PartiallyMatched or Matched by what is left, Voided where nothing is); then the postings.
 */
export type ExchangeEvent = { readonly at: Instant } & (
  | { readonly kind: 'refused'; readonly reason: CommandRefusal }
  | { readonly kind: 'appCreated'; readonly app: number }
  | { readonly kind: 'commissionRateCreated'; readonly app: number; readonly rate: number; readonly ratePpm: number }
  | { readonly kind: 'walletCreated'; readonly app: number; readonly wallet: number; readonly type: WalletType }
  | { readonly kind: 'accountOpened'; readonly wallet: number; readonly currency: number }
  | { readonly kind: 'overdraftSet'; readonly wallet: number; readonly currency: number; readonly overdraft: Money }
  /** One posting. Postings come in pairs that sum to zero; `market` is absent where none is concerned. */
  | {
      readonly kind: 'transaction';
      readonly wallet: number;
      readonly currency: number;
      readonly code: TransactionCode;
      readonly amount: Money;
      readonly market?: number;
    }
  | { readonly kind: 'eventCreated'; readonly event: number; readonly app: number }
  | { readonly kind: 'eventChanged'; readonly event: number; readonly active: boolean }
  | { readonly kind: 'marketCreated'; readonly market: number; readonly escrowWallet: number }
  /** Follows each change of a market's own state. A move that passes through an intermediate status gives two. */
  | {
      readonly kind: 'marketChanged';
      readonly market: number;
      readonly status: MarketStatus;
      readonly inPlayStatus: InPlayStatus;
      readonly published: boolean;
      readonly suspended: boolean;
      readonly inPlayDelayMs: number;
      readonly lockAt?: Instant;
    }
  | {
      readonly kind: 'outcomeRemoved';
      readonly market: number;
      readonly outcome: number;
      readonly factorPpm: number;
    }
  | { readonly kind: 'marketForgotten'; readonly market: number }
  /** `item` is the order's index in its batch. `due` is when the delay of a Pending order ends. */
  | {
      readonly kind: 'orderAccepted';
      readonly app: number;
      readonly item: number;
      readonly order: number;
      readonly status: 'Pending' | 'Unmatched';
      readonly due?: Instant;
    }
  | { readonly kind: 'orderRefused'; readonly app: number; readonly item: number; readonly code: OrderErrorCode }
  | {
      readonly kind: 'orderMatched';
      readonly trade: number;
      readonly order: number;
      readonly price: Price;
      readonly stake: Money;
    }
  | {
      readonly kind: 'orderChanged';
      readonly order: number;
      readonly status: OrderStatus;
      readonly stakeUnmatched: Money;
      readonly stakeVoided: Money;
      readonly reason?: CancellationReason;
    }
  /** A removal reduced the price at which a resting order rests. */
  | { readonly kind: 'orderReduced'; readonly order: number; readonly price: Price }
  /** A removal changed the price of a trade. */
  | { readonly kind: 'tradeRepriced'; readonly trade: number; readonly price: Price }
  | { readonly kind: 'tradeSettled'; readonly trade: number; readonly profitLoss: Money }
  | {
      readonly kind: 'heartbeatChanged';
      readonly app: number;
      readonly active: boolean;
      readonly timeoutMs: number;
      readonly lastSeenAt: Instant;
    }
  | { readonly kind: 'heartbeatDeleted'; readonly app: number; readonly wasActive: boolean }
);
