/** What readers of the stream must hold of a market and of an account's bets, worked out slowly from the exchange machine. */

import { decimalOfTick } from '../../../src/core/number/ladder.ts';
import type { PriceLevel } from '../../../src/matching/state/visible-prices.ts';
import type { StreamStage } from './stream-stage.ts';

type Rows = readonly (readonly number[])[];

/** Everything that a field may be of one runner, as plain rows; numbers that are not there are left out. */
export interface NaiveRunner {
  readonly numbers: Readonly<Record<string, number>>;
  readonly byPrice: Readonly<Record<string, Rows>>;
  readonly byLevel: Readonly<Record<string, Rows>>;
}

const SIZE = 10_000;
/** The smallest bet in pounds. */
const LEAST = 1;
const MILLION = 1_000_000;

export function naiveRunner(stage: StreamStage, market: number, outcome: number): NaiveRunner {
  const { exchange } = stage.builder.world;
  const view = exchange.market(market);
  const isOver = view === undefined || ['Settled', 'Voided', 'Closed'].includes(view.status);
  const atb = isOver ? [] : resting(stage, market, outcome, 'Against');
  const atl = isOver ? [] : resting(stage, market, outcome, 'For');
  const virtual = isOver ? [] : exchange.prices(market, { cross: true });
  const bdatb = virtualRows(virtual, outcome, 'Against');
  const bdatl = virtualRows(virtual, outcome, 'For');
  const traded = new Map<number, number>();
  for (const level of exchange.prices(market, { empty: true }))
    if (level.outcome === outcome && level.matched > 0)
      traded.set(level.price, (traded.get(level.price) ?? 0) + 2 * level.matched);
  const lastTick = view?.lastTicks[outcome];
  return {
    numbers: {
      tv: hundredths(2 * (view?.traded[outcome] ?? 0)),
      ...(lastTick === undefined ? {} : { ltp: decimalOfTick(lastTick) }),
    },
    byPrice: {
      atb: sorted(sized(atb)),
      atl: sorted(sized(atl)),
      trd: sorted(
        [...traded].filter(([, stake]) => stake >= SIZE).map(([price, stake]) => [price / 1000, hundredths(stake)]),
      ),
    },
    byLevel: {
      batb: levels(atb),
      batl: levels(atl),
      bdatb: levels(bdatb),
      bdatl: levels(bdatl),
    },
  };
}

/** The stake of all live orders by price, in 10⁻⁶, the best price first for who takes it. */
function resting(stage: StreamStage, market: number, outcome: number, side: 'For' | 'Against'): Rows {
  const sums = new Map<number, number>();
  for (const order of stage.builder.world.exchange.ordersOfMarket(market)) {
    const isLive = order.status === 'Unmatched' || order.status === 'PartiallyMatched';
    if (!isLive || order.outcome !== outcome || order.side !== side) continue;
    sums.set(order.tick, (sums.get(order.tick) ?? 0) + order.stakeUnmatched);
  }
  return bestFirst(
    [...sums].map(([tick, stake]) => [decimalOfTick(tick as never), stake]),
    side,
  );
}

function virtualRows(all: readonly PriceLevel[], outcome: number, side: 'For' | 'Against'): Rows {
  const own = all.filter((level) => level.outcome === outcome && level.side === side);
  return bestFirst(
    own.map(({ price, amount }) => [price / 1000, amount]),
    side,
  );
}

function bestFirst(rows: Rows, side: 'For' | 'Against'): Rows {
  const sign = side === 'Against' ? -1 : 1;
  return rows.filter(([, stake = 0]) => stake >= SIZE).sort(([left = 0], [right = 0]) => sign * (left - right));
}

/** Small sizes go to the next price. */
function levels(rows: Rows): Rows {
  const found: number[][] = [];
  let carried = 0;
  for (const [price = 0, stake = 0] of rows) {
    carried += stake;
    if (carried < LEAST * MILLION) continue;
    found.push([found.length, price, hundredths(carried)]);
    carried = 0;
  }
  return found;
}

function hundredths(stake: number): number {
  return Math.floor(stake / SIZE) / 100;
}

function sized(rows: Rows): Rows {
  return rows.map(([price = 0, stake = 0]) => [price, hundredths(stake)]);
}

function sorted(rows: Rows): Rows {
  return [...rows].sort(([left = 0], [right = 0]) => left - right);
}
