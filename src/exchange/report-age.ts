/** Which of two reports of an order is the older one: they come by several ways, so an earlier one may arrive later. */

import { ORDER_MOVES, ORDER_STATUSES, type OrderStatus } from '../core/order.ts';
import type { OrderReport } from './gateway.ts';

/** The fields of a report by which ages are compared. */
export type ReportedState = Pick<OrderReport, 'status' | 'stakeMatched' | 'stakeVoided'>;

/** Matched and voided stake only grows in sum, and a status comes before those that it can lead to. */
export function isOlder(report: ReportedState, known: ReportedState): boolean {
  const change = report.stakeMatched + report.stakeVoided - (known.stakeMatched + known.stakeVoided);
  if (change !== 0) return change < 0;
  return leadsTo(report.status, known.status) && !leadsTo(known.status, report.status);
}

/** Whether an order can come from one status to the other, in any number of moves. */
function leadsTo(from: OrderStatus, to: OrderStatus): boolean {
  return REACHED.get(from)?.has(to) ?? false;
}

const REACHED = new Map(ORDER_STATUSES.map((status) => [status, reachedFrom(status)]));

function reachedFrom(status: OrderStatus): ReadonlySet<OrderStatus> {
  const reached = new Set<OrderStatus>();
  const waiting = [status];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const next = ORDER_MOVES[at].filter((each) => !reached.has(each));
    for (const each of next) reached.add(each);
    waiting.push(...next);
  }
  return reached;
}
