/**
 * A slow obvious reader of the stream: it folds lines into books and bets as the profile says (section 7), and accepts whole
 * changes alone. It judges the stream, and knows nothing of how it is made.
 */

import { messageFaults } from './stream-check.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire was judged by lists of fields.
type Json = any;

export interface ReadRunner {
  readonly numbers: Map<string, number>;
  /** [price, size] by field, and [level, price, size] by field, keyed by price or level. */
  readonly byPrice: Map<string, Map<number, number>>;
  readonly byLevel: Map<string, Map<number, readonly [number, number]>>;
}

export interface ReadMarket {
  definition: Json;
  tv: number | undefined;
  readonly runners: Map<string, ReadRunner>;
}

export interface ReadMatches {
  readonly mb: Map<number, number>;
  readonly ml: Map<number, number>;
}

export interface ReadBets extends ReadMatches {
  /** Live bets, and those that were told to be complete, by id. */
  readonly orders: Map<string, Json>;
  readonly strategies: Map<string, ReadMatches>;
}

export interface ReadAccount {
  isClosed: boolean;
  readonly runners: Map<string, ReadBets>;
}

export class StreamReader {
  /** By the market's id. */
  readonly markets = new Map<string, ReadMarket>();
  readonly accounts = new Map<string, ReadAccount>();
  readonly messages: Json[] = [];
  readonly faults: string[] = [];
  initialClk: string | undefined;
  clk: string | undefined;
  joined = 0;
  /** How many bytes of lines were longer than so many. */
  longest = 0;
  #segments: Json[] = [];

  /** Reads a line of the server. */
  read(line: string): void {
    const message: Json = JSON.parse(line);
    this.longest = Math.max(this.longest, Buffer.byteLength(line));
    this.messages.push(message);
    this.faults.push(...messageFaults(message));
    if (message.op !== 'mcm' && message.op !== 'ocm') return;
    const { segmentType: segment } = message;
    if (segment === 'SEG_START' && this.#segments.length > 0) this.faults.push('a change begins within another');
    if ((segment === 'SEG' || segment === 'SEG_END') && this.#segments.length === 0) this.faults.push('no beginning');
    this.#segments.push(message);
    if (segment === 'SEG_START' || segment === 'SEG') return;
    const whole = this.#segments;
    this.#segments = [];
    this.#apply(whole);
  }

  /** The connection ended: the rest of a change that was arriving does not come. */
  cut(): void {
    this.#segments = [];
  }

  #apply(messages: readonly Json[]): void {
    const [{ op, ct }] = messages as [Json];
    if (ct === 'SUB_IMAGE') (op === 'mcm' ? this.markets : this.accounts).clear();
    for (const { mc = [], oc = [], initialClk, clk } of messages) {
      this.initialClk = initialClk ?? this.initialClk;
      this.clk = clk ?? this.clk;
      for (const change of mc) this.#applyMarket(change);
      for (const change of oc) this.#applyBets(change);
    }
  }

  #applyMarket({ id, img, con, tv, marketDefinition, rc = [] }: Json): void {
    if (con === true) this.joined += 1;
    const known = this.markets.get(id);
    if (known === undefined && img !== true) this.faults.push(`${id} begins without an image`);
    const market = img === true || known === undefined ? newMarket() : known;
    this.markets.set(id, market);
    if (tv !== undefined) market.tv = tv;
    if (marketDefinition !== undefined) market.definition = marketDefinition;
    for (const change of rc) {
      const key = `${change.id} ${change.hc ?? 0}`;
      const runner = market.runners.get(key) ?? newRunner();
      market.runners.set(key, runner);
      applyRunner(runner, change);
    }
  }

  #applyBets({ id, fullImage, closed, orc = [] }: Json): void {
    const known = this.accounts.get(id);
    const account = fullImage === true || known === undefined ? { isClosed: false, runners: new Map() } : known;
    this.accounts.set(id, account);
    if (closed === true) account.isClosed = true;
    for (const change of orc) {
      const key = `${change.id} ${change.hc ?? 0}`;
      const before = account.runners.get(key);
      if (before === undefined && change.fullImage !== true) this.faults.push(`${id} ${key} begins without an image`);
      const bets = change.fullImage === true || before === undefined ? newBets() : before;
      account.runners.set(key, bets);
      this.#applyOrders(bets, change);
    }
  }

  #applyOrders(bets: ReadBets, { uo = [], mb = [], ml = [], smc = {} }: Json): void {
    for (const order of uo) {
      const before = bets.orders.get(order.id);
      if (order.status === 'EC' && JSON.stringify(before) === JSON.stringify(order))
        this.faults.push(`${order.id} is told twice`);
      bets.orders.set(order.id, order);
    }
    applyRows(bets.mb, mb);
    applyRows(bets.ml, ml);
    for (const [strategy, change] of Object.entries<Json>(smc)) {
      const own = bets.strategies.get(strategy) ?? { mb: new Map(), ml: new Map() };
      bets.strategies.set(strategy, own);
      applyRows(own.mb, change.mb ?? []);
      applyRows(own.ml, change.ml ?? []);
    }
  }
}

const NUMBERS = ['tv', 'ltp', 'spn', 'spf'];
const BY_PRICE = ['atb', 'atl', 'trd'];
const BY_LEVEL = ['batb', 'batl', 'bdatb', 'bdatl'];

function newMarket(): ReadMarket {
  return { definition: undefined, tv: undefined, runners: new Map() };
}

function newRunner(): ReadRunner {
  const maps = <V>(names: readonly string[]) => new Map(names.map((name) => [name, new Map<number, V>()]));
  return { numbers: new Map(), byPrice: maps(BY_PRICE), byLevel: maps(BY_LEVEL) };
}

function newBets(): ReadBets {
  return { orders: new Map(), mb: new Map(), ml: new Map(), strategies: new Map() };
}

function applyRunner(runner: ReadRunner, change: Json): void {
  for (const name of NUMBERS) if (change[name] !== undefined) runner.numbers.set(name, change[name]);
  for (const name of BY_PRICE) applyRows(runner.byPrice.get(name) ?? new Map(), change[name] ?? []);
  for (const name of BY_LEVEL)
    for (const [level, price, size] of change[name] ?? [])
      if (size === 0) runner.byLevel.get(name)?.delete(level);
      else runner.byLevel.get(name)?.set(level, [price, size]);
}

function applyRows(levels: Map<number, number>, rows: readonly (readonly [number, number])[]): void {
  for (const [price, size] of rows)
    if (size === 0) levels.delete(price);
    else levels.set(price, size);
}
