/** A few recorded markets written by hand, and a run of strategies over them through the real simulator and pipeline. */

import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { simulate } from '../../src/backtest/simulation/backtest-simulation.ts';
import type { UpdateSource } from '../../src/backtest/simulation/backtest-source.ts';
import type { SimulationEnd } from '../../src/backtest/simulation/simulated-world.ts';
import { defined } from '../../src/core/checks/assert.ts';
import type { MarketFacts } from '../../src/core/market.ts';
import { tickOfDecimal } from '../../src/core/number/ladder.ts';
import { type Instant, instant, type Money, money } from '../../src/core/number/units.ts';
import { type Side, sideIndex } from '../../src/core/side.ts';
import { newInstance } from '../../src/engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../src/engine/log/transcript.ts';
import {
  DEFINITION,
  FAR,
  LAST_PRICE,
  LEVEL,
  NEAR,
  type PendingUpdate,
  STARTING_PRICE,
  TRADE,
} from '../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import type { RecordedMarket } from '../../src/simulator/replay/played-market.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import type { SignalSeries } from '../../src/strategy/signals.ts';
import { madeDefinition, madeFacts } from './made-market.ts';
import { pendingOf } from './pending-update.ts';

/** 2026-03-24T14:00:00Z. */
export const START = Date.UTC(2026, 2, 24, 14);

export type Step =
  | { readonly level: readonly [outcome: number, resting: Side, price: number, stake: number] }
  | { readonly trade: readonly [outcome: number, price: number, stake: number] }
  | { readonly last: readonly [outcome: number, price: number] }
  | { readonly start: readonly [outcome: number, which: 'near' | 'far', price: number] }
  | { readonly define: Partial<RecordedDefinition> };

interface ScriptedUpdate {
  readonly at: number;
  readonly market: number;
  readonly steps: readonly Step[];
}

interface ScriptedMarketOptions {
  readonly outcomes?: number;
  readonly first?: Partial<RecordedDefinition>;
  /** How many levels of each side its source shows, where it shows the best few. */
  readonly depth?: number;
  readonly facts?: Partial<MarketFacts>;
  /** The exchange that was recorded, where it has rules of its own. */
  readonly exchange?: 'betfair';
}

/** A market of a script: `at(ms, ...steps)` adds one update that many ms after the start. */
export class ScriptedMarket {
  readonly id: string;
  readonly definitions: RecordedDefinition[] = [];
  readonly #script: Script;
  readonly #index: number;
  readonly #outcomes: number;

  readonly #depth: number | undefined;
  readonly #facts: Partial<MarketFacts>;
  readonly #exchange: Pick<RecordedMarket, 'exchange'>;

  constructor(script: Script, index: number, options: ScriptedMarketOptions & { outcomes: number }) {
    this.#depth = options.depth;
    this.#facts = options.facts ?? {};
    this.#exchange = options.exchange === undefined ? {} : { exchange: options.exchange };
    this.id = `1.${index + 1}`;
    this.#script = script;
    this.#index = index;
    this.#outcomes = options.outcomes;
    this.at(0, { define: options.first ?? {} });
  }

  at(ms: number, ...steps: readonly Step[]): this {
    this.#script.updates.push({ at: START + ms, market: this.#index, steps });
    for (const step of steps) if ('define' in step) this.#define(step.define);
    return this;
  }

  settle(ms: number, ...winners: readonly number[]): this {
    const outcomes = Array.from({ length: this.#outcomes }, (_, outcome) => ({
      status: winners.includes(outcome) ? ('Winner' as const) : ('Loser' as const),
    }));
    return this.at(ms, { define: { status: 'Settled', outcomes } });
  }

  recorded(updates: number): RecordedMarket {
    return {
      grade: this.#depth === undefined ? 'A' : 'B',
      updates,
      definitions: this.definitions,
      ...this.#exchange,
      ...(this.#depth === undefined ? {} : { depth: this.#depth }),
      facts: madeFacts(this.id, this.#outcomes, {
        ...{ name: `Market ${this.#index + 1}`, eventId: 'e1', marketTypeId: 'MATCH_ODDS' },
        ...this.#facts,
      }),
    };
  }

  #define(change: Partial<RecordedDefinition>): void {
    const first = { eventStartAction: 'CancelUnmatchedLiquidity', commissionPpm: 50_000 } as const;
    const last = this.definitions.at(-1) ?? madeDefinition(this.#outcomes, first);
    this.definitions.push({ ...last, ...change });
  }
}

export class Script {
  readonly updates: ScriptedUpdate[] = [];
  readonly #markets: ScriptedMarket[] = [];

