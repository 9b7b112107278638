/** One simulated life of a bot at BetDEX: a seed, the exchange and its crowd, everything that goes wrong, and the end. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import { betdexConnection } from './betdex-connection.ts';
import { BotLife } from './bot-life.ts';
import { ClockKeeper } from './clock-keeper.ts';
import { atRest } from './convergence.ts';
import { NO_FAULTS } from './fault-plan.ts';
import { Weather, type WireTap } from './faulty-wire.ts';
import { LapseLaw } from './lapse-law.ts';
import { LawBook } from './law-book.ts';
import { MarketLife } from './market-life.ts';
import { OddDocuments } from './odd-documents.ts';
import { OddLaw } from './odd-law.ts';
import { type OpenParts, type OwnEnd, PlayedLife, RUN, START } from './played-life.ts';
import { PriceLaw } from './price-law.ts';
import { type OperatorAct, type Scenario, scenario } from './scenario.ts';
import { SimulatedExchange } from './simulated-exchange.ts';
import type { SimulatedLink } from './simulated-link.ts';
import type { SisterPlan } from './sister-plan.ts';
import { SisterRun } from './sister-run.ts';
import type { Played } from './story.ts';
import { StreamWeather } from './stream-weather.ts';
import { scheduleWorldFaults } from './world-faults.ts';

/** How soon the daemon sees that its two clocks disagree. */
const NOTICE_MS = 50;
/** After a start that was refused. */
const START_AGAIN_MS = 1_000;

export function simulate(seed: number, { isTold = false }: { readonly isTold?: boolean } = {}): Played {
  const random = Random.fromSeed(seed);
  return new Simulation({ scenario: scenario(seed, random.fork()), random, isTold }).play();
}

class Simulation extends PlayedLife<Scenario> {
  protected readonly exchange: SimulatedExchange;
  protected readonly markets: MarketLife;
  protected readonly laws: LawBook;
  protected readonly lapse: LapseLaw;
  readonly #weather: Weather;
  readonly #clocks: ClockKeeper;
  #skewMs: number;
  /** Of the process that lives. */
  #stream: SimulatedLink | undefined;
  #sister: SisterRun | undefined;

