/** The engine's stages, called one at a time: no gateway, no simulator, one fixed market, and strategies that a test writes. */

import type { Intent } from '../../../src/core/intent.ts';
import type { MarketState } from '../../../src/core/market-state.ts';
import { type Instant, instant, money, ZERO } from '../../../src/core/number/units.ts';
import type { RunState } from '../../../src/core/run/run-state.ts';
import { type DecideLinks, decide } from '../../../src/engine/decide.ts';
import { fold } from '../../../src/engine/fold.ts';
import { type DecisionMark, newMark } from '../../../src/engine/guest/decision-mark.ts';
import { judgeIntents } from '../../../src/engine/judge-intents.ts';
import { Ledger } from '../../../src/engine/ledger/ledger.ts';
import type { OwnOrder } from '../../../src/engine/ledger/own-order.ts';
import { type Input, Step } from '../../../src/engine/ledger/step.ts';
import { newInstance, type StrategyInMarket } from '../../../src/engine/ledger/strategy-in-market.ts';
import type { EventOf, RunEvent, RunNote } from '../../../src/engine/log/run-log.ts';
import type { MarketCause, OrderReport } from '../../../src/exchange/gateway.ts';
import { ExposureBook } from '../../../src/risk/exposure/exposure-book.ts';
import type { Limits } from '../../../src/risk/limits/limits.ts';
import { RiskState } from '../../../src/risk/risk-state.ts';
import type { DecideInput, StrategyPlugin } from '../../../src/strategy/contract.ts';
import { createFixedMarket } from '../../../src/strategy/testing/fixed-market.ts';

export const START = Date.UTC(2026, 2, 24, 14);

type Decide = (input: DecideInput) => readonly Intent[];
type Changeable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface EngineStageOptions {
  /** The strategies `first`, `second` and so on; left out: one that does nothing. */
  readonly plugins?: readonly Omit<StrategyPlugin, 'name'>[];
  readonly limits?: Limits;
  readonly intentsMax?: number;
  readonly restored?: RunState;
  readonly mark?: DecisionMark;
}

const NAMES = ['first', 'second', 'third'];
export const NOTHING: Decide = () => [];

/** An order that backs outcome `a` with 10 at 2.1. */
export const PLACE = { kind: 'place', market: 'm', outcome: 'a', side: 'For', price: 2.1, stake: 10 } as const;

export class EngineStage {
  /** Market `m` with outcomes `a` and `b`, as the feed shows it; a test may change it. */
  readonly market: Changeable<MarketState> = {
    ...createFixedMarket({
      ...{ id: 'm', updatedAt: START },
      outcomes: [{ id: 'a', against: [[2, 100]], for: [[2.02, 100]] }, { id: 'b' }],
    }),
  };
  readonly risk: RiskState;
  readonly ledger: Ledger;
  readonly step = new Step();
  readonly events: RunEvent[] = [];
  readonly notes: RunNote[] = [];
  readonly counts = { intended: 0, cancellations: 0, cancellationsRepeated: 0 };
  /** What strategies asked of the outside: alarms, and what streams emitted between calls. */
  readonly links: { readonly what: string; readonly due?: number }[] = [];
  readonly #intentsMax: number;

  constructor({ plugins = [{ decide: NOTHING }], limits = {}, ...options }: EngineStageOptions = {}) {
    const { intentsMax = 100, restored, mark = newMark() } = options;
    const instances = plugins.map((plugin, index) =>
      newInstance({
        ...{ index, params: {}, wallet: 0, signals: new Map() },
        plugin: { name: NAMES[index] ?? 'more', ...plugin },
      }),
    );
    const names = { strategies: instances.map(({ plugin }) => plugin.name), wallets: ['main'] };
    this.risk = new RiskState(limits);
    this.ledger = new Ledger({ instances, exposure: new ExposureBook(), risk: this.risk, names, mark, restored });
    this.#intentsMax = intentsMax;
  }