  market(options: ScriptedMarketOptions = {}): ScriptedMarket {
    const market = new ScriptedMarket(this, this.#markets.length, { outcomes: 2, ...options });
    this.#markets.push(market);
    return market;
  }

  source(): UpdateSource {
    const ordered = this.updates.map((update, order) => ({ ...update, order }));
    ordered.sort((a, b) => a.at - b.at || a.order - b.order);
    return new ScriptSource(ordered, this.#markets);
  }
}

class ScriptSource implements UpdateSource {
  readonly startAt = instant(START);
  index = 0;
  readonly #updates: readonly ScriptedUpdate[];
  readonly #markets: readonly ScriptedMarket[];
  readonly #sequences: number[] = [];
  readonly #defined: number[] = [];
  #next = 0;

  constructor(updates: readonly ScriptedUpdate[], markets: readonly ScriptedMarket[]) {
    this.#updates = updates;
    this.#markets = markets;
  }

  next(): PendingUpdate | undefined {
    const update = this.#updates[this.#next];
    if (update === undefined) return undefined;
    this.#next += 1;
    this.index = update.market;
    const sequence = this.#sequences[update.market] ?? 0;
    this.#sequences[update.market] = sequence + 1;
    const publishedAt = update.at as Instant;
    const columns = columnsOf(update.steps, () => this.#takeDefinition(update.market));
    return pendingOf({ ...columns, market: update.market, sequence, publishedAt, receivedAt: publishedAt });
  }

  recorded(index: number): RecordedMarket {
    const updates = this.#updates.filter(({ market }) => market === index).length;
    return defined(this.#markets[index], 'the script has the market').recorded(updates);
  }

  #takeDefinition(market: number): number {
    const next = this.#defined[market] ?? 0;
    this.#defined[market] = next + 1;
    return next;
  }
}

function columnsOf(steps: readonly Step[], takeDefinition: () => number) {
  const count = steps.length;
  const columns = {
    count,
    kind: new Uint8Array(count),
    outcome: new Uint16Array(count),
    side: new Uint8Array(count),
    tick: new Int16Array(count),
    amount: new Float64Array(count),
  };
  for (const [i, step] of steps.entries()) {
    if ('define' in step) {
      columns.kind[i] = DEFINITION;
      columns.amount[i] = takeDefinition();
    } else if ('level' in step) {
      const [outcome, side, price, stake] = step.level;
      columns.side[i] = sideIndex(side);
      put(columns, i, { kind: LEVEL, outcome, price, stake });
    } else if ('trade' in step) {
      const [outcome, price, stake] = step.trade;
      put(columns, i, { kind: TRADE, outcome, price, stake });
    } else if ('start' in step) {
      const [outcome, which, price] = step.start;
      columns.kind[i] = STARTING_PRICE;
      columns.outcome[i] = outcome;
      columns.side[i] = which === 'near' ? NEAR : FAR;
      columns.amount[i] = Math.round(price * 1_000);
    } else {
      put(columns, i, { kind: LAST_PRICE, outcome: step.last[0], price: step.last[1], stake: 0 });
    }
  }
  return columns;
}

function put(
  columns: ReturnType<typeof columnsOf>,
  i: number,
  event: { kind: number; outcome: number; price: number; stake: number },
): void {
  columns.kind[i] = event.kind;
  columns.outcome[i] = event.outcome;
  columns.tick[i] = defined(tickOfDecimal(event.price), `${event.price} is on the ladder`);
  columns.amount[i] = money(Math.round(event.stake * 1e6));
}

export const OPTIONS: BacktestOptions = {
  strategies: [],
  tapes: [],
  markets: { types: [], ids: [], events: [] },
  wallets: { main: { currency: 'USDC', balance: money(10_000e6) } },
  feed: { mode: 'stream' },
  latency: { request: { kind: 'fixed', ms: 80 }, response: { kind: 'fixed', ms: 40 } },
  inPlayDelay: 'recorded',
  commission: 'recorded',
  fills: 'bounds',
  fillRules: {
    cancellations: 'pro-rata',
    hiddenVolume: 'through-queue',
    crossMatching: 'rounded',
    refill: 'never',
    levelsOutOfSight: { maxAgeMs: 1_000 },
  },
  exchange: { inPlaySuspension: 'as-recorded', minimumStake: 'recorded' },
  limits: {},
  isolate: 'none',
  prove: false,
  strategyTimeoutMs: 30_000,
  seed: 1,
  out: '',
};

export interface ScriptedEnd extends SimulationEnd {
  readonly transcript: string;
}

type Simulation = Parameters<typeof simulate>[0];

interface RunChange extends Partial<BacktestOptions>, Partial<Pick<Simulation, 'bound' | 'goesOnUnrecorded'>> {
  readonly signals?: ReadonlyMap<string, SignalSeries>;
  readonly afterUpdate?: Simulation['afterUpdate'];
  readonly secondLog?: Simulation['secondLog'];
}

/** Runs plugins, in order, over a script. */
export function runScript(script: Script, plugins: readonly StrategyPlugin[], change?: RunChange) {
  return runOver(script.source(), plugins, change);
}

/** Runs plugins, in order, over any source. */
export async function runOver(
  source: UpdateSource,
  plugins: readonly StrategyPlugin[],
  change: RunChange = {},
): Promise<ScriptedEnd> {
  const { bound = 'central', signals = new Map(), afterUpdate, ...rest } = change;
  const { goesOnUnrecorded = false, secondLog, ...options } = rest;
  const transcript = new Transcript('script');
  const end = await simulate({
    ...{ options: { ...OPTIONS, ...options }, source, bound, transcript, goesOnUnrecorded, onSlice: () => false },
    instances: plugins.map((plugin, index) =>
      newInstance({ index, plugin, params: Object.freeze({}), wallet: 0, signals }),
    ),
    ...(afterUpdate && { afterUpdate }),
    ...(secondLog && { secondLog }),
  });
  return { ...end, transcript: transcript.close() };
}

export function units(amount: number): Money {
  return money(Math.round(amount * 1e6));
}
