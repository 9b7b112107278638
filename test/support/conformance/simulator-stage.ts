/**
 * The in-process exchange as a stage. The crowd is a tape that is written while it plays, so that others trade as a test says.
 */

import { NO_TICK } from '../../../src/core/number/ladder.ts';
import { Random } from '../../../src/core/number/random.ts';
import { instant, moneyToDecimal } from '../../../src/core/number/units.ts';
import { AGAINST, opposite, sideIndex } from '../../../src/core/side.ts';
import type { FeedMessage } from '../../../src/exchange/gateway.ts';
import { DEFINITION, LEVEL } from '../../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../../src/recording/tape/definition.ts';
import { Playback } from '../../../src/simulator/gateway/playback.ts';
import { SimulatedGateway } from '../../../src/simulator/gateway/simulated-gateway.ts';
import { fillRulesOf } from '../../../src/simulator/overlay/fill-rules.ts';
import type { RecordedMarket } from '../../../src/simulator/replay/played-market.ts';
import { RecordedMarkets } from '../../../src/simulator/replay/recorded-markets.ts';
import { ReplayExchange } from '../../../src/simulator/replay/replay-exchange.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { madeDefinition, madeFacts } from '../made-market.ts';
import { pendingOf } from '../pending-update.ts';
import { at, type Level, type MarketControl, type MarketTerms, type Stage, units } from './stage.ts';

const START = Date.UTC(2026, 2, 24, 14);
const BALANCE = 1_000;
const COMMISSION = 5;
const LATENCY_MS = 10;
const LAPSE_MS = 10_000;
/** A condition that does not hold within this much simulated time, ms, counts as failed. */
const PATIENCE_MS = 120_000;

interface SimulatorStageOptions {
  readonly pollEveryMs?: number;
  readonly lapseBlocks?: boolean;
}

export function simulatorStage(options: SimulatorStageOptions = {}): () => Promise<Stage> {
  return async () => new SimulatorStage(options);
}

class SimulatorStage implements Stage {
  readonly gateway: SimulatedGateway;
  readonly said: FeedMessage[] = [];
  readonly balance = BALANCE;
  readonly commission = COMMISSION;
  readonly wire = undefined;
  readonly clock = new SimulatedClock(START);
  readonly replay: ReplayExchange;
  readonly playback: Playback;
  readonly lapseBlocks: boolean;
  readonly #starts: (() => void)[] = [];
  #markets = 0;

  constructor({ lapseBlocks = true, ...feed }: SimulatorStageOptions) {
    this.lapseBlocks = lapseBlocks;
    this.replay = new ReplayExchange({
      at: instant(START),
      fillRules: fillRulesOf('central'),
      listener: { filled: () => {} },
      rules: { lapseBlocks },
      wallets: [units(BALANCE)],
    });
    const still = { kind: 'fixed', ms: LATENCY_MS / 2 } as const;
    this.gateway = new SimulatedGateway({
      clock: this.clock,
      replay: this.replay,
      latency: { request: still, response: still },
      random: Random.fromSeed(1),
      wallets: 1,
      onOrderEnd: () => {},
      onMarketEnd: () => {},
      ...feed,
    });
    this.playback = new Playback(new RecordedMarkets({ life: { crossMatching: false } }, [this.replay]), [
      this.gateway,
    ]);
  }

