/** Makes the trades of a time void, as an exchange does after an error: their stake counts as never matched. */

import type { MarketStatus } from '../../core/market.ts';
import { ZERO } from '../../core/number/units.ts';
import { MATCHED, PARTIALLY_MATCHED, UNMATCHED, VOIDED } from '../messages/codes.ts';
import type { MarketCommand } from '../messages/command.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market } from '../state/market.ts';
import { changeOrder, sideOfOrder } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';
import { isIn } from './lifecycle.ts';
import { bookAgainstRecorded } from './removal.ts';

type VoidTradesCommand = Extract<MarketCommand, { kind: 'voidTrades' }>;

/** Before anything is paid. A market that has its result is settled anew instead. */
const UNPAID: readonly MarketStatus[] = ['Initializing', 'Open', 'Locking', 'Locked'];

/** See messages/event.ts for its events. */
export function voidTrades(state: State, market: Market, { from, to }: VoidTradesCommand): void {
  if (!isIn(market, UNPAID)) return state.log.refused('INVALID_MOVE');
  if (!Number.isFinite(from) || !Number.isFinite(to) || from > to) return state.log.refused('INVALID_ARGUMENT');
  const { orders, trades } = state;
  state.beginRound();
  for (let slot = market.firstOrder; slot !== NONE; slot = orders.marketNext(slot)) {
    // The bets on a removed outcome are void already.
    if (market.removed[orders.outcome(slot)] !== 0) continue;
    let stake = 0;
    for (let trade = orders.firstTrade(slot); trade !== NONE; trade = trades.next(trade)) {
      const at = trades.createdAt(trade);
      if (at >= from && at <= to) stake += voidTrade(state, market, trade);
    }
    if (stake > 0) takeBack(state, slot, stake);
  }
  state.endRound();
}

/** Returns the stake that is void now and was not before. */
function voidTrade(state: State, market: Market, trade: number): number {
  const { orders, trades, positions } = state;
  const stake = trades.stake(trade);
  if (stake === 0) return 0;
  const slot = trades.order(trade);
  const position = orders.position(slot);
  const outcome = orders.outcome(slot);
  const side = sideOfOrder(state, slot);
  const [winnings, losings] = [-trades.winnings(trade), -trades.losings(trade)];
  positions.book(position, outcome, side, winnings, losings);
  state.touch(position);
  bookAgainstRecorded(state, { market, outcome, side, winnings, losings });
  trades.annul(trade, state.now);
  state.log.tradeSettled(trades.id(trade), ZERO);
  return stake;
}

function takeBack(state: State, slot: number, stake: number): void {
  const { orders } = state;
  orders.voidMatched(slot, stake);
  changeOrder(state, slot, statusNow(orders.matched(slot), orders.unmatched(slot)));
}

function statusNow(matched: number, unmatched: number): number {
  if (unmatched > 0) return matched > 0 ? PARTIALLY_MATCHED : UNMATCHED;
  return matched > 0 ? MATCHED : VOIDED;
}
