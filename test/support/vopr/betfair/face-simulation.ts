/** One simulated life of a bot at Betfair: a seed, the exchange and its crowd, everything that goes wrong, and the end. */

import { Random } from '../../../../src/core/number/random.ts';
import type { WireReply, WireRequest } from '../../../../src/exchange-live/connection/transport.ts';
import { SimulatedClock } from '../../../../src/time/simulated-clock.ts';
import { BotLife } from '../bot-life.ts';
import type { Hush } from '../bot-strategies.ts';
import { playEnd } from '../calm-end.ts';
import { CompactedMemory } from '../compacted-memory.ts';
import { brokenEnd } from '../end-law.ts';
import { LapseLaw } from '../lapse-law.ts';
import { LawBook } from '../law-book.ts';
import { MarketLife } from '../market-life.ts';
import { type Played, Story } from '../story.ts';
import { withErrorsTold } from '../unhandled-errors.ts';
import { accountDifferences, JournalledResults } from './account-law.ts';
import { faceConnection } from './face-connection.ts';
import { FaceExchange } from './face-exchange.ts';
import type { FaceLine } from './face-line.ts';
import { FaceMoves } from './face-moves.ts';
import { type FaceScenario, faceScenario, isBanned, isStreamed } from './face-scenario.ts';
import { scheduleTroubles } from './face-troubles.ts';
import { FaceWeather } from './face-weather.ts';
import type { FaceTap } from './face-wire.ts';
import { NamedLaw } from './named-law.ts';
import { inPennies } from './penny-strategies.ts';
import { ToldLaw } from './told-law.ts';

const START = Date.UTC(2026, 2, 24, 12);
const RUN = 'vopr';
const LOOK_MS = 250;
const LOOK_AT_ALL_MS = 1_000;
/** A banned client waits for twenty minutes, and a process that was started again meanwhile may do so once more. */
const BANNED_MS = 45 * 60_000;
const SENDINGS: ReadonlySet<string> = new Set(['placeOrders', 'cancelOrders', 'heartbeat']);

export function simulateBetfair(seed: number, options: { readonly isTold?: boolean } = {}): Played {
  const simulation = new FaceSimulation(seed, options.isTold === true);
  return withErrorsTold(
    (error) => simulation.failed(error),
    () => simulation.play(),
  );
}