  constructor(parts: ConstructorParameters<typeof PlayedLife<Scenario>>[0]) {
    super(parts);
    const { scenario, random, time, story } = this;
    const { wallets, balance, accessTokenMs, life: plan, faults } = scenario;
    this.#skewMs = scenario.skewMs;
    const exchange = new SimulatedExchange({
      ...{ time, wallets, balance, accessTokenMs, commissionPercent: 2 },
      hasSister: scenario.sister !== undefined,
      onBug: (error) => this.failed(error),
    });
    this.exchange = exchange;
    this.markets = new MarketLife({ ...{ time, plan, exchange, story }, random: random.fork() });
    const odd = new OddDocuments({ time, exchange, story, plan: scenario.odd });
    const stream = new StreamWeather(scenario.seed, scenario.chaosMs);
    this.#weather = new Weather(faults, random.fork(), { stream, odd });
    const lawful = { exchange, scenario };
    this.laws = new LawBook({
      ...{ ...lawful, run: RUN, referencesIn, prices: new PriceLaw(scenario, exchange) },
      odd: (orders) => new OddLaw({ ...lawful, odd, story, orders }),
    });
    this.lapse = new LapseLaw({
      ...{ ...lawful, orders: this.laws.orders, now: START, story },
      fail: (law, what) => this.laws.fail(law, what),
    });
    this.#clocks = new ClockKeeper({
      ...{ time, story, random: random.fork(), tickMs: scenario.bot.tickMs },
      ...{ skewMs: () => this.#skewMs, life: () => this.life, operator: (kind) => this.act(kind) },
    });
  }

  protected befall(): void {
    const { time, scenario, story, markets } = this;
    scheduleWorldFaults({
      ...{ time, random: this.random.fork(), scenario, weather: this.#weather, life: markets, story, run: RUN },
      process: () => this.life?.process,
      resyncRequired: (process) =>
        process.later(NOTICE_MS, () => {
          if (this.life?.process === process) this.life.bot.requireResync('the clock was set, or the machine slept');
        }),
      setClock: (byMs) => {
        this.#skewMs += byMs;
      },
      stream: () => (this.life === undefined ? undefined : this.#stream),
    });
    for (const { afterMs, kind, meets } of scenario.acts) {
      time.at(START + afterMs, () => {
        if (meets === 'shut') markets.shut();
        if (meets === 'ignored') this.#weather.ignoreCancels(time.now());
        this.act(kind);
      });
    }
    if (scenario.sister !== undefined) this.#scheduleSister(scenario.sister);
    if (scenario.flattens)
      time.at(START + scenario.chaosMs - 1_500, () => {
        this.hush.isFlattening = true;
      });
  }

  /** Another run of the app, and what befalls this one meanwhile. */
  #scheduleSister({ acts, first }: SisterPlan): void {
    const { time, scenario, exchange, story } = this;
    this.#sister = new SisterRun({
      ...{ time, scenario, exchange, weather: this.#weather },
      ...{ eventIds: this.markets.eventIds, story, random: this.random.fork() },
      isHeld: () => this.life !== undefined,
      failed: (law, what) => this.laws.fail(law, what),
    });
    this.#sister.schedule(acts);
    time.at(START + first.afterMs, () => {
      const process = this.life?.process;
      story.count(`first run: ${first.kind}`);
      if (first.kind === 'pause') process?.stall(first.forMs);
      if (first.kind !== 'kill') return;
      this.deadUntil = time.now() + first.forMs;
      process?.kill();
    });
  }

  /** On one machine the second run of an app is refused while the other is there; an operator starts it again. */
  protected override mayBegin(): boolean {
    if (this.#sister?.isAlive !== true) return true;
    this.story.count('first run refused');
    this.time.at(this.time.now() + START_AGAIN_MS, () => this.begin());
    return false;
  }

  protected open({ number, kill }: OpenParts): BotLife {
    const { time, scenario, exchange, story, hush, journal } = this;
    const random = this.random.fork();
    const connection = {
      ...{ run: RUN, time, scenario, exchange, weather: this.#weather, story },
      ...{ eventIds: this.markets.eventIds, wallets: exchange.wallets, tap: this.#wireTap(() => life) },
    };
    const life: BotLife = new BotLife({
      ...{ number, run: RUN, time, scenario, exchange, kill, skewMs: this.#skewMs, random },
      ...{ story, hush, journal, walletIds: exchange.idsOf(exchange.wallets) },
      connect: (connecting) => {
        const connected = betdexConnection(connection, connecting);
        this.#stream = connected.stream;
        return connected;
      },
      beforeInput: () => this.#clocks.beforeInput(),
      tap: {
        appended: (_, record) => this.laws.appended(record, life),
        committed: (records) => this.laws.committed(this.memory.remembered(records)),
        ...this.kills(),
      },
    });
    return life;
  }

  protected override began(life: BotLife): void {
    this.#clocks.began(life);
  }

  #wireTap(living: () => BotLife): WireTap {
    return {
      leaving: (operation, request) => this.#leaving(living(), operation, request),
      left: (operation) => {
        if (operation !== 'listOrders') this.dieAtSending(living(), 'after', operation);
      },
      carriedOut: (operation, request, { status }) => this.laws.carriedOut(operation, request, status),
      heard: (operation, request, reply, made) => {
        this.laws.heard(operation, request, reply, made);
        this.lapse.heard(operation, reply, this.time.now());
      },
      ignored: (request) => this.laws.ignored(request),
      toldFalsely: (orders) => this.laws.toldFalsely(orders),
    };
  }

  #leaving(life: BotLife, operation: Operation, request: WireRequest): void {
    if (operation === 'createOrders') this.#placing(life, request);
    if (request.method === 'GET') return;
    this.sendings += 1;
    this.dieAtSending(life, 'before', operation);
    if (operation === 'cancelOrders' && life.process.isAlive && life.status().trading === 'halted')
      this.story.count('cancelled while halted');
  }

  #placing(life: BotLife, request: WireRequest): void {
    this.laws.placing(life, request);
    const broken = this.#clocks.broken(life);
    if (broken !== undefined) this.laws.fail('no order by a wrong clock', broken);
  }

  protected override spoken(life: BotLife, kind: OperatorAct['kind']): void {
    this.#clocks.spoken(life, kind);
  }

  protected override looked(life: BotLife | undefined): void {
    this.#clocks.after(life);
    this.#sister?.after();
  }

  protected override lookedAtAll(now: number): void {
    this.#sister?.look(now);
  }

  protected override died(): void {
    this.#weather.odd.died(this.laws.orders);
  }

  protected calmed(): void {
    this.#clocks.isCalm = true;
    this.#weather.plan = { ...NO_FAULTS, delayMs: this.#weather.plan.delayMs };
    this.#weather.calm();
    this.markets.calm();
    this.#sister?.act('kill');
  }

  protected ownEnd(): OwnEnd {
    return {
      differences: () => atRest(this.life, this.exchange, this.laws),
      heal: () => this.#weather.odd.heal(),
      sister: this.#sister,
    };
  }

  protected closed(): void {
    this.#sister?.close();
  }
}

function referencesIn({ body = '{}' }: WireRequest): readonly string[] {
  const { requests = [] }: { readonly requests?: readonly { readonly reference: string }[] } = JSON.parse(body);
  return requests.map(({ reference }) => reference);
}
