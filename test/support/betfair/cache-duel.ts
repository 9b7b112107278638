/** Our caches beside a slow reader of the same lines, at each message, while accounts bet at random and the line is hurt. */

import { expect } from 'vitest';
import type { StreamEvent, WholeChange } from '../../../src/betfair/stream/connection/stream-event.ts';
import type { MarketCriteria } from '../../../src/betfair/stream/connection/subscription.ts';
import { MarketCache } from '../../../src/betfair/stream/markets/market-cache.ts';
import { OrderCache, type OrderNews, type StreamedBets } from '../../../src/betfair/stream/orders/order-cache.ts';
import type { OrderDocument } from '../../../src/betfair/stream/orders/order-document.ts';
import { type MarketFold, RunnerFold } from '../../../src/betfair/wire/fold/market-fold.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { StreamPlay } from '../sandbox-betfair/stream-play.ts';
import { type ReadBets, type ReadMarket, type ReadRunner, StreamReader } from '../sandbox-betfair/stream-reader.ts';
import { StreamRig } from './stream-rig.ts';

const KEPT_MS = 20_000;
const QUIET_MS = 120_000;

/** How often something happened that the proof needs. */
export type Duels = Record<
  'compared' | 'images' | 'missed' | 'segments' | 'joined' | 'vanished' | 'cuts' | 'closed',
  number
>;

export class CacheDuel {
  readonly counts: Duels = {
    compared: 0,
    images: 0,
    missed: 0,
    segments: 0,
    joined: 0,
    vanished: 0,
    cuts: 0,
    closed: 0,
  };
  readonly #random: Random;
  readonly #play: StreamPlay;
  readonly #rig: StreamRig;
  readonly #judge = new StreamReader();
  readonly #markets = new MarketCache();
  readonly #orders = new OrderCache();
  /** The newest request of each kind is in force. */
  readonly #ids = new Map<string, number>();
  #live = new Set<string>();
  #fault: { readonly error: unknown } | undefined;

