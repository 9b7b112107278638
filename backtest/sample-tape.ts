/** Makes the bundled sample recording: each market of the recipe is traded by a seeded crowd of synthetic traders and recorded. */

import { createHash } from 'node:crypto';
import { Random } from '../src/core/number/random.ts';
import { type Instant, instant, money } from '../src/core/number/units.ts';
import { OrderBook, QueueColumns } from '../src/matching/book/order-book.ts';
import { Exchange } from '../src/matching/exchange.ts';
import type { ExchangeEvent } from '../src/matching/messages/event.ts';
import type { RecordedDefinition } from '../src/recording/tape/definition.ts';
import type { MarketDescription } from '../src/recording/tape/tape-schema.ts';
import type { TapeMode } from '../src/recording/tape/tape-target.ts';
import { TapeWriter } from '../src/recording/tape/tape-writer.ts';
import { Crowd, type CrowdTrader } from '../src/simulator/crowd/crowd.ts';
import { CrowdMarket } from '../src/simulator/crowd/crowd-market.ts';
import { CROWD_PROFILE, type CrowdProfile } from '../src/simulator/crowd/crowd-profile.ts';
import { FairOdds } from '../src/simulator/crowd/fair-odds.ts';
import { planLife } from '../src/simulator/crowd/match-life.ts';
import { openTrader, publishMarket } from '../tools/crowd/crowd-trader.ts';
import { MarketRecorder } from '../tools/crowd/market-recorder.ts';
import {
  SAMPLE_DESCRIPTION,
  SAMPLE_EVENTS,
  SAMPLE_SEED,
  type SampleEvent,
  type SampleMarket,
} from './sample-recipe.ts';

const UNLIMITED = money(2_000_000_000_000_000);
const COMMISSION_PPM = 20_000;
const MS_PER_SECOND = 1000;
/** About how many updates one order causes: its placing, and its end where it is not matched. */
const UPDATES_PER_ORDER = 1.2;
/** How many orders rest at a time for each outcome, at any pace of the market. */
const ORDERS_RESTING_PER_OUTCOME = 40;
const LISTED_BEFORE_MS = 60_000;

export interface SampleCount {
  readonly markets: number;
  readonly updates: number;
  readonly sha256: string;
}

/** Writes the tape; the same recipe and seed give the same bytes. */
export function writeSampleTape(path: string, mode: TapeMode = 'new', seed = SAMPLE_SEED): SampleCount {
  const writer = TapeWriter.create(path, mode);
  const random = Random.fromSeed(seed);
  const recipe = createHash('sha256').update(JSON.stringify(SAMPLE_EVENTS)).digest('hex');
  let updates = 0;
  for (const event of SAMPLE_EVENTS) {
    for (const market of event.markets) {
      updates += writeMarket(writer, { event, market, random: random.fork(), recipe });
    }
  }
  const markets = SAMPLE_EVENTS.reduce((sum, event) => sum + event.markets.length, 0);
  return { markets, updates, sha256: writer.finish() };
}

interface Job {
  readonly event: SampleEvent;
  readonly market: SampleMarket;
  readonly random: Random;
  /** SHA-256 of the recipe, as the markets' source. */
  readonly recipe: string;
}

function writeMarket(writer: TapeWriter, job: Job): number {
  const { event, market } = job;
  const key = writer.startMarket();
  let updates = 0;
  const sink = {
    define: (definition: RecordedDefinition) => writer.addDefinition(key, definition),
    update: (columns: Parameters<TapeWriter['appendUpdate']>[1]) => {
      updates += 1;
      writer.appendUpdate(key, columns);
    },
  };
  tradeMarket(job, sink);
  writer.finishMarket(key, describe(event, market, job.recipe));
  return updates;
}

