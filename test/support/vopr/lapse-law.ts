/** A run that receives nothing, or is dead, has no live orders for longer than its heartbeat lasts; nor has one with a dark feed. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { isLive } from '../../../src/core/order.ts';
import type { WireReply } from '../../../src/exchange-live/connection/transport.ts';
import { DarkLaw } from './dark-law.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import { LATE_MS } from './fault-plan.ts';
import type { OwnOrders } from './own-orders.ts';
import { PLACE_TIMEOUT_MS, type Scenario, WAIT_MS } from './scenario.ts';
import type { Story } from './story.ts';

export interface LapseParts {
  readonly exchange: ExchangeWorld;
  readonly scenario: Pick<Scenario, 'bot' | 'client' | 'dark' | 'chaosMs'>;
  readonly orders: OwnOrders;
  readonly now: number;
  readonly story: Story;
  readonly fail: (law: string, what: string) => void;
}

export class LapseLaw {
  readonly #parts: LapseParts;
  readonly #dark: DarkLaw;
  #ordersHeardAt: number;
  #pricesHeardAt: number;

  constructor(parts: LapseParts) {
    const { now } = parts;
    this.#parts = parts;
    this.#dark = new DarkLaw(parts);
    this.#ordersHeardAt = now;
    this.#pricesHeardAt = now;
  }

  /** A new process begins. */
  began(now: number): void {
    this.#ordersHeardAt = now;
    this.#pricesHeardAt = now;
    this.#dark.began(now);
  }

  heard(operation: Operation, reply: WireReply, now: number): void {
    if (reply.kind !== 'reply' || reply.status !== 200) return;
    if (operation === 'listOrders') this.heardOf('orders', now);
    if (operation === 'listPrices' || operation === 'listMarkets') this.heardOf('prices', now);
  }

  /** The process that lives was told of them, or that nothing is new. */
  heardOf(feed: 'orders' | 'prices', now: number): void {
    if (feed === 'orders') this.#ordersHeardAt = now;
    else this.#pricesHeardAt = now;
  }

  /** `sleptMs`: for so long the living process slept. */
  look(now: number, sleptMs: number): void {
    const { story, fail } = this.#parts;
    if (this.#isDue(now, sleptMs)) {
      story.count('deaf for long');
      const broken = this.#broken(now);
      if (broken !== undefined) fail('a deaf bot lapses', broken);
    }
    if (!this.#dark.isDue(now)) return;
    story.count('dark for long');
    const broken = this.#dark.broken(now);
    if (broken !== undefined) fail('nothing rests in the dark', broken);
  }

  /** Whether it was deaf for so long that its orders must be gone. */
  #isDue(now: number, sleptMs: number): boolean {
    const { heartbeat, tickMs } = this.#parts.scenario.bot;
    if (heartbeat === undefined) return false;
    const { requestMs = 0 } = this.#parts.scenario.client.timeouts ?? {};
    // What was asked for in time may be asked for again until the client gives up, and be late itself.
    const slackMs = tickMs + WAIT_MS + requestMs + PLACE_TIMEOUT_MS + LATE_MS + sleptMs;
    return now - this.#deafSince >= heartbeat.pollBudgetMs + heartbeat.timeoutMs + slackMs;
  }

  /** What is wrong, where it is due. */
  #broken(now: number): string | undefined {
    const { exchange, orders } = this.#parts;
    for (const { client, order, market } of orders.byOrder.values()) {
      if (client === 0) continue;
      const status = exchange.machine.order(order)?.status;
      if (status === undefined || !isLive(status) || status === 'Pending') continue;
      // What rested in a market that was not open at the lapse was left alone by it.
      if ((orders.openedAt.get(market) ?? 0) > this.#deafSince) continue;
      if (exchange.statusOf(market) === 'Open')
        return `order ${client} lives ${now - this.#deafSince} ms after the last reading`;
    }
    return undefined;
  }

  get #deafSince(): number {
    return Math.min(this.#ordersHeardAt, this.#pricesHeardAt);
  }
}
