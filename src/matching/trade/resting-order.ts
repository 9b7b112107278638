/** Changes one resting order, which keeps its place in the queue: takes stake off it, or has it stay in play. */

import { STAKE_STEP } from '../../core/number/units.ts';
import { NO_SLOT } from '../columns/id-pages.ts';
import type { OrderCommand } from '../messages/command.ts';
import type { CommandRefusal } from '../messages/event.ts';
import { changeOrder, isLiveOrder, isPending, marketOf, moveUnmatched, voidUnmatched } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';
import { USER_REQUEST } from './cancel.ts';

/** Cancels a part of a resting order. */
export function reduce(state: State, command: Extract<OrderCommand, { kind: 'reduce' }>): void {
  const { app, order, stake } = command;
  const isStake = Number.isSafeInteger(stake) && stake > 0 && stake % STAKE_STEP === 0;
  const slot = isStake ? restingOrder(state, app, order) : 'INVALID_ARGUMENT';
  if (typeof slot === 'string') return state.log.refused(slot);
  const { orders } = state;
  const market = marketOf(state, slot);
  const rests = orders.unmatched(slot);
  state.beginRound();
  if (stake >= rests) voidUnmatched(state, market, slot, USER_REQUEST);
  else {
    market.liquidity.reduce(slot, stake);
    orders.setUnmatched(slot, rests - stake);
    orders.setVoided(slot, orders.voided(slot) + stake);
    moveUnmatched(state, slot, rests, rests - stake);
    changeOrder(state, slot, orders.status(slot));
  }
  state.endRound();
}

/** Has a resting order stay when its market turns in play, or not. */
export function setKeep(state: State, command: Extract<OrderCommand, { kind: 'setKeep' }>): void {
  const slot = restingOrder(state, command.app, command.order);
  if (typeof slot === 'string') return state.log.refused(slot);
  if (state.orders.keepsWhenInPlay(slot) === command.keepWhenInPlay) return;
  state.orders.keepWhenInPlay(slot, command.keepWhenInPlay);
  changeOrder(state, slot, state.orders.status(slot));
}

/**
 * The slot of an app's order that rests in a market where it may be cancelled; otherwise why a command about it is
 * refused. A Pending order rests nowhere.
 */
export function restingOrder(state: State, appId: number, id: number): number | CommandRefusal {
  const slot = state.orders.slotById.get(id);
  if (slot === NO_SLOT || state.positions.app[state.orders.position(slot)] !== appId) return 'UNKNOWN_ID';
  const rests = isLiveOrder(state, slot) && !isPending(state, slot);
  return rests && state.cancelIn[marketOf(state, slot).status] === 1 ? slot : 'INVALID_MOVE';
}
