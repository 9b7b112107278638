/** One simulated life of a bot: a seed, the exchange and its crowd, everything that goes wrong, and the end. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { betdexConnection } from './betdex-connection.ts';
import { BotLife } from './bot-life.ts';
import type { Hush } from './bot-strategies.ts';
import { playEnd } from './calm-end.ts';
import { ClockKeeper } from './clock-keeper.ts';
import { CompactedMemory } from './compacted-memory.ts';
import { atRest } from './convergence.ts';
import { brokenEnd } from './end-law.ts';
import { NO_FAULTS } from './fault-plan.ts';
import { Weather, type WireTap } from './faulty-wire.ts';
import { LapseLaw } from './lapse-law.ts';
import { LawBook } from './law-book.ts';
import { MarketLife } from './market-life.ts';
import { OddDocuments } from './odd-documents.ts';
import { OddLaw } from './odd-law.ts';
import { PriceLaw } from './price-law.ts';
import { type Scenario, scenario } from './scenario.ts';
import { SimulatedExchange } from './simulated-exchange.ts';
import type { SimulatedLink } from './simulated-link.ts';
import type { SisterPlan } from './sister-plan.ts';
import { SisterRun } from './sister-run.ts';
import { type Played, Story } from './story.ts';
import { StreamWeather } from './stream-weather.ts';
import { withErrorsTold } from './unhandled-errors.ts';
import { scheduleWorldFaults } from './world-faults.ts';

const START = Date.UTC(2026, 2, 24, 12);
const RUN = 'vopr';
/** How soon the daemon sees that its two clocks disagree. */
const NOTICE_MS = 50;
/** After a start that was refused. */
const START_AGAIN_MS = 1_000;
const LOOK_MS = 250;
const LOOK_AT_ALL_MS = 1_000;

export function simulate(seed: number, options: { readonly isTold?: boolean } = {}): Played {
  const simulation = new Simulation(seed, options.isTold === true);
  return withErrorsTold(
    (error) => simulation.failed(error),
    () => simulation.play(),
  );
}

