/** One feed goes dark while markets go in play: in time nothing of ours rests, or the exchange has cancelled it for want of a heartbeat. */

import { isLive } from '../../../src/core/order.ts';
import { DARK_FRESHNESS } from './dark-plan.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import { LATE_MS } from './fault-plan.ts';
import type { OwnOrders } from './own-orders.ts';
import { PLACE_TIMEOUT_MS, REQUEST_MS, type Scenario, WAIT_MS } from './scenario.ts';

/** After so long an order that is to end is taken for one that cannot be cancelled (src/engine/withdrawal.ts). */
const LEFT_MS = 2_000;
/** Where cancellations arrive, orders have ended so soon, however often they are to be asked for. */
const SOON_MS = 5_000;

export interface DarkParts {
  readonly exchange: ExchangeWorld;
  readonly scenario: Pick<Scenario, 'bot' | 'client' | 'dark' | 'chaosMs'>;
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
    if (dark === undefined || dark.operation === 'listWallets' || now > startedAt + scenario.chaosMs) return false;
    const { requestMs = REQUEST_MS } = scenario.client.timeouts ?? {};
    const slackMs = bot.tickMs + WAIT_MS + requestMs + PLACE_TIMEOUT_MS + LATE_MS;
    const endsMs = dark.losesCancels ? LEFT_MS + (bot.heartbeat?.timeoutMs ?? 0) : SOON_MS;
    return now - this.#since >= DARK_FRESHNESS.markets + endsMs + slackMs;
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
