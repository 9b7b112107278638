/** One document of several in the exchange's answers that cannot be read: of a market, or of a wallet. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { isObject } from '../../../src/codec/schema-node.ts';
import type { HttpAnswer } from '../../../src/sandbox/context/http-answer.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import type { OddPlan } from './odd-plan.ts';
import type { OwnOrders } from './own-orders.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';
import type { Story } from './story.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The document that is odd now. */
export interface Oddity {
  readonly kind: OddPlan['kind'];
  /** On the wire. */
  readonly id: string;
  /** The machine's number. */
  readonly number: number;
  readonly since: number;
}

/** Where such documents are listed, and what makes one unreadable. */
const LISTS: Readonly<Record<OddPlan['kind'], { readonly operation: Operation; readonly list: string }>> = {
  market: { operation: 'listMarkets', list: 'markets' },
  wallet: { operation: 'listWallets', list: 'wallets' },
};
const WAYS: Readonly<Record<OddPlan['kind'], readonly Fields[]>> = {
  market: [{ status: null }, { marketOutcomes: undefined }, { suspended: 'no' }, { id: undefined }],
  wallet: [{ balances: null }, { balances: 'none' }, { id: undefined }, { balances: [{ currencyId: 'USDC' }] }],
};

export interface OddParts {
  readonly time: SimulatedClock;
  readonly plan: OddPlan | undefined;
  readonly exchange: SimulatedExchange;
  readonly story: Story;
}

export class OddDocuments {
  now: Oddity | undefined;
  readonly #parts: OddParts;

  constructor(parts: OddParts) {
    this.#parts = parts;
    const { plan, time, exchange } = parts;
    if (plan?.kind !== 'wallet') return;
    time.at(time.now() + plan.afterMs, () => {
      const { wallets } = exchange;
      const wallet = wallets[plan.pick % wallets.length] ?? 0;
      this.#begin(plan, { id: exchange.world.registry.wallet(wallet).id, number: wallet });
    });
  }

  /** A process of the bot died: the next one cannot read a market in which it finds orders, if it is to be so. */
  died(orders: OwnOrders): void {
    const { plan, exchange } = this.#parts;
    if (plan?.kind !== 'market' || this.now !== undefined) return;
    const isOurs = (market: number): boolean =>
      !exchange.isOver(market) && orders.heldIn(market).some(({ placed }) => placed.client > 0);
    const markets = [...orders.byMarket.keys()].filter(isOurs);
    const market = markets[plan.pick % markets.length];
    const id = exchange.world.catalogue.markets.get(market ?? -1)?.id;
    if (market !== undefined && id !== undefined) this.#begin(plan, { id, number: market });
  }

  /** All can be read from now on. */
  heal(): void {
    if (this.now !== undefined) this.#parts.story.tell(() => `## ${this.now?.kind} ${this.now?.id} can be read again`);
    this.now = undefined;
  }

  /** The answer with the odd document in it. */
  spoilt(operation: Operation, outcome: HttpAnswer): HttpAnswer {
    const { now } = this;
    if (now === undefined || outcome.status !== 200) return outcome;
    const { operation: lists, list } = LISTS[now.kind];
    if (operation !== lists) return outcome;
    const answer: Fields = JSON.parse(outcome.text);
    const documents = answer[list];
    if (!Array.isArray(documents)) return outcome;
    const isOdd = (document: unknown): boolean => isObject(document) && document['id'] === now.id;
    if (!documents.some(isOdd)) return outcome;
    this.#parts.story.count(`odd ${now.kind} told`);
    const told = documents.map((each: unknown) => (isOdd(each) ? { ...Object(each), ...this.#way(now.kind) } : each));
    return { ...outcome, text: JSON.stringify({ ...answer, [list]: told }) };
  }

  #way(kind: OddPlan['kind']): Fields {
    const ways = WAYS[kind];
    return ways[(this.#parts.plan?.pick ?? 0) % ways.length] ?? {};
  }

  #begin({ kind, forMs }: OddPlan, of: Pick<Oddity, 'id' | 'number'>): void {
    const { time, story } = this.#parts;
    this.now = { kind, ...of, since: time.now() };
    story.count(`odd ${kind}`);
    story.tell(() => `## ${kind} ${of.id} cannot be read ${forMs === undefined ? 'any more' : `for ${forMs} ms`}`);
    if (forMs !== undefined) time.at(time.now() + forMs, () => this.heal());
  }
}
