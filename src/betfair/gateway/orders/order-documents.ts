/** Current and cleared orders of Betfair's documents, read into facts. */

import { Unreadable } from '../../../codec/lenient.ts';
import { tickOfDecimal } from '../../../core/number/ladder.ts';
import { type Instant, instant, type Money, money, ZERO } from '../../../core/number/units.ts';
import type { CancellationReason, OrderStatus } from '../../../core/order.ts';
import type { OrderFacts, TermsOf } from '../../../exchange-live/orders/order-facts.ts';
import type { AnswerOf } from '../../client/call.ts';
import type { BetStatusWord } from '../../wire/basics/codes.ts';
import { outcomeIdOf } from '../../wire/basics/runners.ts';
import { amountOf, sizeOf, timeOf, winningsAt } from '../base/amounts.ts';

type Readable<T> = Exclude<T, Unreadable>;
export type CurrentOrder = Readable<AnswerOf<'listCurrentOrders'>['currentOrders'][number]>;
export type ClearedOrder = Readable<AnswerOf<'listClearedOrders'>['clearedOrders'][number]>;
export type BetStatus = (typeof BetStatusWord)['static'];

/** The number of a bet; undefined for a text that is none. Bets have 12 digits, and a number holds 15. */
export function orderIdOf(betId: string | undefined): number | undefined {
  const id = betId !== undefined && /^[1-9]\d{0,14}$/.test(betId) ? Number(betId) : undefined;
  return id;
}

/** Why orders of a market ended without a word of it in their documents; undefined where nothing is known. */
export type ReasonIn = (order: {
  readonly marketId: string;
  readonly outcomeId: string;
}) => CancellationReason | undefined;

export interface OrderBackground {
  readonly walletId: string;
  readonly readAt: Instant;
  readonly reasonIn: ReasonIn;
  /** The reason of stake that was cancelled, unless somebody asked for it. */
  readonly cancelledBy: (order: number) => CancellationReason;
}

/** Undefined where it makes no sense: its parts must add up to its size, always. */
export function factsOfCurrent(order: CurrentOrder, background: OrderBackground): OrderFacts | undefined {
  const { marketId, priceSize, customerOrderRef, averagePriceMatched } = order;
  const id = orderIdOf(order.betId);
  const tick = priceSize instanceof Unreadable ? undefined : tickOfDecimal(priceSize.price);
  const stake = priceSize instanceof Unreadable ? undefined : sizeOf(priceSize.size);
  const parts = partsOf(order);
  if (id === undefined || tick === undefined || stake === undefined || parts === undefined) return undefined;
  const { matched, remaining, lapsed, cancelled, voided } = parts;
  if (matched + remaining + lapsed + cancelled + voided !== stake || (order.side !== 'BACK' && order.side !== 'LAY'))
    return undefined;
  const outcomeId = outcomeIdOf(order);
  const side = order.side === 'BACK' ? 'For' : 'Against';
  const status = statusOf(order.status, parts);
  const isUndone = matched === 0 && remaining === 0;
  const reason = isUndone ? reasonOf(order, { id, outcomeId, parts, background }) : undefined;
  return {
    ...{ id, marketId, outcomeId, side, tick, stake, status, reason, fills: [] },
    reference: customerOrderRef,
    walletId: background.walletId,
    stakeUnmatched: remaining,
    stakeVoided: money(lapsed + cancelled + voided),
    winnings: winningsAt(matched, averagePriceMatched, side),
    modifiedAt: modifiedAt(order) ?? background.readAt,
  };
}

interface Parts {
  readonly matched: Money;
  readonly remaining: Money;
  readonly lapsed: Money;
  readonly cancelled: Money;
  readonly voided: Money;
}

function partsOf(order: CurrentOrder): Parts | undefined {
  const matched = sizeOf(order.sizeMatched);
  const remaining = sizeOf(order.sizeRemaining);
  const lapsed = sizeOf(order.sizeLapsed);
  const cancelled = sizeOf(order.sizeCancelled);
  const voided = sizeOf(order.sizeVoided);
  if (matched === undefined || remaining === undefined) return undefined;
  if (lapsed === undefined || cancelled === undefined || voided === undefined) return undefined;
  return { matched, remaining, lapsed, cancelled, voided };
}

/** Undefined for a word that is newer than this client: the stakes then say how much may still match. */
function statusOf(word: string, { matched, remaining, cancelled, lapsed, voided }: Parts): OrderStatus | undefined {
  if (word === 'PENDING') return 'Pending';
  if (word === 'EXECUTABLE' || remaining > 0) return matched > 0 ? 'PartiallyMatched' : 'Unmatched';
  if (word !== 'EXECUTION_COMPLETE' && word !== 'EXPIRED') return undefined;
  if (matched > 0) return 'Matched';
  return voided > 0 && cancelled === 0 && lapsed === 0 ? 'Voided' : 'Cancelled';
}

