/** Hostile and plausible requests at a Betfair face: two accounts call operations at random while markets are moved. */

import { API_PATHS } from '../../../src/betfair/wire/envelope.ts';
import { OPERATIONS, type Operation } from '../../../src/betfair/wire/operations.ts';
import type { SchemaNode } from '../../../src/codec/schema-node.ts';
import { Random } from '../../../src/core/number/random.ts';
import { type Instant, instant } from '../../../src/core/number/units.ts';
import type { MachineCommand } from '../../../src/sandbox/world/change.ts';
import { answerFaults } from './answer-check.ts';
import { type FaceClient, FaceStage } from './face-stage.ts';

export interface FuzzOutcome {
  /** What is wrong, the first things only. */
  readonly faults: readonly string[];
  /** How often each operation was answered in each way. */
  readonly answers: ReadonlyMap<string, number>;
}

const ODD: readonly unknown[] = [
  ...[null, '', 0, -1, 1e308, 'NaN', '1e5', true, [], {}, [null], { a: 1 }, 'x'.repeat(50), 2.5, '2.5', 1000, 1.01],
  ...[Number.MAX_SAFE_INTEGER, '__proto__', 'constructor', '\u0000'],
];
const ORDERS: readonly Operation[] = ['placeOrders', 'cancelOrders', 'replaceOrders', 'updateOrders'];
const OTHERS = Object.keys(OPERATIONS).filter((name): name is Operation => !ORDERS.some((order) => order === name));
const FAULTS_SHOWN = 5;

export function fuzzRequests({ seed, requests }: { readonly seed: number; readonly requests: number }): FuzzOutcome {
  const fuzz = new Fuzz(seed);
  for (let request = 0; request < requests && fuzz.faults.length < FAULTS_SHOWN; request += 1) fuzz.send(request);
  return { faults: [...fuzz.faults, ...fuzz.stage.builder.world.exchange.brokenLaws()], answers: fuzz.answers };
}

class Fuzz {
  readonly stage = new FaceStage();
  readonly faults: string[] = [];
  readonly answers = new Map<string, number>();
  readonly #random: Random;
  readonly #clients: readonly FaceClient[];
  readonly #markets: readonly { readonly id: string; readonly selections: readonly number[] }[];

