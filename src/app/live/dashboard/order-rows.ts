/** A run’s own orders as rows: those that are live, or all that can still change. */

import { settledProfit } from '../../../core/run/settled-profit.ts';
import { AGAINST, FOR, signOf } from '../../../core/side.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import type { OwnOrder } from '../../../engine/ledger/own-order.ts';
import { strategyName, walletName } from '../../../engine/ledger/run-names.ts';
import type { Tone } from '../../../pages/figure.ts';
import type { Ask, OrderRow, Part } from '../../../pages/panels.ts';
import { marketLabel } from '../../../words/market-label.ts';
import { mappedPart, orderWords, partOf } from '../../web/dashboard/shown/shown-rows.ts';
import { closingStake } from './money/closing-value.ts';

/** The newest first. */
export function ordersPart(ledger: Ledger, ask: Ask): Part<OrderRow> {
  const all: OwnOrder[] = [];
  if (ask.which === 'live') all.push(...ledger.liveOrders());
  else for (const { orders } of ledger.marketEntries()) all.push(...orders);
  const found = ask.find === '' ? all : all.filter((order) => orderText(ledger, order).includes(ask.find));
  return rowsOf(ledger, found, ask);
}

export function rowsOf(ledger: Ledger, orders: readonly OwnOrder[], ask: Pick<Ask, 'from'>): Part<OrderRow> {
  const newest = [...orders].sort((a, b) => b.id - a.id);
  return mappedPart(partOf(newest, ask), (order) => rowOf(ledger, order));
}

function rowOf(ledger: Ledger, order: OwnOrder): OrderRow {
  const { names } = ledger;
  const { terms, exchangeId } = order;
  return {
    number: order.id,
    exchangeId: exchangeId === undefined ? undefined : String(exchangeId),
    market: order.marketId,
    place: marketText(ledger, order),
    outcome: terms.outcomeTitle,
    side: order.side,
    price: order.price,
    stake: order.stake,
    matched: order.stakeMatched,
    unmatched: order.isLive ? order.stakeUnmatched : 0,
    averagePrice: order.averagePrice,
    ...stateOf(order),
    owner: strategyName(names, terms.strategy),
    wallet: walletName(names, terms.wallet),
    placedAt: order.placedAt,
    note: order.note,
    profit: profitOf(order),
  };
}

function stateOf(order: OwnOrder): { readonly state: string; readonly tone: Tone } {
  const words = order.status && orderWords(order.status);
  if (order.unknown) return { state: 'unknown, is looked for', tone: 'bad' };
  if (order.isAbsent) return { state: 'proven absent', tone: 'plain' };
  if (order.cancelling) return { state: `${words ?? 'sent'}, is being cancelled`, tone: 'warn' };
  if (order.inFlight === 'place') return { state: 'sent, not answered yet', tone: 'warn' };
  return { state: words ?? 'refused', tone: order.isLive ? 'good' : 'plain' };
}

/** What closing a live or matched order on its outcome would bring now; undefined where it cannot be closed. */
function profitOf(order: OwnOrder): OrderRow['profit'] {
  const { side, status = '', market, terms } = order;
  const { stakeMatched, winningsMatched } = order.held();
  const settled = settledProfit({ side, status, stakeMatched, winningsMatched });
  if (stakeMatched === 0) return undefined;
  if (settled !== undefined) return { value: settled / 1e6, isSettled: true };
  const payout = (stakeMatched + winningsMatched) / 1e6;
  const resting = side === 'For' ? FOR : AGAINST;
  const closing = market && closingStake(market, { outcome: terms.outcome, resting, payout });
  if (closing === undefined) return undefined;
  return { value: signOf(side) * (closing - stakeMatched / 1e6), isSettled: false };
}

function marketText(ledger: Ledger, { terms }: OwnOrder): string {
  const facts = ledger.entryAt(terms.market)?.state.facts;
  return facts === undefined ? terms.marketName : marketLabel(facts);
}

function orderText(ledger: Ledger, order: OwnOrder): string {
  const { terms, id } = order;
  const { outcomeTitle, strategy, note = '' } = terms;
  const owner = strategyName(ledger.names, strategy);
  return `${id} ${marketText(ledger, order)} ${outcomeTitle} ${owner} ${note}`.toLowerCase();
}
