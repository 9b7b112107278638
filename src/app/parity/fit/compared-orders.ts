/** Which orders of a run can be compared with a model's, from when until when, and why the others cannot. */

import { sideIndex } from '../../../core/side.ts';
import type { LeftOutReason } from '../../../result/cancellation-fit.ts';
import { cellOf } from '../../../simulator/overlay/level-cell.ts';
import type { Span } from '../evidence.ts';
import type { RestedOrder } from './fill-error.ts';
import type { PlacedOrder } from './own-levels.ts';
import type { RunOrder } from './run-orders.ts';

/** What is recorded of a market of the run. */
export interface FitMarket {
  /** Index of the market in the source. */
  readonly index: number;
  readonly id: string;
  /** Ids of its outcomes, by index. */
  readonly outcomes: readonly string[];
  readonly firstAt: number;
  readonly lastAt: number;
  /** Whether the tape says what was traded: else no order at rest can fill in a model. */
  readonly hasTrades: boolean;
  readonly crossMatching: boolean;
  /** Spans of which the tapes do not have what happened. */
  readonly gaps: readonly Span[];
}

/** An order that rested, where it can be placed again. */
export interface RestedHere extends RestedOrder, PlacedOrder {
  readonly of: FitMarket;
}

/** The order on the tapes; undefined where they do not know its market or outcome by the time of its arrival. */
export function placeOn(
  markets: ReadonlyMap<string, FitMarket>,
  order: RunOrder,
): (PlacedOrder & { of: FitMarket }) | undefined {
  const of = markets.get(order.terms.market);
  const outcome = of?.outcomes.indexOf(order.terms.outcome) ?? -1;
  if (of === undefined || outcome < 0 || order.arrivedAt < of.firstAt || order.arrivedAt > of.lastAt) return undefined;
  return { order, market: of.index, outcome, of };
}

/**
 * A comparison ends with the order. One that was filled goes on for as long again, so that a model may be late by as much as it can
 * be early; no comparison goes beyond what tapes and journal know.
 */
export function restedHere(placed: PlacedOrder & { readonly of: FitMarket }, knownTo: number): RestedHere | undefined {
  const { restedAt: from, endedAt, isFilled } = placed.order;
  if (from === undefined) return undefined;
  const known = Math.min(placed.of.lastAt, knownTo);
  const end = endedAt === undefined ? known : isFilled ? endedAt + (endedAt - from) : endedAt;
  return { ...placed, from, to: Math.min(end, known) };
}

interface LeavingOut {
  readonly mode: 'live' | 'paper';
  /** Times at which the process was down. */
  readonly downs: readonly Span[];
}

/** Why each order that rested on the tapes is left out, as far as that is known before the replay; in their order. */
export function reasonsBefore(
  rested: readonly RestedHere[],
  { mode, downs }: LeavingOut,
): readonly (LeftOutReason | undefined)[] {
  const together = mode === 'live' ? reasonsOfOthers(rested) : new Map<RestedHere, LeftOutReason>();
  return rested.map((each) => {
    const { order, of, to, from } = each;
    if (order.isUnsure) return 'unsure';
    if (!of.hasTrades) return 'noTrades';
    const during = { from: order.arrivedAt, to };
    if ([...of.gaps, ...downs].some((gap) => gap.from < during.to && during.from < gap.to)) return 'gap';
    if (mode === 'live' && order.taken > 0) return 'tookOnArrival';
    return together.get(each) ?? (to > from ? undefined : 'noTime');
  });
}

/**
 * Other orders of a live run that rested at the same time. In one queue, what trades is recorded without saying which of them it
 * filled; on another outcome of a market that cross matches, their stake shows at this one's prices.
 */
function reasonsOfOthers(rested: readonly RestedHere[]): ReadonlyMap<RestedHere, LeftOutReason> {
  const reasons = new Map<RestedHere, LeftOutReason>();
  for (const orders of Map.groupBy(rested, ({ market }) => market).values()) {
    let open: RestedHere[] = [];
    for (const each of orders.toSorted((a, b) => a.from - b.from)) {
      open = open.filter(({ order, to }) => (order.endedAt ?? to) > each.from);
      for (const other of open) {
        const reason = reasonOfOther(each, other);
        if (reason === undefined) continue;
        reasons.set(each, reason);
        reasons.set(other, reason);
      }
      open.push(each);
    }
  }
  return reasons;
}

function reasonOfOther(each: RestedHere, other: RestedHere): LeftOutReason | undefined {
  if (queueOf(each) === queueOf(other)) return 'sharedQueue';
  return each.of.crossMatching && each.outcome !== other.outcome ? 'crossMatched' : undefined;
}

/** The order's queue in its market. */
function queueOf({ outcome, order: { terms } }: RestedHere): number {
  return cellOf(outcome, sideIndex(terms.side), terms.tick);
}

/** From this many markets on, whole markets are drawn, since orders of one market may have errors in common. */
const MARKETS_LEAST = 20;

interface Units {
  readonly kind: 'market' | 'queue';
  readonly count: number;
  /** The unit of each order, by the order's index. */
  readonly of: Int32Array;
}

/** Orders that stood in one queue at one time met the same cancellations, so they are drawn together; with many markets, all orders of a market are. */
export function unitsOf(orders: readonly RestedHere[]): Units {
  const markets = [...new Set(orders.map(({ market }) => market))];
  if (markets.length >= MARKETS_LEAST) {
    const of = new Int32Array(orders.map(({ market }) => markets.indexOf(market)));
    return { kind: 'market', count: markets.length, of };
  }
  const of = new Int32Array(orders.length);
  const open = new Map<string, { unit: number; to: number }>();
  let count = 0;
  for (const index of [...orders.keys()].sort((a, b) => (orders[a]?.from ?? 0) - (orders[b]?.from ?? 0))) {
    const order = orders[index];
    if (order === undefined) continue;
    const queue = `${order.market} ${queueOf(order)}`;
    const stay = open.get(queue);
    const goesOn = stay !== undefined && order.from < stay.to;
    const unit = goesOn ? stay.unit : count++;
    open.set(queue, { unit, to: Math.max(order.to, goesOn ? stay.to : 0) });
    of[index] = unit;
  }
  return { kind: 'queue', count, of };
}
