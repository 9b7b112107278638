/** One simulated life of a bot at Betfair: a seed, the exchange and its crowd, everything that goes wrong, and the end. */

import { Random } from '../../../../src/core/number/random.ts';
import type { WireReply, WireRequest } from '../../../../src/exchange-live/connection/transport.ts';
import { BotLife } from '../bot-life.ts';
import { LapseLaw } from '../lapse-law.ts';
import { LawBook } from '../law-book.ts';
import type { Made } from '../lossy-wire.ts';
import { MarketLife } from '../market-life.ts';
import { type OpenParts, type OwnEnd, PlayedLife, RUN, START } from '../played-life.ts';
import type { Played } from '../story.ts';
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

/** A banned client waits for twenty minutes, and a process that was started again meanwhile may do so once more. */
const BANNED_MS = 45 * 60_000;
const SENDINGS: ReadonlySet<string> = new Set(['placeOrders', 'cancelOrders', 'heartbeat']);

export function simulateBetfair(seed: number, { isTold = false }: { readonly isTold?: boolean } = {}): Played {
  return new FaceSimulation({ scenario: faceScenario(seed), random: Random.fromSeed(seed), isTold }).play();
}

class FaceSimulation extends PlayedLife<FaceScenario> {
  protected readonly exchange: FaceExchange;
  protected readonly markets: MarketLife;
  protected readonly laws: LawBook;
  protected readonly lapse: LapseLaw;
  readonly #weather: FaceWeather;
  readonly #told: ToldLaw;
  readonly #named: NamedLaw;
  readonly #results = new JournalledResults();
  #line: FaceLine | undefined;
  /** All open orders were read for a comparison, and the funds were not yet. */
  #isComparing = false;

  constructor(parts: ConstructorParameters<typeof PlayedLife<FaceScenario>>[0]) {
    super(parts);
    const { time, scenario, random, story } = this;
    const { balance, sessionMs, life: plan } = scenario;
    const exchange = new FaceExchange({ time, balance, sessionMs, onBug: (error) => this.failed(error) });
    this.exchange = exchange;
    const moves = new FaceMoves({ exchange, random: random.fork(), story });
    this.markets = new MarketLife({ ...{ time, plan, exchange, story, moves }, random: random.fork() });
    this.#weather = new FaceWeather(scenario.faults, random.fork());
    this.laws = new LawBook({ exchange, scenario, run: RUN, referencesIn });
    this.#told = new ToldLaw(scenario);
    this.#named = new NamedLaw(exchange);
    this.lapse = new LapseLaw({
      ...{ exchange, scenario, orders: this.laws.orders, now: START, story },
      fail: (law, what) => this.laws.fail(law, what),
    });
    exchange.world.listen((_, events) => {
      if (events.some((event) => event.kind === 'orderChanged' && event.reason === 'HeartbeatLapsed'))
        story.count('heartbeat lapsed over orders');
      const unnamed = this.#named.broken(events);
      if (unnamed !== undefined) this.laws.fail('only what is named is cancelled', unnamed);
    });
    story.count(isStreamed(scenario) ? 'life streamed' : 'life polled');
  }

  protected befall(): void {
    const { time, scenario, exchange, story } = this;
    const parts = { time, scenario, exchange, weather: this.#weather, life: this.markets, story, run: RUN };
    const living = { process: () => this.life?.process, line: () => this.#livingLine };
    scheduleTroubles({ ...parts, ...living }, this.random.fork());
    for (const { afterMs, kind } of scenario.acts) time.at(START + afterMs, () => this.act(kind));
  }

  get #livingLine(): FaceLine | undefined {
    return this.life?.process.isAlive === true ? this.#line : undefined;
  }

  protected open({ number, kill }: OpenParts): BotLife {
    this.#isComparing = false;
    const { time, scenario, exchange, story, hush, journal } = this;
    const way = { run: RUN, time, scenario, exchange, weather: this.#weather, story };
    const tap = this.#wireTap(() => life);
    const life: BotLife = new BotLife({
      ...{ ...way, number, kill, hush, journal, skewMs: scenario.skewMs },
      ...{ walletIds: ['main'], fitted: inPennies, random: this.random.fork() },
      connect: (connecting) => {
        const connected = faceConnection({ ...way, tap }, connecting);
        this.#line = connected.line;
        return connected;
      },
      tap: {
        appended: (_, record) => {
          this.laws.appended(record, life);
          const broken = record.kind === 'sent' ? this.#told.broken(record.market, time.now()) : undefined;
          if (broken !== undefined) this.laws.fail('prices are fresh', broken);
        },
        committed: (records) => {
          for (const record of this.memory.remembered(records)) this.#results.note(record);
          this.laws.committed(records.map(({ record }) => record));
        },
        ...this.kills(),
      },
    });
    return life;
  }

  #wireTap(living: () => BotLife): FaceTap & { heardLine(line: string, sentAt: number): void } {
    return {
      leaving: (operation, request) => {
        if (operation === 'placeOrders') this.laws.placing(living(), request);
        this.#named.leaving(operation, request);
        if (!SENDINGS.has(operation)) return;
        this.sendings += 1;
        this.dieAtSending(living(), 'before', operation);
      },
      left: (operation) => {
        if (SENDINGS.has(operation)) this.dieAtSending(living(), 'after', operation);
      },
      heard: (operation, request, reply, made) => this.#heard(operation, request, { reply, made }),
      heardLine: (line, sentAt) => {
        this.#told.heardLine(line, sentAt, this.time.now());
        if (line.includes('"op":"ocm"')) this.lapse.heardOf('orders', this.time.now());
        if (line.includes('"op":"mcm"')) this.lapse.heardOf('prices', this.time.now());
      },
    };
  }

  #heard(
    operation: string,
    request: WireRequest,
    { reply, made }: { readonly reply: WireReply; readonly made: Made },
  ): void {
    const now = this.time.now();
    if (reply.kind !== 'reply' || reply.status !== 200) return;
    this.#told.heard(operation, request, reply, made.isStale ? now : made.at);
    if (reply.body.includes('"error"')) {
      const isRefused = reply.body.includes('NO_SESSION') || reply.body.includes('INVALID_SESSION_INFORMATION');
      if (operation === 'placeOrders' && isRefused) this.laws.unauthorised(request);
      return;
    }
    if (operation === 'listMarketBook' || operation === 'listMarketCatalogue') this.lapse.heardOf('prices', now);
    if (operation === 'listCurrentOrders') {
      this.lapse.heardOf('orders', now);
      if (isOfAll(request)) this.#isComparing = true;
    }
    if (operation === 'getAccountFunds' && this.#isComparing) this.laws.booksRead();
  }

  protected override died(): void {
    this.#told.died();
  }

  protected calmed(): void {
    this.#weather.calm();
    this.exchange.faults.clearAll();
    this.#livingLine?.release();
    this.markets.calm();
  }

  protected ownEnd(): OwnEnd {
    const { exchange, laws } = this;
    return {
      ...(isBanned(this.scenario) && { waitsMs: BANNED_MS }),
      differences: () => accountDifferences(this.life, { exchange, laws, results: this.#results }),
    };
  }

  protected closed(): void {
    this.exchange.stream.close();
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