  /** One whose market is known. */
  static listed(options: EngineStageOptions = {}): EngineStage {
    const stage = new EngineStage(options);
    stage.foldMarket('listed');
    return stage;
  }

  /** Folds one input as a step of its own, and says which strategies are to be called: `first prices`. */
  fold(input: Input, at = START): readonly string[] {
    this.step.begin(at);
    fold(this.#parts(), input, this.step);
    return this.calls();
  }

  foldMarket(cause: MarketCause, at = START): readonly string[] {
    return this.fold({ kind: 'market', market: this.market, cause }, at);
  }

  calls(): readonly string[] {
    const { firsts, seconds, length } = this.step.calls;
    return firsts.slice(0, length).map(({ instance }, i) => `${instance.plugin.name} ${seconds[i]}`);
  }

  /** Calls the strategies that the step is to call, and returns how many it called. */
  decide(): number {
    const links: DecideLinks = {
      wakeAt: ({ instance }, due) => this.links.push({ what: `wake ${instance.plugin.name}`, due }),
      onEmitted: ({ instance }, intents) => this.links.push({ what: `${instance.plugin.name} ${intents.length}` }),
      onFailed: ({ plugin }, { code }) => this.links.push({ what: `${plugin.name} ${code}` }),
    };
    return decide(this.ledger, this.step, this.#parts().log, links);
  }

  /** Judges intents of a strategy as a step of its own. */
  judge(intents: readonly unknown[], at = START, strategy = 0): void {
    this.step.begin(at);
    this.step.propose(this.inMarket(strategy), intents as readonly Intent[]);
    judgeIntents(this.#parts(), this.step);
  }

  /** Has an order of 10 at 2.1 sent, and takes it off the step as sending does. */
  sent(): OwnOrder {
    this.judge([PLACE]);
    const [order] = this.step.takePlaces();
    if (order === undefined) throw new Error('the order was refused');
    return order;
  }

  /** Has an order sent and accepted, so that it rests at the exchange as order 1001, 1002, and so on. */
  resting(): OwnOrder {
    const order = this.sent();
    const reply = { kind: 'placed', items: [{ kind: 'accepted', report: reportOf(order) }] } as const;
    this.fold({ kind: 'placeReply', orders: [order], reply });
    return order;
  }

  inMarket(strategy = 0): StrategyInMarket {
    const inMarket = this.ledger.instances[strategy]?.inMarkets.get(this.market.index);
    if (inMarket === undefined) throw new Error(`strategy ${strategy} does not watch the market`);
    return inMarket;
  }

  /** Events of one kind, oldest first. */
  eventsOf<Kind extends RunEvent['kind']>(kind: Kind): readonly EventOf<Kind>[] {
    return this.events.filter((event): event is EventOf<Kind> => event.kind === kind);
  }

  refusals(): readonly string[] {
    return this.eventsOf('refused').map(({ refusal }) => refusal.code);
  }

  /** What the market can lose, in units of money. */
  required(): number {
    return this.ledger.exposure.requiredOfWallet(0) / 1e6;
  }

  #parts() {
    const log = { logEvent: (event: RunEvent) => void this.events.push(event), logUpdate: () => undefined };
    const notes = { noted: (_at: number, note: RunNote) => void this.notes.push(note) };
    const { ledger, counts } = this;
    return { ledger, log, notes, counts, intentsMax: this.#intentsMax };
  }
}

/** A report of an order that rests whole, with changes. */
export function reportOf(order: { readonly id: number }, change: Partial<OrderReport> = {}): OrderReport {
  return {
    ...{ client: order.id, order: 1_000 + order.id, status: 'Unmatched', at: instant(START) },
    ...{ stakeMatched: ZERO, winningsMatched: ZERO, stakeUnmatched: money(10e6), stakeVoided: ZERO },
    ...change,
  };
}

/** Changes of a report by which the order has ended. */
export const CANCELLED = { status: 'Cancelled', stakeUnmatched: ZERO, stakeVoided: money(10e6) } as const;

export function at(ms: number): Instant {
  return instant(START + ms);
}
