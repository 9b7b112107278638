/** Places a batch of orders of which all are created, or none. */

import type { OrderErrorCode } from '../../core/order.ts';
import { FOR, sideIndex } from '../../core/side.ts';
import type { PlaceRequest } from '../messages/command.ts';
import type { App } from '../records/accounts.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import type { Matcher } from './matcher.ts';
import { appOfBatch, fundedPosition, type PlaceCommand, placeAll, termsRefusal, tradingRefusal } from './place.ts';

/** Judges all as if none of them matched, which asks for the most funds that they can need together. */
export function placeTogether(state: State, matcher: Matcher, command: PlaceCommand): void {
  const [first, ...others] = command.requests;
  const isOne = others.every(({ market, wallet }) => market === first?.market && wallet === first.wallet);
  if (first === undefined || !isOne) return state.log.refused('INVALID_ARGUMENT');
  const app = appOfBatch(state, command);
  if (app === undefined) return;
  if (!logRefusals(state, app, command.requests)) placeAll(state, matcher, app, command.requests);
}

/** Logs each order that is refused; whether there is one. What the others would hold is held for the judging alone. */
function logRefusals(state: State, app: App, requests: readonly PlaceRequest[]): boolean {
  const market = state.markets.get(requests[0]?.market ?? NONE);
  const references = new Set<string>();
  const undo: (() => void)[] = [];
  let isRefused = false;
  for (const [item, request] of requests.entries()) {
    const code = market === undefined ? 'MARKET_NOT_FOUND' : judged({ state, app, market, undo }, request, references);
    if (code === undefined) continue;
    state.log.orderRefused(app.id, item, code);
    isRefused = true;
  }
  for (const step of undo.reverse()) step();
  return isRefused;
}

interface Judging {
  readonly state: State;
  readonly app: App;
  readonly market: Market;
  /** What takes back what was held, in the order of holding. */
  readonly undo: (() => void)[];
}

function judged(judging: Judging, request: PlaceRequest, references: Set<string>): OrderErrorCode | undefined {
  const { state, app, market } = judging;
  const refusal = tradingRefusal(state, market) ?? termsRefusal(state, app, market, request) ?? held(judging, request);
  if (refusal !== undefined) return refusal;
  const { reference } = request;
  if (reference === undefined) return undefined;
  if (references.has(reference)) return 'ORDER_ALREADY_EXISTS';
  references.add(reference);
  return undefined;
}

/** Holds what the order can lose; why it cannot be held, or undefined. */
function held({ state, app, market, undo }: Judging, request: PlaceRequest): OrderErrorCode | undefined {
  const { positions, accounts } = state;
  const isNew = market.positionOf(request.wallet) === NONE;
  const column = sideIndex(request.side) === FOR ? 'unmatchedLose' : 'unmatchedWin';
  const cellOf = (position: number): number => positions.baseOf(position) + request.outcome;
  const before = isNew ? 0 : (positions.columns[column][cellOf(market.positionOf(request.wallet))] ?? 0);
  const position = fundedPosition(state, app, market, request);
  if (typeof position === 'string') return position;
  undo.push(() => {
    positions.columns[column][cellOf(position)] = before;
    positions.measure(position, market);
    state.hold(market, position);
    if (isNew) positions.forget(accounts.defined(request.wallet), market, position);
  });
  return undefined;
}
