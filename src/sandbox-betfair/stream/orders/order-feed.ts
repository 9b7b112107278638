/** The bets of one order subscription: what it was told, and what it has to be told. */

import type { OrderSubscription } from '../../../betfair/wire/stream/requests.ts';
import { defined } from '../../../core/checks/assert.ts';
import type { Feed } from '../session/feed.ts';
import type { AccountOrders, OrderChange, SeenMarket, SeenOrder } from './account-orders.ts';
import { type MatchedSides, type Matches, matchedDelta } from './matches.ts';

export type OrderWish = NonNullable<OrderSubscription['orderFilter']>;

/** What the client must learn about a market: the last state of each of its bets that changed. */
interface Pending {
  readonly orders: Map<number, SeenOrder>;
  isClosed: boolean;
}

export class OrderFeed implements Feed {
  readonly op = 'ocm';
  readonly list = 'oc';
  readonly #account: AccountOrders;
  readonly #wish: OrderWish;
  readonly #strategies: ReadonlySet<string> | undefined;
  /** The matches that the client has of each runner it knows, by market and outcome. */
  readonly #told = new Map<number, Map<number, Matches | undefined>>();
  #pending = new Map<number, Pending>();

  constructor(account: AccountOrders, wish: OrderWish) {
    this.#account = account;
    this.#wish = wish;
    const { customerStrategyRefs = [] } = wish;
    this.#strategies = customerStrategyRefs.length === 0 ? undefined : new Set(customerStrategyRefs);
  }

  get hasChanges(): boolean {
    return this.#pending.size > 0;
  }

