/** Encodes a change as one line of JSON and decodes it; orders, by far the most frequent, as short rows. */

import type { Tick } from '../../core/number/ladder.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import { sideIndex, sideOf } from '../../core/side.ts';
import type { PlaceRequest } from '../../matching/messages/command.ts';
import type { Change } from '../world/change.ts';

type Extras = Pick<PlaceRequest, 'reference' | 'commissionRate' | 'minFill' | 'fault'>;
/** Wallet, market, side, outcome, tick, stake, flags; then the optional fields, where there are any. */
type OrderRow = readonly [number, number, number, number, number, number, number, Extras?];
type PlaceLine = readonly [at: number, app: number, ...orders: OrderRow[]];

const KEEPS_IN_PLAY = 1;
const CANCELS_UNMATCHED = 2;
const UNDELAYED = 4;

/** All numbers must be finite, as they are in every change that the world has made. */
export function textOfChange(change: Change): string {
  if (change.kind !== 'command' || change.command.kind !== 'place') return JSON.stringify(change);
  const { app, requests, allOrNone } = change.command;
  // Rare, and only what every batch has is in the short line.
  if (allOrNone === true) return JSON.stringify(change);
  const line: PlaceLine = [change.at, app, ...requests.map(rowOf)];
  return JSON.stringify(line);
}

/** Decodes a text of `textOfChange`. */
export function changeOfText(text: string): Change {
  const read = JSON.parse(text) as Change | PlaceLine;
  if (!isLine(read)) return read;
  const [at, app, ...rows] = read;
  return { at: at as Instant, kind: 'command', command: { kind: 'place', app, requests: rows.map(requestOf) } };
}

function isLine(read: Change | PlaceLine): read is PlaceLine {
  return Array.isArray(read);
}

function rowOf(request: PlaceRequest): OrderRow {
  const { wallet, market, side, outcome, tick, stake, keepWhenInPlay, matchBehavior } = request;
  const cancels = matchBehavior === 'CancelUnmatched' ? CANCELS_UNMATCHED : 0;
  const flags = (keepWhenInPlay ? KEEPS_IN_PLAY : 0) + cancels + (request.undelayed === true ? UNDELAYED : 0);
  const extras = extrasOf(request);
  const short = [wallet, market, sideIndex(side), outcome, tick, stake, flags] as const;
  return extras === undefined ? short : [...short, extras];
}

function extrasOf({ reference, commissionRate, minFill, fault }: PlaceRequest): Extras | undefined {
  const extras = {
    ...(reference === undefined ? {} : { reference }),
    ...(commissionRate === undefined ? {} : { commissionRate }),
    ...(minFill === undefined ? {} : { minFill }),
    ...(fault === undefined ? {} : { fault }),
  };
  return Object.keys(extras).length === 0 ? undefined : extras;
}

function requestOf([wallet, market, side, outcome, tick, stake, flags, extras]: OrderRow): PlaceRequest {
  return {
    wallet,
    market,
    side: sideOf(side),
    outcome,
    tick: tick as Tick,
    stake: stake as Money,
    keepWhenInPlay: (flags & KEEPS_IN_PLAY) !== 0,
    matchBehavior: (flags & CANCELS_UNMATCHED) !== 0 ? 'CancelUnmatched' : 'RetainUnmatched',
    ...((flags & UNDELAYED) !== 0 ? { undelayed: true } : {}),
    ...extras,
  };
}
