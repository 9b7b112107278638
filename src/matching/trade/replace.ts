/** Replaces resting orders by orders at other prices: all are cancelled, then what was left of each is placed. */

import type { Money } from '../../core/number/units.ts';
import { sideOf } from '../../core/side.ts';
import type { OrderCommand, PlaceRequest, Replacement } from '../messages/command.ts';
import { marketOf, voidUnmatched } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';
import { USER_REQUEST } from './cancel.ts';
import { isBlocked } from './heartbeats.ts';
import type { Matcher } from './matcher.ts';
import { isTick, placeAll } from './place.ts';
import { restingOrder } from './resting-order.ts';

/** A command for an unknown app, or after a lapse that blocks the app, is refused before anything is cancelled. */
export function replace(state: State, matcher: Matcher, command: Extract<OrderCommand, { kind: 'replace' }>): void {
  const app = state.accounts.apps[command.app];
  if (app === undefined) return state.log.refused('UNKNOWN_ID');
  const { replacements } = command;
  const isBatch = replacements.length > 0 && replacements.length <= state.rules.batchMax;
  if (!isBatch || !replacements.every(({ tick }) => isTick(tick))) return state.log.refused('INVALID_ARGUMENT');
  if (isBlocked(state, app)) return state.log.refused('HEARTBEAT_LAPSED');
  state.beginRound();
  const requests = replacements.map((replacement) => cancelled(state, app.id, replacement));
  state.endRound();
  placeAll(state, matcher, app, requests);
}

/** Cancels an order, and returns what is to be placed in its stead; undefined where it does not rest. */
function cancelled(state: State, app: number, { order, tick, reference }: Replacement): PlaceRequest | undefined {
  const slot = restingOrder(state, app, order);
  if (typeof slot === 'string') return undefined;
  const { orders, positions } = state;
  const market = marketOf(state, slot);
  const rate = orders.rate(slot);
  const request: PlaceRequest = {
    wallet: positions.wallet[orders.position(slot)] ?? 0,
    market: market.id,
    side: sideOf(orders.side(slot)),
    outcome: orders.outcome(slot),
    tick,
    stake: orders.unmatched(slot) as Money,
    keepWhenInPlay: orders.keepsWhenInPlay(slot),
    matchBehavior: 'RetainUnmatched',
    ...(reference === undefined ? {} : { reference }),
    ...(rate < 0 ? {} : { commissionRate: rate }),
  };
  voidUnmatched(state, market, slot, USER_REQUEST);
  return request;
}
