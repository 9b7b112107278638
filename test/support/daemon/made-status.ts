/** A daemon's status as a test wants it: well and trading unless said otherwise. */

import type { DaemonStatus } from '../../../src/app/live/control/control-protocol.ts';
import type { BotStatus } from '../../../src/engine/live/bot-status.ts';
import { FEED_NAMES } from '../../../src/exchange/gateway.ts';

export const AT = Date.UTC(2026, 10, 20, 12);

export function madeStatus(bot: Partial<BotStatus> = {}, daemon: Partial<DaemonStatus['daemon']> = {}): DaemonStatus {
  return {
    daemon: {
      ...{ pid: 4711, version: '0.1.0', mode: 'live', dir: 'runs/live', config: 'c0ffee', haltFile: false },
      ...{ awaySince: undefined, skewMs: 0, rssBytes: 100_000_000, dashboard: undefined },
      ...daemon,
    },
    bot: {
      ...{
        run: 'live-1',
        at: AT,
        startedAt: AT - 93_000,
        phase: 'trading',
        waitsFor: undefined,
        clockDoubt: undefined,
      },
      ...{ trading: 'running', tradingCause: '', heartbeat: 'active', markets: 12, marketsOff: [] },
      orders: { live: 3, unknown: 0, inFlight: 1 },
      ordersLeft: [],
      strategies: [{ name: 'passive-quoter', isHalted: false, liveOrders: 3, worstLoss: 12.5 }],
      wallets: [{ name: 'main', balance: 1000, balanceAvailable: 987.5, worstLoss: 12.5, requiredFunds: 17.25 }],
      results: { today: 4.25, total: -7.5, drawdown: 11.75 },
      feeds: FEED_NAMES.map((feed) => ({ feed, readAt: AT - 300, budgetMs: 5_000, isLate: false })),
      reconciliation: { done: 4, equalAt: AT - 20_000, differences: [] },
      ...bot,
    },
  };
}
