/** All that the exchange says of a wallet: orders, trades, positions, money; read by a stranger's client. */

import type { ControlClient } from '../../vendor/control-client.ts';
import type { Json } from '../../vendor/vendor-client.ts';
import type { Trader } from './trader.ts';

const MICROS = 1_000_000;
const MILLIS = 1_000;
const OVER: ReadonlySet<string> = new Set(['Settled', 'Voided', 'Closed']);

/** Amounts are integers of 10⁻⁶, as are those of the journal. */
export interface ExchangeOrder {
  readonly id: string;
  readonly reference: string | undefined;
  readonly market: string;
  readonly outcome: string;
  readonly side: string;
  readonly price: number;
  readonly stake: number;
  readonly keepWhenInPlay: boolean;
  /** Undefined where the exchange does not say it. */
  readonly matchBehavior: string | undefined;
  readonly status: string;
  readonly stakeUnmatched: number;
  readonly stakeVoided: number;
  /** Of its trades. */
  matched: number;
  winnings: number;
  profit: number;
  trades: number;
}

export interface ExchangeSide {
  readonly orders: ReadonlyMap<string, ExchangeOrder>;
  readonly trades: number;
  /** By market id and outcome id. */
  readonly positions: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly balance: number;
  readonly unmatchedExposure: number;
  readonly commission: number;
  /** Markets that are over, of those in which there were orders. */
  readonly over: ReadonlySet<string>;
  readonly troubles: readonly string[];
  /** Its sums of money are rounded to so much. */
  readonly roundedTo?: number;
}

export async function readExchange(owner: Trader, control: ControlClient): Promise<ExchangeSide> {
  const { walletId } = owner.app;
  const query = { walletIds: [walletId] };
  const sort = ['id,asc'];
  const orders = new Map<string, ExchangeOrder>();
  for (const order of await owner.list('GET /orders', 'orders', { query, sort })) orders.set(order.id, orderOf(order));
  const trades = await owner.list('GET /trades', 'trades', { query, sort });
  for (const trade of trades) addTrade(orders, trade);
  const path = { id: walletId };
  const positions = await owner.list('GET /wallets/{id}/positions', 'positions', { path });
  const { wallets } = await owner.call('GET /wallets/{id}', { path });
  const transactions = await owner.list('GET /wallets/{id}/transactions', 'transactions', { path });
  const postings = transactions.filter(({ code }) => code === 'Commission');
  const [balance] = wallets[0].balances;
  return {
    ...{ orders, trades: trades.length },
    positions: new Map(positions.map(({ market, exposures }) => [idOf(market), inMicros(exposures)])),
    balance: micros(balance.balance),
    unmatchedExposure: micros(balance.unmatchedExposure),
    commission: postings.reduce((sum, { amount }) => sum - micros(amount), 0),
    over: await marketsOver(control, orders.values()),
    troubles: await control.troubles(),
  };
}

function orderOf(order: Json): ExchangeOrder {
  const { id, reference, outcomeId, side, keepWhenInPlay, matchBehavior, status } = order;
  return {
    ...{ id, reference, market: idOf(order.market), outcome: outcomeId, side, keepWhenInPlay, matchBehavior, status },
    price: Math.round(order.price * MILLIS),
    stake: micros(order.stake),
    stakeUnmatched: micros(order.stakeUnmatched),
    stakeVoided: micros(order.stakeVoided),
    ...{ matched: 0, winnings: 0, profit: 0, trades: 0 },
  };
}

/** Winnings are the backer's, as the journal keeps them: stake × (price − 1), each trade truncated. */
function addTrade(orders: ReadonlyMap<string, ExchangeOrder>, trade: Json): void {
  const order = orders.get(idOf(trade.order));
  if (order === undefined) throw new Error(`trade ${trade.id} is of no order of the wallet`);
  const stake = micros(trade.stake);
  const odds = Math.round(trade.price * MILLIS) - MILLIS;
  order.matched += stake;
  order.winnings += Number((BigInt(stake) * BigInt(odds)) / BigInt(MILLIS));
  order.trades += 1;
  order.profit += micros(trade.profitLoss ?? 0);
}

export async function marketsOver(
  control: ControlClient,
  orders: Iterable<ExchangeOrder>,
): Promise<ReadonlySet<string>> {
  const over = new Set<string>();
  for (const id of new Set([...orders].map(({ market }) => market)))
    if (OVER.has((await control.call('GET', `/markets/${id}`)).status)) over.add(id);
  return over;
}

function idOf(reference: Json): string {
  return String(reference._ids[0]);
}

function inMicros(exposures: Json): ReadonlyMap<string, number> {
  return new Map(Object.entries(exposures).map(([outcome, amount]) => [outcome, micros(Number(amount))]));
}

export function micros(decimal: number): number {
  return Math.round(decimal * MICROS);
}
