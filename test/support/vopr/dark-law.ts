/** One feed goes dark while markets go in play: in time nothing of ours rests, or the exchange has cancelled it for want of a heartbeat. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { isLive } from '../../../src/core/order.ts';
import type { DarkFeed } from '../../../src/engine/live/bot-settings.ts';
import { LATE_MS, type WireFault } from './fault-plan.ts';
import type { OwnOrders } from './own-orders.ts';
import { PLACE_TIMEOUT_MS, REQUEST_MS, type Scenario, WAIT_MS } from './scenario.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';

export interface DarkPlan {
  readonly afterMs: number;
  readonly forMs: number;
  /** No reading of this succeeds, and it always fails in this way. */
  readonly operation: Operation;
  readonly fault: WireFault;
  /** Whether cancellations are lost as well. */
  readonly losesCancels: boolean;
}

const FEEDS: Readonly<Record<DarkFeed | 'wallets', Operation>> = {
  markets: 'listMarkets',
  prices: 'listPrices',
  orders: 'listOrders',
  wallets: 'listWallets',
};
const OPERATIONS = Object.values(FEEDS);
const WAYS: readonly WireFault[] = ['serverErrorBefore', 'silentBefore', 'garbled', 'gatewayBefore'];
/** Each feed is in the dark for longer than it takes to lapse. */
const FRESHNESS = { markets: 6_000, prices: 5_000, orders: 5_000, wallets: 12_000 };
const BEGINS_MS = 4_000;
const FOR_MS = 46_000;
/** After so long an order that is to end is taken for one that cannot be cancelled (src/engine/withdrawal.ts). */
const LEFT_MS = 2_000;

/** The scenario in which a feed goes dark; the bot's time runs evenly, so that ages are what they seem. */
export function withDarkness(scenario: Scenario, random: Random): Scenario {
  const dark = {
    ...{
      afterMs: BEGINS_MS + random.below(1_000),
      forMs: FOR_MS,
      operation: OPERATIONS[random.below(OPERATIONS.length)] ?? FEEDS.markets,
    },
    fault: WAYS[random.below(WAYS.length)] ?? 'garbled',
    losesCancels: random.chance(0.5),
  };
  const world = { ...scenario.faults.world, clockForward: 0, clockBack: 0, stall: 0, sleep: 0 };
  return {
    ...scenario,
    ...{ dark, chaosMs: BEGINS_MS + FOR_MS, deafMs: undefined, skewMs: 0 },
    faults: { ...scenario.faults, world },
    bot: { ...scenario.bot, freshness: FRESHNESS, dark: { afterMs: FRESHNESS, orders: 'cancel' } },
  };
}

export interface DarkParts {
  readonly exchange: SimulatedExchange;
  readonly scenario: Scenario;
  readonly orders: OwnOrders;
  readonly now: number;
}

export class DarkLaw {
  readonly #parts: DarkParts;
  #beganAt: number;

  constructor(parts: DarkParts) {
    this.#parts = parts;
    this.#beganAt = parts.now;
  }

  /** A new process begins, and knows nothing of what the one before it found. */
  began(now: number): void {
    this.#beganAt = now;
  }

  /** Whether it has been dark for so long that nothing may rest. */
  isDue(now: number): boolean {
    const { scenario, now: startedAt } = this.#parts;
    const { dark, bot } = scenario;
    if (dark === undefined || dark.operation === FEEDS.wallets || now > startedAt + dark.afterMs + dark.forMs)
      return false;
    const { requestMs = REQUEST_MS } = scenario.client.timeouts ?? {};
    const slackMs = bot.tickMs + WAIT_MS + requestMs + PLACE_TIMEOUT_MS + LATE_MS;
    const lapsesMs = LEFT_MS + (bot.heartbeat?.timeoutMs ?? 0);
    return now - this.#since >= FRESHNESS.markets + lapsesMs + slackMs;
  }

  /** What is wrong, where it is due. */
  broken(now: number): string | undefined {
    const { exchange, orders, scenario } = this.#parts;
    for (const { client, order, market } of orders.byOrder.values()) {
      const status = exchange.machine.order(order)?.status;
      if (client === 0 || status === undefined || !isLive(status) || status === 'Pending') continue;
      // What rests in a market that is not open can be cancelled by nobody.
      if ((orders.openedAt.get(market) ?? 0) > this.#since || exchange.statusOf(market) !== 'Open') continue;
      return `order ${client} rests ${now - this.#since} ms after ${scenario.dark?.operation} went dark`;
    }
    return undefined;
  }

  get #since(): number {
    const { scenario, now: startedAt } = this.#parts;
    return Math.max(startedAt + (scenario.dark?.afterMs ?? 0), this.#beganAt);
  }
}
