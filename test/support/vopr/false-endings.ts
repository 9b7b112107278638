/** A spell in which the exchange's own lists say falsely that orders have ended: a copy of it went wrong, or fell behind. */

import { isObject } from '../../../src/codec/schema-node.ts';
import type { WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { HttpAnswer } from '../../../src/sandbox/context/http-answer.ts';

const LIVE: ReadonlySet<unknown> = new Set(['Pending', 'Unmatched', 'PartiallyMatched']);

export interface FalseReading {
  readonly outcome: HttpAnswer;
  /** Exchange ids of live orders that it leaves out or calls cancelled. */
  readonly ended: readonly string[];
}

/** A list of orders, with each live order left out where only live ones were asked for, and cancelled elsewhere. */
export function falseEndings(request: WireRequest, outcome: HttpAnswer): FalseReading {
  const answer: unknown = JSON.parse(outcome.text);
  if (!isObject(answer) || !Array.isArray(answer['orders'])) return { outcome, ended: [] };
  const ended: string[] = [];
  const isList = request.path.includes('statuses=');
  const orders = answer['orders'].flatMap((order: unknown) => {
    if (!isObject(order) || !LIVE.has(order['status'])) return [order];
    ended.push(String(order['id']));
    return isList ? [] : [cancelled(order)];
  });
  if (ended.length === 0) return { outcome, ended };
  const left = answer['orders'].length - orders.length;
  return { ended, outcome: { ...outcome, text: JSON.stringify({ ...answer, orders, _meta: metaOf(answer, left) }) } };
}

/** Its counts agree with the rows. */
function metaOf({ _meta: meta }: Readonly<Record<string, unknown>>, left: number): unknown {
  if (!isObject(meta) || !isObject(meta['_page'])) return meta;
  const page = { ...meta['_page'], _totalElements: Number(meta['_page']['_totalElements']) - left };
  return { ...meta, _count: Number(meta['_count']) - left, _page: page };
}

function cancelled(order: Readonly<Record<string, unknown>>) {
  const { stakeUnmatched, stakeVoided } = order;
  return {
    ...{ ...order, status: 'Cancelled', cancellationReason: 'Requested', stakeUnmatched: 0 },
    stakeVoided: Math.round((Number(stakeVoided) + Number(stakeUnmatched)) * 1_000_000) / 1_000_000,
  };
}
