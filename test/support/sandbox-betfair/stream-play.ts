/** Accounts that bet at random before many kinds of stream readers, all of which are held against the world. */

import { expect } from 'vitest';
import type { Random } from '../../../src/core/number/random.ts';
import { factsOfRecord } from '../../../src/sandbox-betfair/state/market-facts.ts';
import type { StreamLimits } from '../../../src/sandbox-betfair/stream/session/stream-limits.ts';
import { type FaceClient, limit } from './face-stage.ts';
import { type NaiveRunner, naiveRunner } from './naive-stream.ts';
import type { ReadBets, ReadMarket, StreamReader } from './stream-reader.ts';
import { type StreamClient, StreamStage } from './stream-stage.ts';

/** How often something happened that the proof needs. */
export interface Play {
  actions: number;
  messages: number;
  joined: number;
  deltas: number;
  segments: number;
  completed: number;
  matches: number;
}

interface PlayOptions extends Partial<StreamLimits> {
  readonly isWatched?: boolean;
}

interface Watcher {
  readonly kind: 'markets' | 'orders';
  client: StreamClient;
  readonly reader: StreamReader;
  readonly account: FaceClient;
  readonly request: Readonly<Record<string, unknown>>;
  readonly depth: number;
  readonly fields: readonly string[] | undefined;
  /** Whether it was told everything by now. */
  readonly isPrompt: boolean;
  readonly isSlow: boolean;
  readonly returns: boolean;
}

const NAMES_OF_FIELDS: Readonly<Record<string, readonly string[]>> = {
  EX_BEST_OFFERS: ['batb', 'batl'],
  EX_BEST_OFFERS_DISP: ['bdatb', 'bdatl'],
  EX_ALL_OFFERS: ['atb', 'atl'],
  EX_TRADED: ['trd'],
  EX_TRADED_VOL: ['tv'],
  EX_LTP: ['ltp'],
};
const ALL_FIELDS = Object.keys(NAMES_OF_FIELDS);
const STRATEGIES = [undefined, 'a', 'b'];
const TWO = 2;

export class StreamPlay {
  readonly counts: Play = { actions: 0, messages: 0, joined: 0, deltas: 0, segments: 0, completed: 0, matches: 0 };
  readonly #random: Random;
  readonly stage: StreamStage;
  readonly accounts: readonly FaceClient[];
  readonly marketIds: readonly string[];
  readonly #watchers: Watcher[] = [];
  readonly #naive = new Map<string, NaiveRunner>();

  /** `isWatched`: with the readers that this play has of its own. */
  constructor(random: Random, { isWatched = true, ...limits }: PlayOptions = {}) {
    this.#random = random;
    this.stage = new StreamStage({ segmentBytes: 2_000, authenticationsPerSecond: 1_000, ...limits });
    this.accounts = ['mary', 'bob'].map((name) => this.stage.login(name));
    const filter = { eventTypeIds: ['1'], marketTypeCodes: ['MATCH_ODDS'], inPlayOnly: false };
    const found = this.#mary.call('listMarketCatalogue', { filter, sort: 'FIRST_TO_START', maxResults: TWO });
    this.marketIds = found.map(({ marketId }) => marketId);
    if (isWatched) this.#openWatchers();
  }

