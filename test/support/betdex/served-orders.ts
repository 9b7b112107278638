/** Orders as a scripted exchange holds them: listed by id, reference, market and status, as the API does. */

import { tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { type Money, money } from '../../../src/core/number/units.ts';
import type { ReportedOrder } from '../../../src/core/run/kept-order.ts';
import type {} from '../../../src/core/run/risk-memory.ts';
import { NO_RISK_MEMORY } from '../../../src/core/run/risk-memory.ts';
import type { RestoredOrder, RunState } from '../../../src/core/run/run-state.ts';
import {
  type AskedInput,
  orderDocument,
  ordersAnswer,
  type ScriptedExchange,
} from '../conformance/scripted-exchange.ts';

export type ServedOrder = ReturnType<typeof orderDocument>;

/** Serves the orders of the map, which may change while the exchange runs. */
export function serveOrders(exchange: ScriptedExchange, orders: Map<string, ServedOrder>): void {
  exchange.on('listOrders', (input) => ordersAnswer([...orders.values()].filter((order) => isAsked(order, input))));
}

function isAsked({ id, reference, market, status }: ServedOrder, { query }: AskedInput): boolean {
  const isIn = (key: string, value: string | undefined): boolean => {
    const wanted = query?.[key];
    return wanted === undefined || (value !== undefined && wanted.includes(value));
  };
  return (
    isIn('ids', id) && isIn('references', reference) && isIn('marketIds', market._ids[0]) && isIn('statuses', status)
  );
}

export function served(...orders: readonly Readonly<Record<string, unknown>>[]): Map<string, ServedOrder> {
  return new Map(orders.map(orderDocument).map((order) => [order.id, order]));
}

/** Order 1 of the run, in market 8801, sent at this time. */
export function restored(sentAt: number, change: Partial<RestoredOrder> = {}): RestoredOrder {
  const tick = tickOfDecimal(2);
  if (tick === undefined) throw new Error('2 is on the ladder');
  return {
    terms: {
      ...{ client: 1, strategy: 'Scalp it', wallet: 'w-1', market: '8801', marketName: 'Full time result' },
      ...{ outcome: '1', outcomeTitle: 'Home', side: 'For', tick, stake: money(10e6) },
      ...{ keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
    },
    sentAt,
    fate: 'open',
    ...change,
  };
}

/** The newest report of order 1 before the restart. */
export function wordOf(order: number, at: number): ReportedOrder {
  const none = 0 as Money;
  return {
    ...{ client: 1, order, status: 'Unmatched' as const, at },
    ...{ stakeMatched: none, winningsMatched: none, stakeUnmatched: money(10e6), stakeVoided: none },
  };
}

export function runState(orders: readonly RestoredOrder[], results: RunState['results'] = []): RunState {
  return {
    ...{ run: 'run7', lastClient: orders.length, orders, results, trading: 'running', tradingCause: '' },
    ...{ haltedStrategies: [], riskMemory: NO_RISK_MEMORY, heartbeat: 'unarmed' },
  };
}