class FaceSimulation {
  readonly #scenario: FaceScenario;
  readonly #random: Random;
  readonly #time = new SimulatedClock(START);
  readonly #story: Story;
  readonly #exchange: FaceExchange;
  readonly #markets: MarketLife;
  readonly #weather: FaceWeather;
  readonly #laws: LawBook;
  readonly #told: ToldLaw;
  readonly #named: NamedLaw;
  readonly #lapse: LapseLaw;
  readonly #results = new JournalledResults();
  readonly #hush: Hush = { isOn: false, isFlattening: false };
  readonly #memory = new CompactedMemory({
    run: RUN,
    onCompacted: () => this.#story.count('started from a compacted journal'),
    onForgotten: (what) => this.#laws.fail('the journal forgets nothing', what),
  });
  #journal = this.#memory.open();
  #life: BotLife | undefined;
  #line: FaceLine | undefined;
  #lives = 0;
  #sendings = 0;
  #lookedAt = START;
  #isCalm = false;
  #isStopping = false;
  /** All open orders were read for a comparison, and the funds were not yet. */
  #isComparing = false;

  constructor(seed: number, isTold: boolean) {
    this.#random = Random.fromSeed(seed);
    this.#scenario = faceScenario(seed);
    const [time, scenario, random] = [this.#time, this.#scenario, this.#random];
    const story = new Story({ now: () => time.now(), isTold });
    this.#story = story;
    const { balance, sessionMs, life: plan } = scenario;
    const exchange = new FaceExchange({ time, balance, sessionMs, onBug: (error) => this.failed(error) });
    this.#exchange = exchange;
    const moves = new FaceMoves({ exchange, random: random.fork(), story });
    this.#markets = new MarketLife({ ...{ time, plan, exchange, story, moves }, random: random.fork() });
    this.#weather = new FaceWeather(scenario.faults, random.fork());
    this.#laws = new LawBook({ exchange, scenario, run: RUN, referencesIn });
    this.#told = new ToldLaw(scenario);
    this.#named = new NamedLaw(exchange);
    this.#lapse = new LapseLaw({
      ...{ exchange, scenario, orders: this.#laws.orders, now: START, story },
      fail: (law, what) => this.#laws.fail(law, what),
    });
    exchange.world.listen((_, events) => {
      if (events.some((event) => event.kind === 'orderChanged' && event.reason === 'HeartbeatLapsed'))
        story.count('heartbeat lapsed over orders');
      const unnamed = this.#named.broken(events);
      if (unnamed !== undefined) this.#laws.fail('only what is named is cancelled', unnamed);
    });
  }

  failed(error: unknown): void {
    this.#laws.fail('nothing throws', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  play(): Played {
    const { chaosMs } = this.#scenario;
    this.#story.tell(() => JSON.stringify(this.#scenario));
    this.#story.count(isStreamed(this.#scenario) ? 'life streamed' : 'life polled');
    this.#markets.start();
    this.#begin();
    const parts = {
      ...{ time: this.#time, scenario: this.#scenario, exchange: this.#exchange, weather: this.#weather },
      ...{ life: this.#markets, story: this.#story, run: RUN },
    };
    const living = { process: () => this.#life?.process, line: () => this.#living(this.#line) };
    scheduleTroubles({ ...parts, ...living }, this.#random.fork());
    for (const { afterMs, kind } of this.#scenario.acts) this.#time.at(START + afterMs, () => this.#act(kind));
    this.#runUntil(START + chaosMs);
    if (!this.#isOver) this.#calm();
    if (!this.#isOver) this.#laws.conserved();
    const { head, records } = this.#journal;
    this.#life?.bury();
    this.#laws.orders.stop();
    this.#exchange.stream.close();
    this.#exchange.context.stop();
    this.#memory.close();
    return {
      ...{ seed: this.#scenario.seed, violation: this.#laws.first, head, records, counts: this.#story.counts },
      ...{ simulatedMs: this.#time.now() - START, lines: this.#story.lines },
    };
  }

  get #isOver(): boolean {
    return this.#laws.first !== undefined;
  }

  /** Nothing while no process lives. */
  #living<T>(thing: T | undefined): T | undefined {
    return this.#life?.process.isAlive === true ? thing : undefined;
  }

  /** A new process: the first, or the next after a death. */
  #begin(): void {
    this.#lives += 1;
    this.#sendings = 0;
    this.#isComparing = false;
    this.#lapse.began(this.#time.now());
    if (this.#lives > 1) this.#journal = this.#memory.open();
    const kill = this.#isCalm ? undefined : this.#scenario.kills[this.#lives - 1];
    const [number, time, scenario, exchange] = [this.#lives, this.#time, this.#scenario, this.#exchange];
    this.#story.tell(() => `## process ${number} starts${kill === undefined ? '' : `, kill: ${JSON.stringify(kill)}`}`);
    const way = { run: RUN, time, scenario, exchange, weather: this.#weather, story: this.#story };
    const tap = this.#wireTap(() => life);
    const life: BotLife = new BotLife({
      ...{ ...way, number, kill, hush: this.#hush, journal: this.#journal, skewMs: scenario.skewMs },
      ...{ walletIds: ['main'], fitted: inPennies, random: this.#random.fork() },
      connect: (connecting) => {
        const connected = faceConnection({ ...way, tap }, connecting);
        this.#line = connected.line;
        return connected;
      },
      tap: {
        appended: (_, record) => {
          this.#laws.appended(record, life);
          const broken = record.kind === 'sent' ? this.#told.broken(record.market, time.now()) : undefined;
          if (broken !== undefined) this.#laws.fail('prices are fresh', broken);
        },
        committed: (records) => {
          for (const record of this.#memory.remembered(records)) this.#results.note(record);
          this.#laws.committed(records.map(({ record }) => record));
        },
        mayKill: () => !this.#isCalm,
        killedAt: (record) => this.#story.count(`killed at ${record}`),
      },
    });
    this.#life = life;
    life.start();
    this.#laws.began(life);
    if (kill?.kind !== 'time') return;
    time.at(time.now() + kill.afterMs, () => {
      if (!life.process.isAlive || this.#isCalm) return;
      life.process.kill();
      this.#story.count('killed at a time');
    });
  }

  #wireTap(living: () => BotLife): FaceTap & { heardLine(line: string, sentAt: number): void } {
    return {
      leaving: (operation, request) => {
        if (operation === 'placeOrders') this.#laws.placing(living(), request);
        this.#named.leaving(operation, request);
        if (!SENDINGS.has(operation)) return;
        this.#sendings += 1;
        this.#dieAtSending(living(), 'before', operation);
      },
      left: (operation) => {
        if (SENDINGS.has(operation)) this.#dieAtSending(living(), 'after', operation);
      },
      heard: (operation, request, reply, madeAt) => this.#heard(operation, request, { reply, madeAt }),
      heardLine: (line, sentAt) => {
        this.#told.heardLine(line, sentAt);
        if (line.includes('"op":"ocm"')) this.#lapse.heardOf('orders', this.#time.now());
        if (line.includes('"op":"mcm"')) this.#lapse.heardOf('prices', this.#time.now());
      },
    };
  }

  #heard(
    operation: string,
    request: WireRequest,
    { reply, madeAt }: { readonly reply: WireReply; readonly madeAt: number | undefined },
  ): void {
    const now = this.#time.now();
    if (reply.kind !== 'reply' || reply.status !== 200) return;
    this.#told.heard(operation, request, reply, madeAt ?? now);
    if (reply.body.includes('"error"')) {
      const isRefused = reply.body.includes('NO_SESSION') || reply.body.includes('INVALID_SESSION_INFORMATION');
      if (operation === 'placeOrders' && isRefused) this.#laws.unauthorised(request);
      return;
    }
    if (operation === 'listMarketBook' || operation === 'listMarketCatalogue') this.#lapse.heardOf('prices', now);
    if (operation === 'listCurrentOrders') {
      this.#lapse.heardOf('orders', now);
      if (isOfAll(request)) this.#isComparing = true;
    }
    if (operation === 'getAccountFunds' && this.#isComparing) this.#laws.booksRead();
  }

  #dieAtSending(life: BotLife, when: 'before' | 'after', operation: string): void {
    const kill = this.#isCalm ? undefined : this.#scenario.kills[life.process.number - 1];
    if (kill?.kind !== 'sending' || kill.when !== when || kill.nth !== this.#sendings || !life.process.isAlive) return;
    life.process.kill();
    this.#story.count(`killed ${when} ${operation}`);
    this.#story.tell(() => `## killed ${when} ${operation}`);
  }

  #act(kind: 'halt' | 'reduceOnly' | 'resume'): void {
    const life = this.#life;
    if (life?.isRunning !== true || !life.process.isAlive || life.outcome !== undefined) return;
    this.#story.count(`operator ${kind}`);
    this.#story.tell(() => `## the operator says ${kind}`);
    life.process.later(0, () => life.bot[kind]('command', 'the operator wants it'));
  }

  #runUntil(limit: number, isDone?: () => boolean): void {
    const time = this.#time;
    let askedAt = time.now();
    while (!this.#isOver && time.nextDue <= limit) {
      time.runNext();
      this.#after();
      if (isDone === undefined || time.now() - askedAt < LOOK_MS) continue;
      askedAt = time.now();
      if (isDone()) return;
    }
    if (!this.#isOver) time.runUntil(limit);
  }

  #after(): void {
    const life = this.#life;
    this.#laws.look(life);
    const now = this.#time.now();
    if (now - this.#lookedAt >= LOOK_AT_ALL_MS) {
      this.#lookedAt = now;
      this.#laws.lookAtAll(life);
      this.#lapse.look(now, 0);
      if (life?.process.isAlive === true) {
        const { phase, heartbeat, trading } = life.status();
        for (const state of [`phase ${phase}`, `heartbeat ${heartbeat}`, `trading ${trading}`])
          this.#story.count(state);
      }
    }
    if (life === undefined) return;
    if (!life.process.isAlive) return this.#bury(life);
    if (life.outcome === undefined || (life.outcome === 'ended' && this.#isStopping)) return;
    if (typeof life.outcome === 'object') this.failed(life.outcome.error);
    else this.#laws.fail('nothing throws', 'the bot ended by itself');
  }

  #bury(life: BotLife): void {
    life.bury();
    this.#life = undefined;
    this.#told.died();
    this.#laws.died();
    this.#story.count('world kill');
    const pauseMs = this.#random.chance(0.2) ? 8_000 + this.#random.below(9_000) : 50 + this.#random.below(2_500);
    this.#time.at(this.#time.now() + pauseMs, () => this.#begin());
  }

  /** Faults end; markets stay open. */
  #calm(): void {
    this.#isCalm = true;
    this.#story.tell(() => '## all faults are over');
    this.#weather.calm();
    this.#exchange.faults.clearAll();
    this.#living(this.#line)?.release();
    this.#markets.calm();
    const lawful = { scenario: this.#scenario, exchange: this.#exchange, laws: this.#laws };
    playEnd({
      ...{ ...lawful, time: this.#time, markets: this.#markets, story: this.#story, hush: this.#hush },
      ...(isBanned(this.#scenario) && { waitsMs: BANNED_MS }),
      differences: () => accountDifferences(this.#life, { ...lawful, results: this.#results }),
      brokenEnd: (life) => brokenEnd({ ...lawful, life }),
      life: () => this.#life,
      resume: () => this.#act('resume'),
      runUntil: (limit, isDone) => this.#runUntil(limit, isDone),
      stopping: () => {
        this.#isStopping = true;
      },
    });
  }
}

function referencesIn({ body = '{}' }: WireRequest): readonly string[] {
  const instructions: readonly { readonly customerOrderRef?: string }[] = JSON.parse(body).params?.instructions ?? [];
  return instructions.flatMap(({ customerOrderRef }) => customerOrderRef ?? []);
}

/** All orders without a result, as a comparison of the books reads them. */
function isOfAll({ body = '{}' }: WireRequest): boolean {
  const { orderProjection, betIds, customerOrderRefs, marketIds } = JSON.parse(body).params ?? {};
  return (
    orderProjection === 'ALL' && betIds === undefined && customerOrderRefs === undefined && marketIds === undefined
  );
}
