/** Own orders at an instant: on the way, resting with what is left of them, ended; and what each outcome would bring by the fills so far. */

import type { OutcomeStatus } from '../../../core/market.ts';
import { signOf } from '../../../core/side.ts';
import { reasonInWords } from '../../../pages/reason-words.ts';
import type { ViewMarket, ViewOrder } from '../../../pages/view-data.ts';
import { exact, thousandths } from './book.ts';

export interface OwnAt {
  readonly order: ViewOrder;
  readonly where: 'on the way' | 'resting' | 'ended';
  readonly matched: number;
  /** The mean price of the fills so far. */
  readonly averagePrice: number | undefined;
  /** Resting at its price; 0 unless it rests. */
  readonly resting: number;
}

/** Undefined for what was not decided yet. */
export function ownAt(order: ViewOrder, at: number): OwnAt | undefined {
  const { decidedAt, arrivedAt, stake, fills } = order;
  const end = endOf(order);
  if (at < (decidedAt ?? arrivedAt ?? end ?? Number.POSITIVE_INFINITY)) return undefined;
  const soFar = fills.filter((fill) => fill.at <= at);
  const matched = exact(soFar.reduce((sum, fill) => sum + fill.stake, 0));
  const averagePrice =
    matched === 0 ? undefined : soFar.reduce((sum, fill) => sum + fill.price * fill.stake, 0) / matched;
  const left = Math.max(0, exact(stake - matched));
  const isEnded = (end !== undefined && end <= at) || left === 0;
  const isThere = arrivedAt !== undefined && arrivedAt <= at;
  const where = isEnded ? 'ended' : isThere ? 'resting' : 'on the way';
  return { order, where, matched, averagePrice, resting: where === 'resting' ? left : 0 };
}

/** When it ended, as far as that is known: what the exchange did not accept ended where it arrived. */
export function endOf(order: ViewOrder): number | undefined {
  const { endedAt, decidedAt, arrivedAt, fills, stake } = order;
  if (endedAt !== undefined) return endedAt;
  if (isRejected(order)) return arrivedAt ?? decidedAt;
  const matched = exact(fills.reduce((sum, fill) => sum + fill.stake, 0));
  return matched >= stake ? fills.at(-1)?.at : undefined;
}

function isRejected({ status, reason, fills }: ViewOrder): boolean {
  return fills.length === 0 && (status === 'Failed' || (status === undefined && reason !== undefined));
}

/** Its state in words, of what was known at the instant: whether a bet was won is said after the settlement alone. */
export function stateText({ where, order, matched }: OwnAt, isSettled: boolean): string {
  const { status = '', reason, arrivedAt, stake } = order;
  const why = reason === undefined ? '' : `: ${reasonInWords(reason)}`;
  if (where !== 'ended') return where === 'resting' && matched > 0 ? 'resting, partly matched' : where;
  if (isRejected(order)) return `rejected${why}`;
  if (arrivedAt === undefined) return `never arrived${why}`;
  if (matched === 0) return `${status === 'Voided' ? 'voided' : 'cancelled'}${why}`;
  const result = isSettled && ['Won', 'Lost', 'Voided'].includes(status) ? status.toLowerCase() : 'matched';
  return matched >= stake ? result : `${result} in part, the rest cancelled`;
}

/** All instants at which something happened to an own order, ascending, each once. */
export function ownInstants({
  orders,
  firstAt,
  lastAt,
}: Pick<ViewMarket, 'orders' | 'firstAt' | 'lastAt'>): Float64Array {
  const instants = new Set<number>();
  for (const order of orders) {
    for (const at of [order.decidedAt, order.arrivedAt, endOf(order)]) if (at !== undefined) instants.add(at);
    for (const { at } of order.fills) instants.add(at);
  }
  const shown = [...instants].filter((at) => at >= firstAt && at <= lastAt);
  return Float64Array.from(shown).sort();
}

/** No other order of the market has it: where several simulations played the market, each numbers its orders anew. */
export function orderName({ number, run }: Pick<ViewOrder, 'number' | 'run'>): string {
  return run === undefined ? `order ${number}` : `order ${number} of run ${run}`;
}

/** What happened to own orders at this very instant, in words. */
export function eventsAt(orders: readonly ViewOrder[], at: number): readonly string[] {
  const words: string[] = [];
  for (const order of orders) {
    const name = orderName(order);
    if (order.decidedAt === at) words.push(`${name} decided`);
    if (order.arrivedAt === at) words.push(`${name} arrived`);
    const filled = order.fills.filter((fill) => fill.at === at).length;
    if (filled > 0) words.push(`${name} ${filled === 1 ? 'filled' : `filled ${filled} times`}`);
    if (endOf(order) === at) words.push(`${name} ended`);
  }
  return words;
}

/** The place of an own order’s stake: backed stake is laid by others, so it stands among what can be laid. */
export interface OwnLevel {
  readonly price: number;
  readonly column: 'back' | 'lay';
  readonly stake: number;
  readonly of: readonly OwnAt[];
}

/** Resting own stake of an outcome by price in thousandths, of each column. */
export function ownLevels(own: readonly OwnAt[], outcome: number): ReadonlyMap<string, OwnLevel> {
  const levels = new Map<string, OwnLevel>();
  for (const each of own) {
    if (each.where !== 'resting' || each.order.outcome !== outcome) continue;
    const column = each.order.side === 'For' ? 'lay' : 'back';
    const price = thousandths(each.order.price);
    const known = levels.get(`${column} ${price}`);
    levels.set(`${column} ${price}`, {
      price,
      column,
      stake: exact((known?.stake ?? 0) + each.resting),
      of: [...(known?.of ?? []), each],
    });
  }
  return levels;
}

/**
 * What each outcome would bring if it alone wins, by the fills up to the instant: before commission. Bets on an outcome that was removed
 * are void. Undefined without fills.
 */
export function positionAt(
  { orders, outcomes }: Pick<ViewMarket, 'orders' | 'outcomes'>,
  at: number,
  statuses: readonly OutcomeStatus[],
): readonly number[] | undefined {
  const profits = outcomes.map(() => 0);
  let fills = 0;
  for (const { outcome, side, fills: all } of orders) {
    if (statuses[outcome] === 'Removed') continue;
    for (const fill of all) {
      if (fill.at > at) continue;
      fills += 1;
      const sign = signOf(side);
      for (const winner of profits.keys())
        profits[winner] = (profits[winner] ?? 0) + sign * fill.stake * (winner === outcome ? fill.price - 1 : -1);
    }
  }
  return fills === 0 ? undefined : profits.map(exact);
}
