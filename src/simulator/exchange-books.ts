/**
 * The built-in exchange's own account of the bot's orders, positions and money, in the form in which a remote exchange
 * answers.
 */

import type { Instant, Money } from '../core/number/units.ts';
import { isLive } from '../core/order.ts';
import type { AccountSnapshot, BookedOrder, BookedPosition } from '../exchange/live-gateway.ts';
import type { OrderTrack } from './fill-model/order-track.ts';
import type { ReplayExchange } from './replay/replay-exchange.ts';
import type { ReplayMarket } from './replay/replay-market.ts';

/**
 * The account now: orders that are live or matched and positions, both of markets that have not ended, and the wallets'
 * balances. `times` says within which span the account was read, and is passed on.
 */
export function accountSnapshotOf(
  replay: ReplayExchange,
  wallets: number,
  times: { from: Instant; to: Instant },
): AccountSnapshot {
  const { exchange } = replay;
  const markets = replay.openMarkets().filter((market) => !market.played.hasEnded);
  const orders = markets.flatMap((market) => {
    const { tracks } = exchange.market(market.exchangeId);
    return [...tracks].filter(isHeld).map((track) => bookedOrder(market, track));
  });
  const positions: BookedPosition[] = [];
  const money: AccountSnapshot['wallets'][number][] = [];
  for (let wallet = 0; wallet < wallets; wallet += 1) {
    const { balance, balanceAvailable } = exchange.walletMoney(wallet);
    money.push({ wallet, balance, balanceAvailable });
    for (const market of markets) {
      const profits = exchange.profitsIfWins(wallet, market.exchangeId);
      if (profits !== undefined) positions.push(bookedPosition(market, wallet, profits));
    }
  }
  return { ...times, orders, positions, wallets: money };
}

function isHeld(track: OrderTrack): boolean {
  return isLive(track.status) || (track.matched > 0 && track.status !== 'Voided');
}

function bookedOrder(market: ReplayMarket, track: OrderTrack): BookedOrder {
  const { wallet, outcome, side, tick, stake } = track.request;
  const marketId = market.facts.id;
  const outcomeId = outcomeOf(market, outcome);
  return { ...track.report(), reference: undefined, wallet, marketId, outcomeId, side, tick, stake };
}

function bookedPosition(market: ReplayMarket, wallet: number, profits: readonly Money[]): BookedPosition {
  const profitIfWins = new Map(profits.map((profit, outcome) => [outcomeOf(market, outcome), profit]));
  return { wallet, marketId: market.facts.id, profitIfWins };
}

function outcomeOf(market: ReplayMarket, outcome: number): string {
  return market.played.recorded.facts.outcomes[outcome]?.id ?? '';
}