  constructor(random: Random) {
    this.#random = random;
    this.#play = new StreamPlay(random, {
      ...{ isWatched: false, segmentBytes: 600, clockMs: KEPT_MS },
      ...{ pastPicturesMax: 1 + random.below(20), requestsPerSecond: 1_000 },
    });
    this.#rig = new StreamRig({ stage: this.#play.stage, seed: random.below(1_000) });
    this.#rig.line.onLine = (line) => this.#judgeReads(line);
    this.#rig.line.onLeft = () => this.#judge.cut();
    this.#rig.client.events$.subscribe((event) => {
      try {
        this.#onEvent(event);
      } catch (error) {
        // A subscriber that throws would be heard of later, and by nobody in particular.
        this.#fault ??= { error };
      }
    });
    this.#subscribe();
    this.#rig.client.orders({ orderFilter: { partitionMatchedByStrategyRef: random.below(2) === 0 } });
    this.#rig.client.start();
  }

  step(): void {
    this.#play.act();
    this.#check();
    const { line } = this.#rig;
    const chance = this.#random.below(30);
    if (chance === 0) line.cut();
    else if (chance === 1) line.isDead = !line.isDead;
    else if (chance === 2) line.isClosed = !line.isClosed;
    else if (chance === 3) this.#subscribe();
    else if (chance === 4) line.edit = spoiling(this.#random);
    else if (chance < 8) line.isSlow = !line.isSlow;
    else if (line.isSlow) line.catchUp();
  }

  /** All heals, markets get their results, and what we hold is what a new client is told. */
  finish(): void {
    const { line } = this.#rig;
    line.isDead = false;
    line.isClosed = false;
    line.isSlow = false;
    line.edit = (text) => text;
    line.catchUp();
    this.#subscribe();
    this.#rig.pass(QUIET_MS);
    this.#compareWithNewest();
    for (const id of this.#play.marketIds) {
      const market = this.#play.stage.market(id);
      this.#play.stage.command({ kind: 'lock', market });
      this.#play.stage.command({ kind: 'settle', market, winners: [0] });
    }
    this.#rig.pass(QUIET_MS);
    for (const id of this.#play.marketIds) {
      expect(this.#markets.market(id)).toBeUndefined();
      expect(this.#orders.market(id).size).toBe(0);
    }
    this.#check();
    expect(this.#judge.faults).toEqual([]);
    this.#rig.client.close();
  }

  #check(): void {
    if (this.#fault !== undefined) throw this.#fault.error;
  }

  #subscribe(): void {
    this.#rig.client.markets(criteriaOf(this.#random, this.#play.marketIds));
  }

  #judgeReads(line: string): void {
    const message = parsed(line);
    if (message === undefined) return;
    const { op, id, segmentType } = message;
    for (const sent of this.#rig.line.sent.at(-1) ?? []) {
      const request = JSON.parse(sent);
      this.#ids.set(request.op === 'marketSubscription' ? 'mcm' : 'ocm', request.id);
    }
    if (this.#ids.get(op) !== id) return;
    if (segmentType !== undefined) this.counts.segments += 1;
    this.#judge.read(line);
  }

  #onEvent(event: StreamEvent): void {
    if (event.kind === 'down') this.counts.cuts += 1;
    if (event.kind === 'trouble' && event.code === 'READS_SLOWLY') this.counts.joined += 1;
    if (event.kind !== 'change') return;
    const { change } = event;
    this.counts.compared += 1;
    if (change.type === 'image') this.counts.images += 1;
    if (change.type === 'missed') this.counts.missed += 1;
    if (change.feed === 'markets') this.#compareMarkets(change);
    else this.#compareOrders(change);
  }

  #compareMarkets(change: WholeChange): void {
    for (const news of this.#markets.take(change)) expect(news.kind).not.toBe('unreadable');
    for (const [id, read] of this.#judge.markets) compareMarket(this.#markets.market(id), read);
  }

  #compareOrders(change: WholeChange): void {
    const news = this.#orders.take(change);
    const live = new Set<string>();
    const told = new Set<string>();
    for (const line of change.lines)
      for (const { orc = [] } of JSON.parse(line).oc ?? [])
        for (const { uo = [] } of orc) for (const { id } of uo) told.add(id);
    for (const [id, { runners, isClosed }] of this.#judge.accounts) {
      if (isClosed) {
        this.counts.closed += 1;
        continue;
      }
      const held = this.#orders.market(id);
      for (const [key, bets] of runners) compareBets(held.get(key), bets, live);
    }
    const vanished = [...this.#live].filter((id) => !live.has(id) && !told.has(id));
    expect(vanishedIn(news).sort()).toEqual(vanished.sort());
    this.counts.vanished += vanished.length;
    this.#live = live;
  }

  /** Our books and live bets, beside those of a client that has just come, and beside listCurrentOrders. */
  #compareWithNewest(): void {
    const [mary] = this.#play.accounts;
    const client = this.#play.stage.open(this.#rig.session);
    const [request] = (this.#rig.line.sent.at(-1) ?? [])
      .filter((line) => line.includes('marketSubscription'))
      .slice(-1);
    client.send({ ...JSON.parse(request ?? '{}'), initialClk: '', clk: '' });
    for (const [id, read] of client.reader.markets) compareMarket(this.#markets.market(id), read);
    client.leave();
    const current = mary?.call('listCurrentOrders', { orderProjection: 'EXECUTABLE' }).currentOrders ?? [];
    const ours = this.#play.marketIds.flatMap((id) =>
      [...this.#orders.market(id).values()].flatMap(({ live }) => [...live.values()]),
    );
    const byId = (one: { readonly betId: string }, other: { readonly betId: string }) =>
      one.betId < other.betId ? -1 : 1;
    // The stream has a regulator's code, and the list its name; the list has the market's version besides.
    const alike = ({ currentItemDescription, regulatorCode, ...order }: OrderDocument) => order;
    expect(ours.map(alike).sort(byId)).toEqual(current.map(alike).sort(byId));
  }
}

/** Undefined for a line that was spoilt. */
function parsed(line: string) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function criteriaOf(random: Random, marketIds: readonly string[]): MarketCriteria {
  const fields = [
    [],
    ['EX_BEST_OFFERS', 'EX_MARKET_DEF'],
    ['EX_ALL_OFFERS', 'EX_TRADED', 'EX_LTP', 'EX_MARKET_DEF'],
  ] as const;
  return {
    marketFilter: { marketIds: [...marketIds].slice(0, 1 + random.below(marketIds.length)) },
    marketDataFilter: { fields: [...(fields[random.below(fields.length)] ?? [])], ladderLevels: 1 + random.below(10) },
    conflateMs: random.below(3) === 0 ? random.below(2_000) : 0,
  };
}

/** Spoils one line, as no server would: what follows is read after the connection was opened anew. */
function spoiling(random: Random): (line: string) => string {
  let isSpoilt = false;
  return (line) => {
    if (isSpoilt || random.below(3) > 0) return line;
    isSpoilt = true;
    return line.slice(0, random.below(line.length));
  };
}

function compareMarket(ours: MarketFold | undefined, read: ReadMarket): void {
  if (read.definition?.status === 'CLOSED') return expect(ours).toBeUndefined();
  expect(ours?.definition).toEqual(read.definition);
  for (const key of read.runners.keys()) expect(ours?.runners.has(key)).toBe(true);
  // Of a runner of which nothing is left, a new client is not told.
  for (const [key, runner] of ours?.runners ?? []) compareRunner(runner, read.runners.get(key) ?? emptyRunner());
}

function emptyRunner(): ReadRunner {
  const { byPrice, byLevel } = new RunnerFold(0, 0);
  return { numbers: new Map(), byPrice: new Map(Object.entries(byPrice)), byLevel: new Map(Object.entries(byLevel)) };
}

function compareRunner(ours: RunnerFold, read: ReadRunner): void {
  for (const field of ['tv', 'ltp', 'spn', 'spf'] as const) expect(ours.number(field)).toBe(read.numbers.get(field));
  for (const field of ['atb', 'atl', 'trd'] as const) expect(ours.byPrice[field]).toEqual(read.byPrice.get(field));
  for (const field of ['batb', 'batl', 'bdatb', 'bdatl'] as const)
    expect(ours.byLevel[field]).toEqual(read.byLevel.get(field));
}

/** Adds what is live to `live`. */
function compareBets(ours: StreamedBets | undefined, read: ReadBets, live: Set<string>): void {
  const executable = [...read.orders.values()].filter(({ status }) => status === 'E');
  for (const { id, p, s, sm, sr, sl, sc, sv, side, rfo, rfs } of executable) {
    live.add(id);
    expect(ours?.live.get(id)).toMatchObject({
      ...{ betId: id, priceSize: { price: p, size: s }, side: side === 'B' ? 'BACK' : 'LAY', status: 'EXECUTABLE' },
      ...{ sizeMatched: sm, sizeRemaining: sr, sizeLapsed: sl, sizeCancelled: sc, sizeVoided: sv },
      ...(rfo === '' ? {} : { customerOrderRef: rfo }),
      ...(rfs === '' ? {} : { customerStrategyRef: rfs }),
    });
  }
  expect(ours?.live.size).toBe(executable.length);
  expect([ours?.mb, ours?.ml]).toEqual([read.mb, read.ml]);
  expect(ours?.strategies).toEqual(read.strategies);
}

function vanishedIn(news: readonly OrderNews[]): string[] {
  for (const { kind } of news) expect(kind).not.toBe('unreadable');
  return news.flatMap((each) => (each.kind === 'vanished' ? each.betIds : []));
}