  async market(terms: Partial<MarketTerms> = {}): Promise<MarketControl> {
    const market = new TapeMarket(this, this.#markets, { ...DEFAULT_TERMS, ...terms });
    this.#markets += 1;
    this.#starts.push(() => market.start());
    return market;
  }

  listen(): void {
    this.gateway.feed$.subscribe((message) => this.said.push(message));
    this.gateway.start();
    for (const start of this.#starts) start();
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    const limit = this.clock.now() + PATIENCE_MS;
    while (!condition()) {
      if (this.clock.nextDue > limit) throw new Error(`no ${what} after ${PATIENCE_MS} simulated ms`);
      this.clock.runNext();
    }
  }

  async pass(ms: number): Promise<void> {
    this.clock.runUntil(this.clock.now() + ms);
  }

  async lapse(): Promise<void> {
    this.gateway.heartbeat(LAPSE_MS).subscribe();
    await this.pass(LATENCY_MS + LAPSE_MS + 1);
  }

  /** Fails if the exchange's accounts do not balance. */
  async close(): Promise<void> {
    const broken = this.replay.exchange.brokenLaws();
    if (broken.length > 0) throw new Error(broken.join('; '));
  }
}

const DEFAULT_TERMS: MarketTerms = { outcomes: 2, inPlayDelayMs: 0, cancelsAtStart: true };

interface TapeEvent {
  readonly kind: number;
  readonly outcome: number;
  readonly side: number;
  readonly tick: number;
  readonly amount: number;
}

class TapeMarket implements MarketControl {
  readonly id: string;
  readonly #stage: SimulatorStage;
  readonly #index: number;
  readonly #terms: MarketTerms;
  readonly #definitions: RecordedDefinition[];
  /** The crowd's stake by level, since a tape's levels are absolute. */
  readonly #crowd = new Map<string, number>();
  #played = 0;
  /** The number of updates is unknown until the tape ends: until then, it is one more than were played. */
  #updates = Number.POSITIVE_INFINITY;

  constructor(stage: SimulatorStage, index: number, terms: MarketTerms) {
    this.id = `1.${index + 1}`;
    this.#stage = stage;
    this.#index = index;
    this.#terms = terms;
    this.#definitions = [
      madeDefinition(terms.outcomes, {
        ...{ inPlayDelayMs: terms.inPlayDelayMs, commissionPpm: COMMISSION * 10_000 },
        eventStartAction: terms.cancelsAtStart ? 'CancelUnmatchedLiquidity' : 'None',
      }),
    ];
  }

  start(): void {
    this.#play([{ ...NOTHING, kind: DEFINITION, amount: 0 }]);
  }

  async rest(level: Level): Promise<void> {
    this.#setCrowd(level, this.#crowdAt(level) + level.stake);
  }

  /** Stake that crosses our orders fills them; the rest of it is removed again. */
  async take({ outcome, side, price, stake }: Level): Promise<void> {
    const crossing = { outcome, side: opposite(side), price };
    this.#setCrowd(crossing, stake);
    this.#setCrowd(crossing, 0);
  }

  async clear(level: Omit<Level, 'stake'>): Promise<void> {
    this.#setCrowd(level, 0);
  }

  async suspend(suspended: boolean): Promise<void> {
    this.#define({ suspended });
  }

  async goInPlay(): Promise<void> {
    this.#define({ inPlayStatus: 'InPlay' });
  }

  async settle(...winners: readonly number[]): Promise<void> {
    const outcomes = Array.from({ length: this.#terms.outcomes }, (_, outcome) => ({
      status: winners.includes(outcome) ? ('Winner' as const) : ('Loser' as const),
    }));
    this.#define({ status: 'Settled', outcomes });
  }

  async void(): Promise<void> {
    this.#define({ status: 'Voided' });
  }

  /** A tape that ends closes its market. */
  async close(): Promise<void> {
    this.#updates = this.#played + 1;
    this.#play([]);
  }

  amountAt({ outcome, side, price }: Omit<Level, 'stake'>): number {
    const market = this.#stage.replay.market(this.#index);
    return moneyToDecimal(market?.amountAt(outcome, sideIndex(side), at(price)) ?? units(0));
  }

  #crowdAt({ outcome, side, price }: Omit<Level, 'stake'>): number {
    return this.#crowd.get(`${outcome} ${side} ${price}`) ?? 0;
  }

  #setCrowd(level: Omit<Level, 'stake'>, stake: number): void {
    const { outcome, side, price } = level;
    this.#crowd.set(`${outcome} ${side} ${price}`, stake);
    this.#play([{ kind: LEVEL, outcome, side: sideIndex(side), tick: at(price), amount: units(stake) }]);
  }

  #define(change: Partial<RecordedDefinition>): void {
    this.#definitions.push({ ...(this.#definitions.at(-1) as RecordedDefinition), ...change });
    this.#play([{ ...NOTHING, kind: DEFINITION, amount: this.#definitions.length - 1 }]);
  }

  #recorded(): RecordedMarket {
    const facts = madeFacts(this.id, this.#terms.outcomes);
    // Betfair's, whose orders can be reduced.
    return { grade: 'A', updates: this.#updates, definitions: this.#definitions, facts, exchange: 'betfair' };
  }

  #play(events: readonly TapeEvent[]): void {
    const { clock, playback } = this.#stage;
    const publishedAt = instant(clock.now() + 1);
    const sequence = this.#played;
    this.#played += 1;
    const update = pendingOf({
      ...{ market: this.#index, sequence, publishedAt, receivedAt: publishedAt, count: events.length },
      kind: Uint8Array.from(events, ({ kind }) => kind),
      outcome: Uint16Array.from(events, ({ outcome }) => outcome),
      side: Uint8Array.from(events, ({ side }) => side),
      tick: Int16Array.from(events, ({ tick }) => tick),
      amount: Float64Array.from(events, ({ amount }) => amount),
    });
    playback.play(this.#index, this.#recorded(), update);
  }
}

const NOTHING: TapeEvent = { kind: DEFINITION, outcome: 0, side: AGAINST, tick: NO_TICK, amount: 0 };
