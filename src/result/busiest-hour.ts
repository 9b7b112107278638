/** The hour in which the most orders were sent: some exchanges charge for those beyond a number. */

import type { OrderRow } from './result.ts';

export interface BusiestHour {
  /** When the hour began, ms UTC. */
  readonly from: number;
  /** Orders sent in it, whatever became of them. */
  readonly orders: number;
}

const HOUR_MS = 3_600_000;
/** Orders of one world; the worlds of the other bounds live through the same time. */
const FLOW = 'central';

/** Undefined where no order was sent. Of orders that reached no exchange, the hour is that of the decision. */
export function busiestHour(rows: Iterable<OrderRow>): BusiestHour | undefined {
  const byHour = new Map<number, number>();
  for (const { flow, arrivedAt, decidedAt } of rows) {
    if (flow !== FLOW) continue;
    const hour = Math.floor((arrivedAt ?? decidedAt) / HOUR_MS);
    byHour.set(hour, (byHour.get(hour) ?? 0) + 1);
  }
  let busiest: BusiestHour | undefined;
  for (const [hour, orders] of byHour) if (orders > (busiest?.orders ?? 0)) busiest = { from: hour * HOUR_MS, orders };
  return busiest;
}

/** Betfair charges for the transactions of an hour beyond so many. */
export const FREE_AT_BETFAIR = 5_000;