/** Runs the market from its listing to its end and shows the recorder everything. */
function tradeMarket(
  { event, market, random }: Job,
  sink: ConstructorParameters<typeof MarketRecorder>[0]['sink'],
): void {
  const outcomes = market.outcomes.length;
  const book = new OrderBook(new QueueColumns(), outcomes);
  const exchange = new Exchange({ liquidityFor: () => book });
  const listedAt = instant(event.opensAt - LISTED_BEFORE_MS);
  const id = publishMarket(
    exchange,
    {
      outcomes,
      winners: { min: market.winners, max: market.winners },
      crossMatching: market.crossMatching,
      turnsInPlay: event.startsAt !== undefined,
      inPlayDelayMs: market.inPlayDelayMs,
      eventStartAction: market.lapsesAtStart ? 'CancelUnmatchedLiquidity' : 'None',
      marketLockAction: 'CancelUnmatchedLiquidity',
    },
    listedAt,
  );
  const trader = openTrader(exchange, { market: id, outcomes, overdraft: UNLIMITED, at: listedAt });
  exchange.events.clear();
  const recorder = new MarketRecorder({
    market: id,
    definition: firstDefinition(event, market),
    eventsPerMessage: 1,
    startsAt: listedAt,
    sink,
  });
  const motion = inMotion({ event, market, random, trader });
  while (motion.nextAt < Number.POSITIVE_INFINITY) {
    const command = motion.next(book);
    exchange.apply(command);
    const events: ExchangeEvent[] = [];
    for (let index = 0; index < exchange.events.length; index += 1) events.push(exchange.events.read(index));
    exchange.events.clear();
    for (const occurred of events) motion.onEvent(occurred);
    recorder.see(command, events);
  }
}

function inMotion({
  event,
  market,
  random,
  trader,
}: Omit<Job, 'recipe'> & { readonly trader: CrowdTrader }): CrowdMarket {
  const profile = profileFor(event, market);
  const life = planLife(
    {
      opensAt: event.opensAt,
      endsAt: event.endsAt,
      jumpsMean: market.jumpsMean,
      ending: market.ending,
      ...(event.startsAt === undefined ? {} : { startsAt: event.startsAt }),
      ...(market.removes === undefined ? {} : { removes: market.removes }),
    },
    random.fork(),
  );
  const fair = new FairOdds({ weights: market.weights, winners: market.winners });
  const crowd = new Crowd({ trader, profile, fair, random: random.fork() });
  return new CrowdMarket({ trader, crowd, life, random: random.fork(), inPlayPace: profile.inPlayPace });
}

/** Rates that give about as many updates as the recipe asks for, and a book of about the same depth in every market. */
function profileFor(event: SampleEvent, market: SampleMarket): CrowdProfile {
  const { inPlayPace } = CROWD_PROFILE;
  const startsAt = event.startsAt ?? event.endsAt;
  const seconds = (startsAt - event.opensAt + (event.endsAt - startsAt) * inPlayPace) / MS_PER_SECOND;
  const ordersPerSecond = market.updates / UPDATES_PER_ORDER / seconds;
  const lifetimeMs = (ORDERS_RESTING_PER_OUTCOME * market.outcomes.length * MS_PER_SECOND) / ordersPerSecond;
  return { ...CROWD_PROFILE, ordersPerSecond, lifetimeMs, volatility: 0.6 / Math.sqrt(seconds) };
}

function firstDefinition(event: SampleEvent, market: SampleMarket): RecordedDefinition {
  return {
    status: 'Initializing',
    suspended: false,
    inPlayStatus: event.startsAt === undefined ? 'NotApplicable' : 'PrePlay',
    inPlayDelayMs: market.inPlayDelayMs,
    expectedStartTime: expectedStart(event),
    winnerCount: market.winners,
    eventStartAction: market.lapsesAtStart ? 'CancelUnmatchedLiquidity' : 'None',
    commissionPpm: COMMISSION_PPM,
    ...(market.crossMatching ? { crossMatching: true } : {}),
    outcomes: market.outcomes.map(() => ({ status: 'Active' })),
  };
}

function describe(event: SampleEvent, market: SampleMarket, recipe: string): MarketDescription {
  return {
    facts: {
      id: market.id,
      name: market.name,
      eventId: event.id,
      eventName: event.name,
      marketTypeId: market.marketTypeId,
      ...(event.venue === undefined ? {} : { venue: event.venue }),
      countryCode: event.countryCode,
      expectedStartTime: expectedStart(event),
      outcomes: market.outcomes.map((title, index) => ({ id: `${market.id}${index + 1}`, title, ordering: index + 1 })),
    },
    bettingType: 'ODDS',
    grade: 'A',
    winnerCount: market.winners,
    source: { file: 'sample-recipe', sha256: recipe },
    generated: SAMPLE_DESCRIPTION,
  };
}

function expectedStart(event: SampleEvent): Instant {
  return event.startsAt ?? event.endsAt;
}
