/** One market or wallet that cannot be read stops nothing but what depends on it. */

import { isLive } from '../../../src/core/order.ts';
import { LATE_MS } from './fault-plan.ts';
import type { OddDocuments, Oddity } from './odd-documents.ts';
import type { OwnOrders } from './own-orders.ts';
import { PLACE_TIMEOUT_MS, REQUEST_MS, type Scenario, WAIT_MS } from './scenario.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';
import type { Story } from './story.ts';

type Broken = readonly [law: string, what: string];

const UNREAD = 'no order on what cannot be read';
const DARK = 'nothing rests in a market that cannot be read';
/** Where cancellations arrive, orders have ended so soon, however often they are to be asked for. */
const SOON_MS = 5_000;

export interface OddLawParts {
  readonly exchange: SimulatedExchange;
  readonly scenario: Scenario;
  readonly orders: OwnOrders;
  readonly odd: OddDocuments;
  readonly story: Story;
}

export class OddLaw {
  readonly #parts: OddLawParts;
  #beganAt = Number.NEGATIVE_INFINITY;

  constructor(parts: OddLawParts) {
    this.#parts = parts;
  }

  /** A new process begins, and knows nothing of what the one before it had read. */
  began(): void {
    this.#beganAt = this.#parts.exchange.context.now();
  }

  /** What is wrong with orders that leave now. */
  placing(orders: readonly { readonly market: string; readonly strategy: string }[]): readonly Broken[] {
    const { odd, exchange, scenario, story } = this.#parts;
    if (odd.now === undefined) return [];
    const { kind, id, number } = odd.now;
    const ageMs = this.#ageMs(odd.now);
    const { freshness, tickMs } = scenario.bot;
    if (ageMs <= freshness[`${kind}s`] + tickMs + WAIT_MS) return [];
    return orders.flatMap((order) => {
      const { wallet = 0 } = scenario.strategies.find(({ name }) => name === order.strategy) ?? {};
      const isOfIt = kind === 'market' ? order.market === id : exchange.wallets[wallet] === number;
      if (!isOfIt) story.count(`traded beside an odd ${kind}`);
      return isOfIt ? [[UNREAD, `an order leaves for ${kind} ${id}, last read ${ageMs} ms ago`] as const] : [];
    });
  }

  /** What rests in a market that was not read for so long that nothing may. */
  resting(): readonly Broken[] {
    const { odd, exchange, scenario, orders, story } = this.#parts;
    if (odd.now?.kind !== 'market' || this.#beganAt < odd.now.since) return [];
    const { number, id } = odd.now;
    const { freshness, tickMs } = scenario.bot;
    const slackMs = tickMs + WAIT_MS + REQUEST_MS + PLACE_TIMEOUT_MS + LATE_MS;
    const forMs = exchange.context.now() - Math.max(this.#beganAt, orders.openedAt.get(number) ?? 0);
    // What rests in a market that is not open can be cancelled by nobody.
    if (exchange.statusOf(number) !== 'Open' || forMs < freshness.markets + SOON_MS + slackMs) return [];
    story.count('odd market for long');
    const resting = orders
      .heldIn(number)
      .filter(({ placed, order }) => placed.client > 0 && isLive(order.status) && order.status !== 'Pending');
    return resting.map(({ placed }) => [DARK, `order ${placed.client} rests in market ${id}, unread for ${forMs} ms`]);
  }

  /** Since the living process can have read it. */
  #ageMs({ since }: Oddity): number {
    return this.#beganAt >= since ? Number.POSITIVE_INFINITY : this.#parts.exchange.context.now() - since;
  }
}