  /** Something changed in an account; the client may have to be told if it is its own. */
  note(account: AccountOrders, changes: readonly OrderChange[]): void {
    if (account !== this.#account) return;
    for (const { market, order } of changes) {
      const pending = this.#pending.get(market) ?? { orders: new Map(), isClosed: false };
      this.#pending.set(market, pending);
      if (order === undefined) pending.isClosed = true;
      else pending.orders.set(order.id, order);
    }
  }

  forget(market: number): void {
    this.#told.delete(market);
    this.#pending.delete(market);
  }

  /** Live bets and all that was matched, of markets that are not over. */
  image(): readonly string[] {
    this.#pending.clear();
    const changes: string[] = [];
    for (const seen of this.#account.markets.values()) {
      if (seen.isClosed) continue;
      const runners = outcomesOf(seen).flatMap((outcome) => this.#runner(seen, outcome, { orders: [], isWhole: true }));
      if (runners.length > 0) changes.push(marketText(seen, { runners, isWhole: true, isClosed: false }));
    }
    return changes;
  }

  /** Runners in which something happened are sent whole, with the bets that were completed since then. */
  since(turn: number): readonly string[] | undefined {
    const logged = this.#account.since(turn);
    if (logged === undefined) return undefined;
    this.#pending.clear();
    // What the client has of other runners is what they are now; where nothing is left, it may have none.
    for (const seen of this.#account.markets.values())
      for (const outcome of outcomesOf(seen)) {
        const matches = seen.matches.get(outcome);
        const isTold =
          this.#textsOf(withLive(seen, outcome, [])).length > 0 || this.#matched(undefined, matches).length > 0;
        if (isTold) this.#toldOf(seen.market).set(outcome, matches);
      }
    this.note(this.#account, logged);
    return this.#take({ isWhole: true });
  }

  changes(): readonly string[] {
    return this.#take({ isWhole: false });
  }

  close(): void {
    this.#told.clear();
    this.#pending.clear();
  }

  #take({ isWhole }: { readonly isWhole: boolean }): readonly string[] {
    const pending = this.#pending;
    this.#pending = new Map();
    const changes: string[] = [];
    for (const [market, { orders, isClosed }] of pending) {
      const seen = this.#account.markets.get(market);
      if (seen === undefined) continue;
      const isNew = !this.#told.has(market);
      const touched = new Map<number, SeenOrder[]>();
      for (const order of orders.values()) touched.set(order.outcome, [...(touched.get(order.outcome) ?? []), order]);
      const runners = [...touched].flatMap(([outcome, own]) => this.#runner(seen, outcome, { orders: own, isWhole }));
      if (runners.length > 0 || isClosed)
        changes.push(marketText(seen, { runners, isWhole: isNew && !isWhole, isClosed }));
    }
    return changes;
  }

  /** A runner that the client does not know yet is sent whole; nothing where there is nothing to tell of it. */
  #runner(
    seen: SeenMarket,
    outcome: number,
    { orders, isWhole }: { readonly orders: readonly SeenOrder[]; readonly isWhole: boolean },
  ): readonly string[] {
    const told = this.#toldOf(seen.market);
    const isImage = isWhole || !told.has(outcome);
    const now = seen.matches.get(outcome);
    const before = isImage ? undefined : told.get(outcome);
    const shown = isImage ? withLive(seen, outcome, orders) : orders;
    const texts = this.#textsOf(shown);
    const matched = this.#matched(before, now);
    if (texts.length === 0 && matched.length === 0) return [];
    told.set(outcome, now);
    const { selectionId, handicap } = defined(seen.facts.runners[outcome], 'a market has its runners');
    const parts = [
      `"id":${selectionId}`,
      ...(handicap === 0 ? [] : [`"hc":${handicap}`]),
      ...(isImage ? ['"fullImage":true'] : []),
      ...(texts.length === 0 ? [] : [`"uo":[${texts.join(',')}]`]),
      ...matched,
    ];
    return [`{${parts.join(',')}}`];
  }

  #toldOf(market: number): Map<number, Matches | undefined> {
    const told = this.#told.get(market) ?? new Map<number, Matches | undefined>();
    this.#told.set(market, told);
    return told;
  }

  #textsOf(orders: readonly SeenOrder[]): readonly string[] {
    return orders.filter(({ strategy }) => this.#strategies?.has(strategy) ?? true).map(({ text }) => text);
  }

  /** The fields `mb`, `ml` and `smc`, as far as the subscription wants them and they changed. */
  #matched(before: Matches | undefined, now: Matches | undefined): readonly string[] {
    const { includeOverallPosition = true, partitionMatchedByStrategyRef = false } = this.#wish;
    if (before === now) return [];
    const fields = includeOverallPosition ? fieldsOf(before, now) : [];
    if (!partitionMatchedByStrategyRef) return fields;
    const strategies = new Set([...(before?.byStrategy.keys() ?? []), ...(now?.byStrategy.keys() ?? [])]);
    const moved = [...strategies].flatMap((strategy) => {
      if (this.#strategies?.has(strategy) === false) return [];
      const own = fieldsOf(before?.byStrategy.get(strategy), now?.byStrategy.get(strategy));
      return own.length === 0 ? [] : [`${JSON.stringify(strategy)}:{${own.join(',')}}`];
    });
    return moved.length === 0 ? fields : [...fields, `"smc":{${moved.join(',')}}`];
  }
}

function fieldsOf(before: MatchedSides | undefined, now: MatchedSides | undefined): readonly string[] {
  const { mb, ml } = matchedDelta(before, now);
  return [
    ...(mb === undefined ? [] : [`"mb":${JSON.stringify(mb)}`]),
    ...(ml === undefined ? [] : [`"ml":${JSON.stringify(ml)}`]),
  ];
}

function outcomesOf({ orders }: SeenMarket): readonly number[] {
  return [...new Set([...orders.values()].map(({ outcome }) => outcome))];
}

/** The changed bets of a runner and all its live ones, each once. */
function withLive({ orders }: SeenMarket, outcome: number, changed: readonly SeenOrder[]): readonly SeenOrder[] {
  const live = [...orders.values()].filter((order) => order.outcome === outcome && order.isLive);
  return [...new Map([...changed, ...live].map((order) => [order.id, order])).values()];
}

interface MarketParts {
  readonly runners: readonly string[];
  readonly isWhole: boolean;
  readonly isClosed: boolean;
}

function marketText({ facts }: SeenMarket, { runners, isWhole, isClosed }: MarketParts): string {
  const parts = [
    `"id":${JSON.stringify(facts.id)}`,
    ...(isWhole ? ['"fullImage":true'] : []),
    ...(isClosed ? ['"closed":true'] : []),
    ...(runners.length === 0 ? [] : [`"orc":[${runners.join(',')}]`]),
  ];
  return `{${parts.join(',')}}`;
}
