/** Forgets a finished market: every slot it held is free for others, while ids go on counting. */

import { defined } from '../../core/checks/assert.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import { isIn } from './lifecycle.ts';

export function forget(state: State, market: Market): void {
  if (!isIn(market, state.rules.forgetFrom)) return state.log.refused('INVALID_MOVE');
  const { orders } = state;
  let slot = market.firstOrder;
  while (slot !== NONE) {
    const next = orders.marketNext(slot);
    forgetOrder(state, slot);
    slot = next;
  }
  for (const [wallet, position] of market.positions) {
    state.positions.forget(state.accounts.defined(wallet), market, position);
  }
  market.event.markets.delete(market.id);
  state.markets.delete(market.id);
  state.accounts.dropEscrow(market.escrowWallet);
  state.log.marketForgotten(market.id);
}

function forgetOrder(state: State, slot: number): void {
  const { orders, trades } = state;
  let trade = orders.firstTrade(slot);
  while (trade !== NONE) {
    const next = trades.next(trade);
    trades.forget(trade);
    trade = next;
  }
  const reference = orders.referenceBySlot.get(slot);
  if (reference !== undefined) {
    const app = state.positions.app[orders.position(slot)] ?? NONE;
    defined(state.accounts.apps[app], 'an order has an app').orderByReference.delete(reference);
  }
  orders.forget(slot);
}
