/** An order of the stream in the form in which listCurrentOrders answers it, so that both are read alike. */

import type { Lenient } from '../../../codec/lenient.ts';
import type { Result } from '../../wire/operations.ts';
import type { UnmatchedOrder } from '../../wire/stream/order-change.ts';

export type OrderDocument = Result<'listCurrentOrders'>['currentOrders'][number];

/** Where an order belongs: the stream names it around the order. */
export interface OrderPlace {
  readonly marketId: string;
  readonly selectionId: number;
  readonly handicap: number;
}

const SIDES = { B: 'BACK', L: 'LAY' } as const;
const STATUSES = { E: 'EXECUTABLE', EC: 'EXECUTION_COMPLETE' } as const;
const PERSISTENCES = { L: 'LAPSE', P: 'PERSIST', MOC: 'MARKET_ON_CLOSE' } as const;
const TYPES = { L: 'LIMIT', LOC: 'LIMIT_ON_CLOSE', MOC: 'MARKET_ON_CLOSE' } as const;

/** Undefined where it contradicts itself (s = sm + sr + sl + sc + sv, always), or has a word that is newer than this client. */
export function orderDocument(order: Lenient<typeof UnmatchedOrder>, place: OrderPlace): OrderDocument | undefined {
  const { s, sm, sr, sl, sc, sv } = order;
  const side = wordOf(SIDES, order.side);
  const status = wordOf(STATUSES, order.status);
  const persistenceType = wordOf(PERSISTENCES, order.pt);
  const orderType = wordOf(TYPES, order.ot);
  if (side === undefined || status === undefined || persistenceType === undefined || orderType === undefined)
    return undefined;
  if (hundredths(s) !== hundredths(sm + sr + sl + sc + sv)) return undefined;
  return {
    betId: order.id,
    ...place,
    priceSize: { price: order.p, size: s },
    bspLiability: order.bsp ?? 0,
    ...{ side, status, persistenceType, orderType },
    placedDate: dateOf(order.pd),
    averagePriceMatched: order.avp ?? 0,
    ...{ sizeMatched: sm, sizeRemaining: sr, sizeLapsed: sl, sizeCancelled: sc, sizeVoided: sv },
    ...known('matchedDate', order.md, dateOf),
    ...known('lapsedDate', order.ld, dateOf),
    ...known('cancelledDate', order.cd, dateOf),
    ...known('lapseStatusReasonCode', order.lsrc, String),
    ...known('regulatorAuthCode', textOf(order.rac), String),
    ...known('regulatorCode', textOf(order.rc), String),
    ...known('customerOrderRef', textOf(order.rfo), String),
    ...known('customerStrategyRef', textOf(order.rfs), String),
  };
}

function wordOf<const W extends Readonly<Record<string, string>>>(words: W, word: string): W[keyof W] | undefined {
  return Object.hasOwn(words, word) ? words[word as keyof W] : undefined;
}

function known<const K extends string, T>(key: K, value: T | undefined, write: (value: T) => string) {
  return value === undefined ? {} : ({ [key]: write(value) } as { readonly [P in K]?: string });
}

/** The stream writes an empty text where there is none. */
function textOf(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString();
}

function hundredths(size: number): number {
  return Math.round(size * 100);
}
