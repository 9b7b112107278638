/** Emits a market's state, and moves it to another status. */

import { asInstant } from './amounts.ts';
import { emit, type OracleMarket, type World } from './world.ts';

export function emitMarket(world: World, market: OracleMarket): void {
  const { status, inPlayStatus, published, suspended, delayMs: inPlayDelayMs } = market;
  const lock = market.lockAt === undefined ? {} : { lockAt: asInstant(market.lockAt) };
  const state = { status, inPlayStatus, published, suspended, inPlayDelayMs, ...lock };
  emit(world, { kind: 'marketChanged', market: market.id, ...state });
}

export function moveTo(world: World, market: OracleMarket, status: OracleMarket['status']): undefined {
  market.status = status;
  emitMarket(world, market);
}
