/** Nothing of the account is cancelled but what the bot named: at Betfair an empty list stands for all orders. */

import type { WireRequest } from '../../../../src/exchange-live/connection/transport.ts';
import type { ExchangeEvent } from '../../../../src/matching/messages/event.ts';
import type { FaceExchange } from './face-exchange.ts';

export class NamedLaw {
  readonly #exchange: FaceExchange;
  /** By the machine's numbers. */
  readonly #named = new Set<number>();

  constructor(exchange: FaceExchange) {
    this.#exchange = exchange;
  }

  /** A request is about to leave. */
  leaving(operation: string, { body = '{}' }: WireRequest): void {
    if (operation !== 'cancelOrders') return;
    const instructions: readonly { readonly betId: string }[] = JSON.parse(body).params?.instructions ?? [];
    for (const { betId } of instructions) this.#named.add(this.#exchange.orderOf(Number(betId)));
  }

  /** What is wrong with what just happened. */
  broken(events: readonly ExchangeEvent[]): string | undefined {
    for (const event of events) {
      if (event.kind !== 'orderChanged' || event.reason !== 'UserRequest' || this.#named.has(event.order)) continue;
      if (this.#exchange.machine.order(event.order)?.app !== this.#exchange.app) continue;
      return `order ${this.#exchange.orderIdOf(event.order)} was cancelled, and no request names it`;
    }
    return undefined;
  }
}