  constructor(seed: number) {
    this.#random = Random.fromSeed(seed);
    this.#clients = ['mary', 'joe'].map((name) => this.stage.login(name));
    const query = { filter: {}, marketProjection: ['RUNNER_DESCRIPTION'], maxResults: 1000 };
    const found = this.#clients[0]?.call('listMarketCatalogue', query) ?? [];
    this.#markets = found.map(({ marketId, runners = [] }) => ({
      id: marketId,
      selections: runners.map(({ selectionId }) => selectionId),
    }));
  }

  send(id: number): void {
    const client = this.#pick(this.#clients);
    const operation = this.#random.chance(0.5) ? this.#orderOperation(client) : this.#pick(OTHERS);
    const { api } = OPERATIONS[operation];
    const params = this.#random.chance(0.02) ? this.#pick(ODD) : this.#params(operation, client);
    const body = JSON.stringify({ jsonrpc: '2.0', method: `${api}/v1.0/${operation}`, params, id });
    try {
      const sent = this.stage.send({ path: API_PATHS[api].rpc, body, authentication: client.token });
      this.#moveOn();
      // No delay is longer.
      if (sent.answer === undefined) this.stage.builder.pass(10_000);
      this.#judge(operation, sent.answer?.text ?? '{}', body);
    } catch (error) {
      this.faults.push(`${operation}: ${String(error)} of ${body.slice(0, 500)}`);
    }
  }

  /** What can be done with orders: where none is live, only placing some. */
  #orderOperation(client: FaceClient): Operation {
    const live = client.call('listCurrentOrders', { orderProjection: 'EXECUTABLE' }).currentOrders;
    return live.length === 0 ? 'placeOrders' : this.#pick(ORDERS);
  }

  #judge(operation: Operation, text: string, body: string): void {
    const { result, error } = JSON.parse(text);
    if (result === undefined && error === undefined) this.faults.push(`${operation} was not answered: ${body}`);
    const way = error?.message ?? [result?.status, result?.errorCode].join(' ');
    const key = `${operation} ${way}`.trim();
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
    if (result === undefined) return;
    for (const fault of answerFaults(operation, result)) this.faults.push(`${fault} of ${body.slice(0, 500)}`);
  }

  #moveOn(): void {
    if (this.#random.chance(0.3)) this.stage.builder.pass(this.#random.below(3_000));
    if (!this.#random.chance(0.005)) return;
    const { context, world, now } = this.stage.builder;
    const market = this.#pick([...world.exchange.marketIds()]);
    // A move that the market's status does not allow is refused, and changes nothing.
    context.apply({ at: now, kind: 'command', command: this.#move(market, now) });
  }

  #move(market: number, now: Instant): MachineCommand {
    return this.#pick<MachineCommand>([
      { kind: 'suspend', market, suspended: this.#random.chance(0.5) },
      { kind: 'setInPlay', market, inPlay: true },
      { kind: 'lock', market },
      { kind: 'settle', market, winners: [0] },
      { kind: 'removeOutcome', market, outcome: 1, factorPpm: 50_000, basis: 'win' },
      { kind: 'voidTrades', market, from: instant(0), to: now },
      { kind: 'close', market },
      { kind: 'forget', market },
    ]);
  }

  /** Parameters by the operation's schema, made plausible where orders would else hardly ever be taken. */
  #params(operation: Operation, client: FaceClient): Record<string, unknown> {
    const made = this.#object(OPERATIONS[operation].params as unknown as SchemaNode);
    if (!ORDERS.includes(operation) || this.#random.chance(0.1)) return made;
    const current = client.call('listCurrentOrders', { orderProjection: 'EXECUTABLE' }).currentOrders;
    const market = this.#pick(this.#markets);
    const order = current.length === 0 ? undefined : this.#pick(current);
    made['marketId'] = operation === 'placeOrders' ? market.id : (order?.marketId ?? market.id);
    const there = current.filter(({ marketId }) => marketId === order?.marketId);
    const instructions: unknown[] = Array.isArray(made['instructions']) ? made['instructions'] : [];
    for (const [index, each] of instructions.entries()) {
      if (typeof each !== 'object' || each === null) continue;
      if (operation === 'placeOrders') Object.assign(each, { selectionId: this.#pick(market.selections) });
      else if (there.length > 0) Object.assign(each, { betId: there[index % there.length]?.betId });
    }
    return made;
  }

  #object(node: SchemaNode): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      const likely = node.required?.includes(name) === true || LIKELY_THERE.has(name);
      if (this.#random.chance(likely ? 0.98 : 0.3)) made[name] = this.#value(name, child);
    }
    return made;
  }

  #value(name: string, node: SchemaNode): unknown {
    if (this.#random.chance(0.01)) return this.#pick(ODD);
    const likely = LIKELY[name];
    if (likely !== undefined) return this.#pick(likely);
    if (name === 'marketId') return this.#random.chance(0.9) ? this.#pick(this.#markets).id : '1.1';
    if (node.format === 'date-time') return this.#pick(['2026-03-24T12:00:00Z', '2026-01-01T00:00:00.000Z', 'soon']);
    if (node.enum !== undefined) return this.#pick(node.enum);
    if (node.type === 'array') {
      const items = node.items ?? {};
      const least = name === 'instructions' && this.#random.chance(0.95) ? 1 : 0;
      return Array.from({ length: least + this.#random.below(3) }, () => this.#value(name.replace(/s$/, ''), items));
    }
    if (node.type === 'object') return this.#object(node);
    if (node.type === 'string') return this.#pick(['a', '', 'reference', '7']);
    if (node.type === 'boolean') return this.#random.chance(0.5);
    return this.#pick([0, 1, 5, 10, 100, -5]);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random.below(from.length)] as T;
  }
}

/** Optional fields without which a request does little, or far too much. */
const LIKELY_THERE: ReadonlySet<string> = new Set(['limitOrder', 'size', 'instructions']);

/** Values of fields with which a request is taken now and then. */
const LIKELY: Readonly<Record<string, readonly unknown[]>> = {
  orderType: [...Array.from({ length: 20 }, () => 'LIMIT'), 'MARKET_ON_CLOSE'],
  persistenceType: ['LAPSE', 'LAPSE', 'LAPSE', 'LAPSE', 'PERSIST', 'PERSIST', 'PERSIST', 'MARKET_ON_CLOSE', null],
  timeInForce: [null, null, null, 'FILL_OR_KILL'],
  betTargetType: [null],
  size: [2, 2, 5, 5, 10, 10, 10, 0.5, 2.005, 10_000],
  sizeReduction: [1, 2, 5, 0.01],
  minFillSize: [1, 2, 20],
  price: [1.01, 1.5, 2, 3, 4.5, 5, 100, 1000, 2.03],
  newPrice: [2, 3, 4.5, 100, 1000, 2.03],
  handicap: [0, 0, 0, 0, 0, 0, 0, 1],
  betId: ['300000000001', '1', '-1', 'x'],
  marketVersion: [null, null, null, null, null, { version: 1 }],
  customerRef: [null, null, null, null, null, null, null, 'a b', 'again'],
  customerStrategyRef: [null, null, 'one', 'one', 'two', 'two', 'x'.repeat(16)],
  customerOrderRef: ['a', 'b', 'c', 'd', 'e', 'f', 'g', null, 'a b'],
};