/** What Betfair says of stake that lapsed (profile section 5). */
const LAPSE_REASONS: Readonly<Record<string, CancellationReason>> = {
  MKT_SUSPENDED: 'MarketSuspended',
  MKT_UNKNOWN: 'MarketLock',
  MKT_INVALID: 'MarketLock',
  RNR_UNKNOWN: 'OutcomeRemoved',
  TIME_ELAPSED: 'CreationFailed',
  MKT_VERSION: 'CreationFailed',
  PRICE_INVALID: 'CreationFailed',
  CURRENCY_UNKNOWN: 'CreationFailed',
  SMALL_STAKE: 'CreationFailed',
  PRICE_IMP_TOO_LARGE: 'CreationFailed',
};

function reasonOf(
  { lapseStatusReasonCode: code, marketId }: Pick<CurrentOrder, 'lapseStatusReasonCode' | 'marketId'>,
  of: {
    readonly id: number;
    readonly outcomeId: string;
    readonly parts: Parts;
    readonly background: OrderBackground;
  },
): CancellationReason | undefined {
  const { id, outcomeId, parts, background } = of;
  if (parts.cancelled > 0) return background.cancelledBy(id);
  if (code !== undefined && LAPSE_REASONS[code] !== undefined) return LAPSE_REASONS[code];
  return background.reasonIn({ marketId, outcomeId });
}

function modifiedAt({ matchedDate, cancelledDate, lapsedDate, placedDate }: CurrentOrder): Instant | undefined {
  return latest([matchedDate, cancelledDate, lapsedDate, placedDate]);
}

function latest(texts: readonly (string | undefined)[]): Instant | undefined {
  const times = texts.flatMap((text) => timeOf(text) ?? []);
  return times.length === 0 ? undefined : instant(Math.max(...times));
}

/** The rows of one cleared order: each says what became of a part of it. */
export interface ClearedParts {
  readonly betId: string;
  readonly rows: ReadonlyMap<BetStatus, ClearedOrder>;
}

/**
 * An order that is current no more. What was asked for is not in these documents: it is what we know of our own, and of another's the sum of its parts. Undefined where they do not add up:
 * another part is not told yet.
 */
export function factsOfCleared(
  { betId, rows }: ClearedParts,
  { walletId, readAt, reasonIn, cancelledBy }: OrderBackground,
  termsOf: TermsOf,
): OrderFacts | undefined {
  const id = orderIdOf(betId);
  const first = [...rows.values()][0];
  if (id === undefined || first === undefined) return undefined;
  const terms = termsOf({ id, reference: first.customerOrderRef });
  const sizeIn = (status: BetStatus, key: 'sizeSettled' | 'sizeCancelled'): Money =>
    sizeOf(rows.get(status)?.[key]) ?? ZERO;
  const matched = sizeIn('SETTLED', 'sizeSettled');
  const voided = sizeIn('VOIDED', 'sizeSettled');
  const cancelled = sizeIn('CANCELLED', 'sizeCancelled');
  const lapsed = sizeIn('LAPSED', 'sizeCancelled');
  const sum = money(matched + voided + cancelled + lapsed);
  const marketId = first.marketId ?? terms?.marketId;
  const outcomeId =
    first.selectionId === undefined ? terms?.outcomeId : outcomeIdOf({ ...first, selectionId: first.selectionId });
  const tick = first.priceRequested === undefined ? terms?.tick : tickOfDecimal(first.priceRequested);
  const side = first.side === undefined ? terms?.side : first.side === 'BACK' ? 'For' : 'Against';
  if (marketId === undefined || outcomeId === undefined || tick === undefined || side === undefined) return undefined;
  if (sum !== (terms?.stake ?? sum) || sum === 0) return undefined;
  const settled = rows.get('SETTLED');
  const status: OrderStatus =
    settled !== undefined && matched > 0 ? resultOf(settled) : voided > 0 ? 'Voided' : 'Cancelled';
  const reason =
    status !== 'Cancelled' ? undefined : cancelled > 0 ? cancelledBy(id) : reasonIn({ marketId, outcomeId });
  return {
    ...{ id, walletId, marketId, outcomeId, side, tick, status, reason, fills: [], stake: sum },
    reference: first.customerOrderRef ?? terms?.reference,
    stakeUnmatched: ZERO,
    stakeVoided: money(voided + cancelled + lapsed),
    winnings: winningsAt(matched, settled?.priceMatched, side),
    profit: amountOf(settled?.profit ?? 0),
    modifiedAt: latest([...rows.values()].map(({ settledDate }) => settledDate)) ?? readAt,
  };
}

/** The documentation has WIN, LOSE and PLACE, answers have WON and LOST. */
function resultOf({ betOutcome, profit }: ClearedOrder): OrderStatus {
  if (betOutcome === 'WON' || betOutcome === 'WIN') return 'Won';
  if (betOutcome === 'LOST' || betOutcome === 'LOSE') return 'Lost';
  return (amountOf(profit) ?? 0) > 0 ? 'Won' : 'Lost';
}
