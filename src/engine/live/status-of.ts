/** Makes a running bot's status from its ledger and its supervisor. */

import { type Instant, instant, money, moneyToDecimal } from '../../core/number/units.ts';
import { isLive } from '../../core/order.ts';
import { FEED_NAMES } from '../../exchange/gateway.ts';
import type { BookedOrder } from '../../exchange/live-gateway.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { strategyName } from '../ledger/run-names.ts';
import type { BotStatus } from './bot-status.ts';
import { whyOff } from './dark-markets.ts';
import type { FeedAges } from './feed-ages.ts';
import type { Supervisor } from './supervisor.ts';

export interface StatusParts {
  readonly ledger: Ledger;
  readonly supervisor: Supervisor;
}

export function statusOf(facts: Pick<BotStatus, 'run' | 'at' | 'startedAt'>, parts: StatusParts): BotStatus {
  const { ledger, supervisor } = parts;
  const { risk } = ledger;
  const { phase, waitsFor, heartbeat, reconciler, feeds } = supervisor;
  return {
    ...facts,
    phase,
    waitsFor,
    clockDoubt: supervisor.clockDoubt,
    trading: risk.trading,
    tradingCause: risk.tradingCause,
    heartbeat: heartbeat?.state ?? 'unarmed',
    markets: [...ledger.marketEntries()].length,
    marketsOff: marketsOff(ledger),
    orders: orderCounts(ledger),
    ordersLeft: supervisor.withdrawal.left,
    ...othersOrders(reconciler.leftAlone),
    strategies: strategies(ledger),
    wallets: wallets(ledger, feeds, facts.at),
    results: results(ledger, instant(facts.at)),
    feeds: FEED_NAMES.map((feed) => ({
      feed,
      readAt: feeds.readAt(feed),
      budgetMs: feeds.budgetMs(feed),
      isLate: feeds.isLate(feed),
    })),
    reconciliation: { done: reconciler.done, equalAt: reconciler.equalAt, differences: reconciler.lasting },
  };
}

function marketsOff(ledger: Ledger): BotStatus['marketsOff'] {
  const off: { market: string; cause: string }[] = [];
  for (const entry of ledger.marketEntries()) {
    const cause = whyOff(ledger, entry);
    if (cause !== undefined) off.push({ market: entry.state.facts.id, cause });
  }
  return off;
}

function orderCounts(ledger: Ledger): BotStatus['orders'] {
  const counts = { live: 0, unknown: 0, inFlight: 0 };
  for (const order of ledger.liveOrders()) {
    counts.live += 1;
    if (order.unknown) counts.unknown += 1;
    if (order.inFlight !== undefined) counts.inFlight += 1;
  }
  return counts;
}

function othersOrders(orders: readonly BookedOrder[]): Pick<BotStatus, 'othersOrders'> {
  if (orders.length === 0) return {};
  const stake = orders.reduce((sum, { stakeMatched, stakeUnmatched }) => sum + stakeMatched + stakeUnmatched, 0);
  return {
    othersOrders: {
      orders: orders.length,
      live: orders.filter(({ status }) => isLive(status)).length,
      stake: moneyToDecimal(money(stake)),
      markets: [...new Set(orders.map(({ marketId }) => marketId))],
    },
  };
}

/** The configured strategies, and one more entry for adopted orders if there are any. */
function strategies(ledger: Ledger): BotStatus['strategies'] {
  const live = new Map<number, number>();
  for (const { terms } of ledger.liveOrders()) live.set(terms.strategy, (live.get(terms.strategy) ?? 0) + 1);
  const indexes = [...ledger.instances.map(({ index }) => index), ledger.instances.length];
  return indexes
    .map((index) => ({
      name: strategyName(ledger.names, index),
      isHalted: ledger.instances[index]?.halted ?? false,
      liveOrders: live.get(index) ?? 0,
      worstLoss: moneyToDecimal(ledger.exposure.lossOfStrategy(index)),
    }))
    .filter(({ liveOrders, worstLoss }, index) => index < ledger.instances.length || liveOrders > 0 || worstLoss > 0);
}

function wallets(ledger: Ledger, feeds: FeedAges, now: number): BotStatus['wallets'] {
  return ledger.names.wallets.map((name, wallet) => {
    const { balance, balanceAvailable } = ledger.walletView(wallet);
    const worstLoss = moneyToDecimal(ledger.exposure.lossOfWallet(wallet));
    const requiredFunds = moneyToDecimal(ledger.exposure.requiredOfWallet(wallet));
    const late = ledger.risk.walletsStale.has(wallet) && { unreadMs: feeds.walletAgeMs(wallet, now) };
    return { name, balance, balanceAvailable, worstLoss, requiredFunds, ...late };
  });
}

function results({ risk }: Ledger, now: Instant): BotStatus['results'] {
  return {
    today: moneyToDecimal(risk.history.dayProfit(now)),
    total: moneyToDecimal(risk.history.total),
    drawdown: moneyToDecimal(risk.history.drawdown),
  };
}