  get #mary(): FaceClient {
    return this.accounts[0] as FaceClient;
  }

  /** Does one thing at random, and lets a little time pass. */
  act(): void {
    this.counts.actions += 1;
    const acts = [
      ...[() => this.#place(), () => this.#place(), () => this.#place(), () => this.#place()],
      ...[() => this.#cancel(), () => this.#replace(), () => this.#update()],
      ...[() => this.#turnMarket(), () => this.#comeBack(), () => this.#readSlowly()],
    ];
    for (let more = this.#random.below(3); more >= 0; more -= 1) acts[this.#random.below(acts.length)]?.();
    this.stage.builder.pass(this.#random.below(4) === 0 ? this.#random.below(7_000) : 1);
  }

  /** Holds the readers that were told everything against the world. */
  checkAll(): void {
    this.#naive.clear();
    for (const watcher of this.#watchers) {
      expect(watcher.reader.faults).toEqual([]);
      if (watcher.isPrompt) this.#check(watcher);
    }
  }

  /** Markets get their results, everybody reads all, and all readers must hold the same. */
  finish(): void {
    this.#quiet();
    for (const watcher of this.#watchers) this.#check(watcher);
    for (const id of this.marketIds) {
      const market = this.stage.market(id);
      this.stage.command({ kind: 'lock', market });
      this.stage.command({ kind: 'settle', market, winners: [0] });
    }
    this.#quiet();
    for (const watcher of this.#watchers) {
      this.#check(watcher);
      const { messages } = watcher.reader;
      this.counts.messages += messages.length;
      this.counts.joined += watcher.reader.joined;
      this.counts.deltas += messages.filter(({ ct }) => ct === 'RESUB_DELTA').length;
      this.counts.segments += messages.filter(({ segmentType }) => segmentType !== undefined).length;
      for (const { runners } of watcher.reader.accounts.values())
        for (const { orders, mb } of runners.values()) {
          this.counts.completed += [...orders.values()].filter(({ status }) => status === 'EC').length;
          this.counts.matches += mb.size;
        }
    }
  }

  #quiet(): void {
    this.#naive.clear();
    this.stage.builder.pass(10_000);
    for (const { client } of this.#watchers) client.catchUp();
    this.stage.builder.pass(10_000);
    for (const { client } of this.#watchers) client.catchUp();
  }

  #openWatchers(): void {
    const [mary, bob] = this.accounts as [FaceClient, FaceClient];
    const marketFilter = { marketIds: this.marketIds };
    const prompt = { isPrompt: true, isSlow: false, returns: false };
    const markets = (more: object, how: Partial<Watcher> = {}) =>
      this.#watch({ kind: 'markets', account: mary, request: { marketFilter, ...more }, ...prompt, ...how });
    const orders = (more: Readonly<Record<string, unknown>>, how: Partial<Watcher> = {}) =>
      this.#watch({ kind: 'orders', account: mary, request: more, ...prompt, ...how });
    markets({}, { depth: 3 });
    markets({ marketDataFilter: { fields: ['EX_MARKET_DEF', ...ALL_FIELDS], ladderLevels: 10 } }, { depth: 10 });
    markets(
      { marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_LTP'], ladderLevels: 1 } },
      {
        ...{ depth: 1, fields: ['EX_BEST_OFFERS', 'EX_LTP'] },
      },
    );
    markets({ conflateMs: 700 }, { isPrompt: false });
    markets({ segmentationEnabled: true }, { isPrompt: false, isSlow: true });
    markets({ segmentationEnabled: true }, { returns: true });
    orders({});
    orders({}, { account: bob, isPrompt: false, isSlow: true });
    orders({ orderFilter: { partitionMatchedByStrategyRef: true } }, { returns: true });
    orders({
      orderFilter: { includeOverallPosition: false, customerStrategyRefs: ['a'], partitionMatchedByStrategyRef: true },
    });
  }

  #watch(parts: Omit<Watcher, 'client' | 'reader' | 'depth' | 'fields'> & Partial<Watcher>): void {
    const client = this.stage.open(parts.account);
    const watcher = { depth: 3, fields: undefined, ...parts, client, reader: client.reader };
    this.#watchers.push(watcher);
    client.send({ op: subscriptionOf(watcher), id: 2, ...watcher.request });
    if (watcher.isSlow) client.slow();
  }

  #readSlowly(): void {
    for (const { client, isSlow } of this.#watchers) if (isSlow) client.catchUp();
  }

  /** A client that was cut off comes back, at once or later, and is given what it missed. */
  #comeBack(): void {
    for (const watcher of this.#watchers) {
      if (!watcher.returns) continue;
      watcher.client.leave();
      this.#place();
      this.stage.builder.pass(this.#random.below(2_000));
      const { initialClk, clk } = watcher.reader;
      watcher.client = this.stage.open(watcher.account, watcher.reader);
      watcher.client.send({ op: subscriptionOf(watcher), id: 3, ...watcher.request, initialClk, clk });
      const [opening] = watcher.reader.messages.filter(({ id }) => id === 3).slice(-1);
      expect(opening).not.toMatchObject({ ct: 'SUB_IMAGE' });
    }
  }

  get #market() {
    const [id = ''] = [this.marketIds[this.#random.below(this.marketIds.length)] ?? ''];
    const { world } = this.stage.builder;
    const market = this.stage.market(id);
    const record = world.catalogue.markets.get(market);
    const facts = record === undefined ? undefined : factsOfRecord(world, record);
    if (facts === undefined) throw new Error(`no market ${id}`);
    return { id, market, facts };
  }

  #place(): void {
    const { id: marketId, facts } = this.#market;
    const account = this.accounts[this.#random.below(2)] ?? this.#mary;
    const outcome = this.#random.below(facts.runners.length);
    const last = facts.view.lastTicks[outcome] ?? 100;
    const prices = [1.5, 2, 2.3, 2.34, 3, 3.05, 3.9, 3.95, 4.1, 5, 10];
    const price = prices[this.#random.below(prices.length)] ?? last;
    const size = (100 + this.#random.below(5_000)) / 100;
    const isKilled = this.#random.below(8) === 0;
    const more = isKilled ? { timeInForce: 'FILL_OR_KILL', persistenceType: null } : {};
    const customerStrategyRef = STRATEGIES[this.#random.below(STRATEGIES.length)];
    account.later('placeOrders', {
      ...{ marketId, ...(customerStrategyRef === undefined ? {} : { customerStrategyRef }) },
      instructions: [
        limit({
          selectionId: facts.runners[outcome]?.selectionId ?? 0,
          side: this.#random.below(2) === 0 ? 'BACK' : 'LAY',
          ...{ price, size, more },
        }),
      ],
    });
  }

  #anyBet() {
    const account = this.accounts[this.#random.below(2)] ?? this.#mary;
    const { currentOrders } = account.call('listCurrentOrders', { orderProjection: 'EXECUTABLE' });
    const bet = currentOrders[this.#random.below(Math.max(1, currentOrders.length))];
    return bet === undefined ? undefined : { account, bet, marketId: bet.marketId, betId: bet.betId };
  }

  #cancel(): void {
    const found = this.#anyBet();
    if (found === undefined) return;
    const { account, marketId, betId, bet } = found;
    const left = bet.sizeRemaining ?? 0;
    const sizeReduction = this.#random.below(2) === 0 ? null : Math.max(0.01, Math.floor(left * 50) / 100);
    account.later('cancelOrders', { marketId, instructions: [{ betId, sizeReduction }] });
  }

  #replace(): void {
    const found = this.#anyBet();
    if (found === undefined) return;
    const newPrice = found.bet.priceSize.price === 3 ? 3.05 : 3;
    found.account.later('replaceOrders', {
      ...{ marketId: found.marketId, instructions: [{ betId: found.betId, newPrice }] },
    });
  }

  #update(): void {
    const found = this.#anyBet();
    if (found === undefined) return;
    const newPersistenceType = found.bet.persistenceType === 'PERSIST' ? 'LAPSE' : 'PERSIST';
    const instructions = [{ betId: found.betId, newPersistenceType }];
    found.account.later('updateOrders', { marketId: found.marketId, instructions });
  }

  /** The exchange itself acts, now and then. */
  #turnMarket(): void {
    const { market, facts } = this.#market;
    const chance = this.#random.below(12);
    if (facts.view.suspended) this.stage.command({ kind: 'suspend', market, suspended: false });
    else if (chance < 3) this.stage.command({ kind: 'suspend', market, suspended: true });
    else if (chance === 3 && !facts.isInPlay) this.stage.command({ kind: 'setInPlay', market, inPlay: true });
    else if (chance === 4) this.stage.command({ kind: 'setLastPrice', market, outcome: 1, tick: 120 as never });
    else if (chance === 5 && facts.view.removed.length === 0 && this.#random.below(4) === 0)
      this.stage.command({ kind: 'removeOutcome', market, outcome: 2, factorPpm: 200_000, basis: 'win' });
    else if (chance === 6) {
      const to = this.stage.builder.context.now();
      this.stage.command({ kind: 'voidTrades', market, from: (to - 5_000) as typeof to, to });
    }
  }

  /** Worked out once for all readers of a moment. */
  #naiveOf(market: number, outcome: number): NaiveRunner {
    const key = `${market} ${outcome}`;
    const naive = this.#naive.get(key) ?? naiveRunner(this.stage, market, outcome);
    this.#naive.set(key, naive);
    return naive;
  }

  #check(watcher: Watcher): void {
    if (watcher.kind === 'markets') for (const id of this.marketIds) this.#checkMarket(watcher, id);
    else for (const id of this.marketIds) this.#checkBets(watcher, id);
  }

  #checkMarket({ reader, depth, fields }: Watcher, id: string): void {
    const { world } = this.stage.builder;
    const market = this.stage.market(id);
    const record = world.catalogue.markets.get(market);
    const facts = record === undefined ? undefined : factsOfRecord(world, record);
    if (record === undefined || facts === undefined) throw new Error(`no market ${id}`);
    const read = reader.markets.get(id);
    if (fields === undefined) {
      expect(read?.definition).toMatchObject({ status: facts.status, inPlay: facts.isInPlay, version: facts.version });
    } else expect(read?.definition).toBeUndefined();
    const names = (fields ?? ALL_FIELDS).flatMap((field) => NAMES_OF_FIELDS[field] ?? []);
    for (const [outcome, { selectionId, handicap }] of facts.runners.entries()) {
      const naive = this.#naiveOf(market, outcome);
      expect(held(read, `${selectionId} ${handicap}`)).toEqual(only(naive, names, depth));
    }
  }

  #checkBets({ reader, account, request }: Watcher, id: string): void {
    const {
      customerStrategyRefs,
      includeOverallPosition = true,
      partitionMatchedByStrategyRef = false,
    } = (request['orderFilter'] as Readonly<Record<string, never>>) ?? {};
    const strategies = customerStrategyRefs as readonly string[] | undefined;
    const current = account.call('listCurrentOrders', {
      ...{
        marketIds: [id],
        orderProjection: 'EXECUTABLE',
        ...(strategies ? { customerStrategyRefs: strategies } : {}),
      },
    }).currentOrders;
    const read = reader.accounts.get(id);
    const live = [...(read?.runners.values() ?? [])].flatMap(({ orders }) =>
      [...orders.values()].filter(({ status }) => status === 'E'),
    );
    const told = live.map((order) => [order.id, order.p, order.s, order.sm, order.sr, order.sc, order.rfs, order.pt]);
    const listed = current.map((bet) => [
      ...[bet.betId, bet.priceSize.price, bet.priceSize.size, bet.sizeMatched, bet.sizeRemaining, bet.sizeCancelled],
      ...[bet.customerStrategyRef ?? '', bet.persistenceType === 'PERSIST' ? 'P' : 'L'],
    ]);
    expect(told.sort()).toEqual(listed.sort());
    const matches = (refs: readonly string[] | undefined) => matchesOf(account, id, refs);
    if (includeOverallPosition) expect(sidesOf(read?.runners)).toEqual(matches(undefined));
    if (!partitionMatchedByStrategyRef) return;
    for (const strategy of strategies ?? ['a', 'b'])
      expect(sidesOf(read?.runners, strategy)).toEqual(matches([strategy]));
  }
}

function subscriptionOf({ kind }: Pick<Watcher, 'kind'>): string {
  return kind === 'markets' ? 'marketSubscription' : 'orderSubscription';
}

function held(market: ReadMarket | undefined, key: string): NaiveRunner {
  const runner = market?.runners.get(key);
  const rows = <V>(
    maps: ReadonlyMap<string, ReadonlyMap<number, V>> | undefined,
    toRow: (key: number, value: V) => number[],
  ) =>
    Object.fromEntries(
      [...(maps ?? [])].map(([name, map]) => {
        const sorted = [...map].sort(([left], [right]) => left - right);
        return [name, sorted.map(([at, value]) => toRow(at, value))];
      }),
    );
  return {
    numbers: Object.fromEntries(runner?.numbers ?? []),
    byPrice: rows(runner?.byPrice, (price, size) => [price, size]),
    byLevel: rows(runner?.byLevel, (level, [price, size]) => [level, price, size]),
  };
}

/** Fields that were not asked for are empty, and numbers are not there. */
function only(naive: NaiveRunner, names: readonly string[], depth: number): NaiveRunner {
  const isAsked = ([name]: readonly [string, unknown]) => names.includes(name);
  const emptied = (rows: NaiveRunner['byPrice'], most = Number.POSITIVE_INFINITY) =>
    Object.fromEntries(
      Object.entries(rows).map(([name, list]) => [name, names.includes(name) ? list.slice(0, most) : []]),
    );
  return {
    numbers: Object.fromEntries(Object.entries(naive.numbers).filter(isAsked)),
    byPrice: emptied(naive.byPrice),
    byLevel: emptied(naive.byLevel, depth),
  };
}

/** Matches by runner, side and price, as text; what was floored to nothing is left out. */
function matchesOf(account: FaceClient, marketId: string, refs: readonly string[] | undefined): readonly string[] {
  const [book] = account.call('listMarketBook', {
    ...{ marketIds: [marketId], matchProjection: 'ROLLED_UP_BY_PRICE' },
    ...(refs === undefined ? {} : { customerStrategyRefs: [...refs] }),
  });
  return (
    (book?.runners ?? [])
      // What was matched of bets on a runner that was removed is void.
      .filter(({ status }) => status !== 'REMOVED')
      .flatMap(({ selectionId, matches = [] }) =>
        matches
          .filter(({ size }) => size > 0)
          .map(({ side, price, size }) => `${selectionId} ${side} ${price} ${size}`),
      )
      .sort()
  );
}

function sidesOf(runners: ReadonlyMap<string, ReadBets> | undefined, strategy?: string): readonly string[] {
  return [...(runners ?? [])]
    .flatMap(([key, bets]) => {
      const [selection] = key.split(' ');
      const sides = strategy === undefined ? bets : bets.strategies.get(strategy);
      const rows = (name: string, map: ReadonlyMap<number, number> | undefined) =>
        [...(map ?? [])].map(([price, size]) => `${selection} ${name} ${price} ${size}`);
      return [...rows('BACK', sides?.mb), ...rows('LAY', sides?.ml)];
    })
    .sort();
}
