/** Every order of the bot's app as the exchange made it: the run's own, adopted ones and foreign ones. */

import type { Tick } from '../../../src/core/number/ladder.ts';
import type { OrderReport } from '../../../src/exchange/gateway.ts';
import type { WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { ExchangeEvent } from '../../../src/matching/messages/event.ts';
import type { MachineCommand } from '../../../src/sandbox/world/change.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import { type Held, held } from './true-exposure.ts';

/** After the run's name: a word for the strategy, which may be missing, and the number. */
const REST = /^(?:[a-z0-9_]+-)?([1-9]\d*)$/;

export interface OwnPlaced {
  readonly order: number;
  readonly market: number;
  /** The run's number, 0 for an order of others. */
  readonly client: number;
  /** The price that was asked for. */
  readonly tick: Tick;
}

export class OwnOrders {
  readonly byMarket = new Map<number, OwnPlaced[]>();
  readonly byOrder = new Map<number, OwnPlaced>();
  readonly byClient = new Map<number, OwnPlaced>();
  /** Markets in which something of ours changed since they were last looked at. */
  readonly touched = new Set<number>();
  /** Markets in which others ever placed into our wallets. */
  readonly strayed = new Set<number>();
  /**
   * A market that we have orders in got another result. A bot that did not see the first cannot distinguish the commission given
   * back from one never charged: postings do not name their market.
   */
  resettled = false;
  /** When a market that was not open opened again. */
  readonly openedAt = new Map<number, number>();
  /** When matched stake of a market last became void, or its prices changed, so that more can be lost than anybody approved. */
  readonly shakenAt = new Map<number, number>();
  /** The matched stake that the bot was last told of, by order. */
  readonly #toldMatched = new Map<number, number>();
  readonly #shut = new Set<number>();
  /** The same run's number on two orders. */
  doubled: OwnPlaced | undefined;
  readonly #exchange: ExchangeWorld;
  readonly #prefix: string;
  readonly #wallets: ReadonlySet<number>;
  readonly #stop: () => void;
  #fresh: OwnPlaced[] = [];

  constructor(exchange: ExchangeWorld, run: string, wallets = exchange.wallets) {
    this.#exchange = exchange;
    this.#wallets = new Set(wallets);
    this.#prefix = `${run}-`;
    this.#stop = exchange.world.listen((change, events) =>
      this.#heard(events, change?.kind === 'command' ? change.command : undefined),
    );
  }

  stop(): void {
    this.#stop();
  }

  /** Orders that came into being since this was last asked. */
  takeFresh(): readonly OwnPlaced[] {
    if (this.#fresh.length === 0) return this.#fresh;
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  clientOf(reference: string | undefined): number {
    if (reference === undefined || !reference.startsWith(this.#prefix)) return 0;
    return Number(REST.exec(reference.slice(this.#prefix.length))?.[1] ?? 0);
  }

  /** What of it still counts: live, or matched. */
  heldIn(market: number): readonly (Held & { readonly placed: OwnPlaced })[] {
    const found: (Held & { readonly placed: OwnPlaced })[] = [];
    for (const placed of this.byMarket.get(market) ?? []) {
      const each = held(this.#exchange.machine, placed.order);
      if (each !== undefined && (each.matched > 0 || each.order.stakeUnmatched > 0)) found.push({ ...each, placed });
    }
    return found;
  }

  /** What became void while the bot could read nothing, it is told order by order: until it knows the rest, it is shaken anew. */
  told({ order, stakeMatched }: Pick<OrderReport, 'order' | 'stakeMatched'>): void {
    const id = this.#exchange.orderOf(order);
    const market = this.byOrder.get(id)?.market;
    const hasFallen = stakeMatched < (this.#toldMatched.get(id) ?? 0);
    if (market !== undefined && hasFallen && this.shakenAt.has(market))
      this.shakenAt.set(market, this.#exchange.context.now());
    this.#toldMatched.set(id, stakeMatched);
  }

  #heard(events: readonly ExchangeEvent[], command: MachineCommand | undefined): void {
    const isResettling = command?.kind === 'resettle';
    if (command?.kind === 'voidTrades' || command?.kind === 'removeOutcome')
      this.shakenAt.set(command.market, this.#exchange.context.now());
    for (const event of events) {
      if (event.kind === 'orderAccepted') {
        if (event.app === this.#exchange.app) this.#accepted(event.order);
      } else if (event.kind === 'orderChanged' || event.kind === 'orderMatched') {
        const placed = this.byOrder.get(event.order);
        if (placed !== undefined) this.touched.add(placed.market);
      } else if (event.kind === 'marketChanged') {
        if (!this.byMarket.has(event.market)) continue;
        this.touched.add(event.market);
        this.resettled ||= isResettling;
        if (this.#exchange.statusOf(event.market) !== 'Open') this.#shut.add(event.market);
        else if (this.#shut.delete(event.market)) this.openedAt.set(event.market, this.#exchange.context.now());
      }
    }
  }

  #accepted(order: number): void {
    const view = this.#exchange.machine.order(order);
    if (view === undefined || !this.#wallets.has(view.wallet)) return;
    const client = this.clientOf(this.#exchange.referenceOf(view.reference));
    const placed: OwnPlaced = { order, market: view.market, client, tick: view.tick };
    this.byOrder.set(order, placed);
    const list = this.byMarket.get(view.market);
    if (list === undefined) this.byMarket.set(view.market, [placed]);
    else list.push(placed);
    this.touched.add(view.market);
    if (client === 0) this.strayed.add(view.market);
    else if (this.byClient.has(client)) this.doubled = placed;
    else this.byClient.set(client, placed);
    this.#fresh.push(placed);
  }
}

/** What a cancellation of BetDEX names, by the machine's numbers. */
export function cancelledIn({ body = '{}' }: WireRequest, exchange: Pick<ExchangeWorld, 'orderOf'>): readonly number[] {
  const { orderIds = [] }: { readonly orderIds?: readonly string[] } = JSON.parse(body);
  return orderIds.map((id) => exchange.orderOf(Number(id)));
}
