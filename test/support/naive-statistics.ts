/** Statistics of a run worked out fill by fill from the rows of its files, with no merging: what the composed ones are judged by. */

import { defined } from '../../src/core/checks/assert.ts';
import type { ClosingValue, PricedBet } from '../../src/research/run/closing-value.ts';
import type { OutcomeEnd } from '../../src/result/figures/outcome-end.ts';
import type { BacktestResult, FillRow, MarketResult, OrderRow } from '../../src/result/result.ts';

interface NaiveFill {
  readonly fill: FillRow;
  readonly order: OrderRow;
  readonly market: MarketResult;
  readonly outcome: OutcomeEnd;
  readonly isEarly: boolean;
  /** As settlement takes it: below the fill's own where a non-runner reduced the bet. */
  readonly reducedPrice: number;
}

/** The fills of a bound with their orders. */
export function naiveFills(
  { orderRows, fillRows, byMarket }: BacktestResult,
  bound: FillRow['flow'] = 'central',
): readonly NaiveFill[] {
  const ofBound = [...orderRows].filter(({ flow }) => flow === bound);
  const orders = new Map(ofBound.map((order) => [`${order.run} ${order.id}`, order]));
  const won = new Map<string, number>();
  for (const { run, order, flow, stake, price } of fillRows) {
    const key = `${run} ${order}`;
    if (flow === bound) won.set(key, (won.get(key) ?? 0) + stake * (price - 1));
  }
  return [...fillRows].flatMap((fill) => {
    if (fill.flow !== bound) return [];
    const order = defined(orders.get(`${fill.run} ${fill.order}`), 'the order of the fill');
    const market = defined(
      byMarket.find(({ id }) => id === fill.marketId),
      'the market of the fill',
    );
    const outcome = defined(
      market.outcomes.find(({ id }) => id === fill.outcomeId),
      'its outcome',
    );
    const isEarly =
      market.preOffAt !== undefined && fill.at <= market.preOffAt && fill.at < (market.inPlayAt ?? Infinity);
    const kept = order.stakeMatched * ((order.averagePrice ?? 1) - 1);
    const factor = kept === 0 ? 1 : kept / (won.get(`${fill.run} ${fill.order}`) ?? kept);
    return [{ fill, order, market, outcome, isEarly, reducedPrice: 1 + (fill.price - 1) * factor }];
  });
}

/** What settlement pays for a fill, gross: 0 where its bet is void. */
export function naiveProfit({ fill: { side, stake }, outcome, reducedPrice }: NaiveFill): number {
  const { winShare } = outcome;
  if (winShare === undefined) return 0;
  const forIt = winShare * stake * (reducedPrice - 1) - (1 - winShare) * stake;
  return side === 'For' ? forIt : -forIt;
}

export function naiveBets(
  fills: readonly NaiveFill[],
  closingOf: (fill: NaiveFill) => number | undefined,
  isAtClose = false,
): readonly PricedBet[] {
  return fills.flatMap((each) => {
    const closing = closingOf(each);
    if (closing === undefined) return [];
    const { side, stake } = each.fill;
    const price = isAtClose ? each.reducedPrice : each.fill.price;
    return [{ eventGroup: each.market.eventId, side, price, stake, closing }];
  });
}

/** By outcome what was bet on it on one side: the chance that breaks even, and whether it won; dead heats and outcomes without a result are left out. */
export function naiveTaken(
  fills: readonly NaiveFill[],
  side: FillRow['side'],
): readonly { readonly chance: number; readonly won: boolean }[] {
  const byOutcome = Map.groupBy(
    fills.filter(({ fill, outcome }) => fill.side === side && (outcome.winShare === 0 || outcome.winShare === 1)),
    ({ fill }) => `${fill.marketId} ${fill.outcomeId}`,
  );
  return [...byOutcome.values()].map((own) => {
    const stake = own.reduce((sum, { fill }) => sum + fill.stake, 0);
    const paid = own.reduce((sum, { fill, reducedPrice }) => sum + fill.stake * reducedPrice, 0);
    return { chance: stake / paid, won: own[0]?.outcome.winShare === 1 };
  });
}

/** The last price before the off. */
export function closeOf({ result, preOff = {} }: OutcomeEnd): number | undefined {
  if (result === 'Removed') return undefined;
  const { bestFor, bestAgainst, lastPrice } = preOff;
  if (bestFor === undefined || bestAgainst === undefined) return lastPrice;
  const isWide = lastPrice !== undefined && bestFor / bestAgainst > 1.1;
  return isWide ? [bestAgainst, lastPrice, bestFor].sort((a, b) => a - b)[1] : 2 / (1 / bestFor + 1 / bestAgainst);
}

export function naiveValue(bets: readonly PricedBet[]): Pick<ClosingValue, 'bets' | 'money' | 'stake'> {
  let [money, stake] = [0, 0];
  for (const bet of bets) {
    const value = bet.stake * (bet.price / bet.closing - 1);
    money += bet.side === 'For' ? value : -value;
    stake += bet.stake;
  }
  return { bets: bets.length, money, stake };
}

/** Betting at the best price at the decision against the middle, and the price got against that price, fill by fill. */
export function naiveCosts(fills: readonly NaiveFill[]): { readonly spread: number; readonly delay: number } {
  let [spread, delay] = [0, 0];
  for (const { fill, order } of fills) {
    if (order.bestFor === undefined || order.bestAgainst === undefined) continue;
    const middle = 2 / (1 / order.bestFor + 1 / order.bestAgainst);
    const [sign, best] = fill.side === 'For' ? [1, order.bestAgainst] : [-1, order.bestFor];
    spread += sign * fill.stake * (1 - best / middle);
    delay += (sign * fill.stake * (best - fill.price)) / middle;
  }
  return { spread, delay };
}

/** What orders left unmatched at their limit, of those that arrived before the off. */
export function naiveUnfilled({ orderRows, byMarket }: BacktestResult): readonly PricedBet[] {
  return [...orderRows].flatMap((order) => {
    const market = byMarket.find(({ id }) => id === order.marketId);
    const outcome = market?.outcomes.find(({ id }) => id === order.outcomeId);
    const closing = outcome === undefined ? undefined : closeOf(outcome);
    const stake = order.stake - order.stakeMatched;
    const { preOffAt = 0, eventId = '' } = market ?? {};
    const isLeft = order.flow === 'central' && order.status !== undefined && stake > 1e-9;
    if (!isLeft || closing === undefined || (order.arrivedAt ?? Infinity) > preOffAt) return [];
    return [{ eventGroup: eventId, side: order.side, price: order.price, stake, closing }];
  });
}