class Simulation {
  readonly #scenario: Scenario;
  readonly #random: Random;
  readonly #time = new SimulatedClock(START);
  readonly #story: Story;
  readonly #exchange: SimulatedExchange;
  readonly #markets: MarketLife;
  readonly #weather: Weather;
  readonly #laws: LawBook;
  readonly #hush: Hush = { isOn: false, isFlattening: false };
  #skewMs = 0;
  readonly #memory = new CompactedMemory({
    run: RUN,
    onCompacted: () => this.#story.count('started from a compacted journal'),
    onForgotten: (what) => this.#laws.fail('the journal forgets nothing', what),
  });
  #journal = this.#memory.open();
  #life: BotLife | undefined;
  /** Of the process that lives. */
  #stream: SimulatedLink | undefined;
  #lives = 0;
  #sendings = 0;
  #lookedAt = START;
  #isCalm = false;
  /** No process is started before. */
  #deadUntil = START;
  #isStopping = false;
  readonly #lapse: LapseLaw;
  readonly #clocks: ClockKeeper;
  #sister: SisterRun | undefined;

  constructor(seed: number, isTold: boolean) {
    this.#random = Random.fromSeed(seed);
    this.#scenario = scenario(seed, this.#random.fork());
    const time = this.#time;
    this.#story = new Story({ now: () => time.now(), isTold });
    const { wallets, balance, accessTokenMs, life: plan, faults } = this.#scenario;
    this.#exchange = new SimulatedExchange({
      ...{ time, wallets, balance, accessTokenMs, commissionPercent: 2 },
      hasSister: this.#scenario.sister !== undefined,
      onBug: (error) => this.failed(error),
    });
    const [random, exchange, story] = [this.#random, this.#exchange, this.#story];
    this.#markets = new MarketLife({ ...{ time, plan, exchange, story }, random: random.fork() });
    const odd = new OddDocuments({ time, exchange, story, plan: this.#scenario.odd });
    const stream = new StreamWeather(seed, this.#scenario.chaosMs);
    this.#weather = new Weather(faults, random.fork(), { stream, odd });
    const lawful = { exchange, scenario: this.#scenario };
    this.#laws = new LawBook({
      ...{ ...lawful, run: RUN, referencesIn, prices: new PriceLaw(this.#scenario, exchange) },
      odd: (orders) => new OddLaw({ ...lawful, odd, story, orders }),
    });
    const { orders } = this.#laws;
    this.#lapse = new LapseLaw({
      ...{ exchange: this.#exchange, scenario: this.#scenario, orders, now: START, story },
      fail: (law, what) => this.#laws.fail(law, what),
    });
    this.#clocks = new ClockKeeper({
      ...{ time, story, random: random.fork(), tickMs: this.#scenario.bot.tickMs },
      ...{ skewMs: () => this.#skewMs, life: () => this.#life, operator: (kind) => this.#act(kind) },
    });
  }

  failed(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#laws.fail('nothing throws', text);
  }

  play(): Played {
    const { chaosMs } = this.#scenario;
    this.#story.tell(() => JSON.stringify(this.#scenario));
    this.#markets.start();
    this.#skewMs = this.#scenario.skewMs;
    this.#begin();
    scheduleWorldFaults({
      ...{ time: this.#time, random: this.#random.fork(), scenario: this.#scenario, weather: this.#weather },
      ...{ life: this.#markets, story: this.#story, run: RUN },
      process: () => this.#life?.process,
      resyncRequired: (process) =>
        process.later(NOTICE_MS, () => {
          if (this.#life?.process === process) this.#life.bot.requireResync('the clock was set, or the machine slept');
        }),
      setClock: (byMs) => {
        this.#skewMs += byMs;
      },
      stream: () => (this.#life === undefined ? undefined : this.#stream),
    });
    for (const { afterMs, kind, meets } of this.#scenario.acts) {
      this.#time.at(START + afterMs, () => {
        if (meets === 'shut') this.#markets.shut();
        if (meets === 'ignored') this.#weather.ignoreCancels(this.#time.now());
        this.#act(kind);
      });
    }
    if (this.#scenario.sister !== undefined) this.#scheduleSister(this.#scenario.sister);
    if (this.#scenario.flattens)
      this.#time.at(START + chaosMs - 1_500, () => {
        this.#hush.isFlattening = true;
      });
    this.#runUntil(START + chaosMs);
    this.#hush.isFlattening = false;
    if (!this.#isOver) this.#calm();
    if (!this.#isOver) this.#laws.conserved();
    const { head, records } = this.#journal;
    const played = {
      ...{ seed: this.#scenario.seed, violation: this.#laws.first, head, records, counts: this.#story.counts },
      ...{ simulatedMs: this.#time.now() - START, lines: this.#story.lines },
    };
    this.#life?.bury();
    this.#sister?.close();
    this.#laws.orders.stop();
    this.#exchange.context.stop();
    this.#memory.close();
    return played;
  }

  /** Another run of the app, and what befalls this one meanwhile. */
  #scheduleSister({ acts, first }: SisterPlan): void {
    this.#sister = new SisterRun({
      ...{ time: this.#time, scenario: this.#scenario, exchange: this.#exchange, weather: this.#weather },
      ...{ eventIds: this.#markets.eventIds, story: this.#story, random: this.#random.fork() },
      isHeld: () => this.#life !== undefined,
      failed: (law, what) => this.#laws.fail(law, what),
    });
    this.#sister.schedule(acts);
    this.#time.at(START + first.afterMs, () => {
      const process = this.#life?.process;
      this.#story.count(`first run: ${first.kind}`);
      if (first.kind === 'pause') process?.stall(first.forMs);
      if (first.kind !== 'kill') return;
      this.#deadUntil = this.#time.now() + first.forMs;
      process?.kill();
    });
  }

  get #isOver(): boolean {
    return this.#laws.first !== undefined;
  }

  /** A new process: the first, or the next after a death. */
  #begin(): void {
    // On one machine the second run of an app is refused while the other is there; an operator starts it again.
    if (this.#sister?.isAlive === true) {
      this.#story.count('first run refused');
      return this.#time.at(this.#time.now() + START_AGAIN_MS, () => this.#begin());
    }
    this.#lives += 1;
    this.#sendings = 0;
    this.#lapse.began(this.#time.now());
    if (this.#lives > 1) this.#journal = this.#memory.open();
    const kill = this.#isCalm ? undefined : this.#scenario.kills[this.#lives - 1];
    const skewMs = this.#skewMs;
    const number = this.#lives;
    this.#story.tell(
      () => `## process ${number} starts${kill === undefined ? '' : `, to be killed: ${JSON.stringify(kill)}`}`,
    );
    const [exchange, random] = [this.#exchange, this.#random.fork()];
    const connection = {
      ...{ run: RUN, time: this.#time, scenario: this.#scenario, exchange, weather: this.#weather, story: this.#story },
      ...{ eventIds: this.#markets.eventIds, wallets: exchange.wallets, tap: this.#wireTap(() => life) },
    };
    const life: BotLife = new BotLife({
      ...{ number, run: RUN, time: this.#time, scenario: this.#scenario, exchange, kill, skewMs, random },
      ...{ story: this.#story, hush: this.#hush, journal: this.#journal, walletIds: exchange.idsOf(exchange.wallets) },
      connect: (connecting) => {
        const connected = betdexConnection(connection, connecting);
        this.#stream = connected.stream;
        return connected;
      },
      beforeInput: () => this.#clocks.beforeInput(),
      tap: {
        appended: (_, record) => this.#laws.appended(record, life),
        committed: (records) => this.#laws.committed(this.#memory.remembered(records)),
        mayKill: () => !this.#isCalm,
        killedAt: (record, when) => {
          this.#story.count(`killed at ${record}`);
          this.#story.tell(() => `## killed at ${record}, ${when}`);
        },
      },
    });
    this.#life = life;
    life.start();
    this.#laws.began(life);
    this.#clocks.began(life);
    if (kill?.kind === 'time')
      this.#time.at(this.#time.now() + kill.afterMs, () => {
        if (!life.process.isAlive || this.#isCalm) return;
        life.process.kill();
        this.#story.count('killed at a time');
      });
  }

  #wireTap(living: () => BotLife): WireTap {
    return {
      leaving: (operation, request) => this.#leaving(living(), operation, request),
      left: (operation) => this.#left(living(), operation),
      carriedOut: (operation, request, { status }) => this.#laws.carriedOut(operation, request, status),
      heard: (operation, request, reply, made) => {
        this.#laws.heard(operation, request, reply, made);
        this.#lapse.heard(operation, reply, this.#time.now());
      },
      ignored: (request) => this.#laws.ignored(request),
      toldFalsely: (orders) => this.#laws.toldFalsely(orders),
    };
  }

  #leaving(life: BotLife, operation: Operation, request: WireRequest): void {
    if (operation === 'createOrders') this.#placing(life, request);
    if (request.method === 'GET') return;
    this.#sendings += 1;
    this.#dieAtSending(life, 'before', operation);
    if (operation === 'cancelOrders' && life.process.isAlive && life.status().trading === 'halted')
      this.#story.count('cancelled while halted');
  }

  #placing(life: BotLife, request: WireRequest): void {
    this.#laws.placing(life, request);
    const broken = this.#clocks.broken(life);
    if (broken !== undefined) this.#laws.fail('no order by a wrong clock', broken);
  }

  #left(life: BotLife, operation: Operation): void {
    if (operation !== 'listOrders') this.#dieAtSending(life, 'after', operation);
  }

  #dieAtSending(life: BotLife, when: 'before' | 'after', operation: Operation): void {
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
    life.process.later(0, () => {
      this.#clocks.spoken(life, kind);
      life.bot[kind]('command', 'the operator wants it');
    });
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
    this.#laws.sleptMs = life?.process.sleptMs ?? 0;
    this.#laws.look(life);
    this.#clocks.after(life);
    const now = this.#time.now();
    if (now - this.#lookedAt >= LOOK_AT_ALL_MS) {
      this.#lookedAt = now;
      this.#laws.lookAtAll(life);
      // Law 6: a pipeline that receives nothing lets the heartbeat lapse, so that the exchange cancels.
      this.#lapse.look(now, life?.process.sleptMs ?? 0);
      this.#sister?.look(now);
      if (life?.process.isAlive === true) {
        const { phase, heartbeat, trading } = life.status();
        for (const state of [`phase ${phase}`, `heartbeat ${heartbeat}`, `trading ${trading}`])
          this.#story.count(state);
      }
    }
    this.#sister?.after();
    if (life === undefined) return;
    if (!life.process.isAlive) return this.#bury(life);
    if (life.outcome === undefined) return;
    if (life.outcome === 'ended' && this.#isStopping) return;
    if (life.outcome === 'refused') return this.#bury(life);
    if (life.outcome === 'ended') this.#laws.fail('nothing throws', 'the bot ended by itself');
    else this.failed(life.outcome.error);
  }

  #bury(life: BotLife): void {
    life.bury();
    this.#life = undefined;
    this.#weather.odd.died(this.#laws.orders);
    this.#laws.died();
    this.#story.count(life.outcome === 'refused' ? 'first run found the heartbeat owned' : 'world kill');
    const pauseMs = this.#random.chance(0.2) ? 8_000 + this.#random.below(9_000) : 50 + this.#random.below(2_500);
    const beginAt = Math.max(this.#deadUntil, this.#time.now() + pauseMs);
    this.#time.at(beginAt, () => this.#begin());
  }

  /** Faults end; markets stay open. */
  #calm(): void {
    this.#isCalm = true;
    this.#clocks.isCalm = true;
    this.#story.tell(() => '## all faults are over');
    this.#weather.plan = { ...NO_FAULTS, delayMs: this.#weather.plan.delayMs };
    this.#weather.calm();
    this.#markets.calm();
    this.#sister?.act('kill');
    const lawful = { scenario: this.#scenario, exchange: this.#exchange, laws: this.#laws };
    playEnd({
      ...{ time: this.#time, ...lawful, markets: this.#markets, story: this.#story, hush: this.#hush },
      differences: () => atRest(this.#life, this.#exchange, this.#laws),
      brokenEnd: (life) => brokenEnd({ ...lawful, life, sister: this.#sister }),
      heal: () => this.#weather.odd.heal(),
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
  const { requests = [] }: { readonly requests?: readonly { readonly reference: string }[] } = JSON.parse(body);
  return requests.map(({ reference }) => reference);
}
