import { describe, expect, test } from 'vitest';
import { TICK_COUNT } from '../../src/core/number/ladder.ts';
import { Random } from '../../src/core/number/random.ts';
import { instant, money } from '../../src/core/number/units.ts';
import { AGAINST, FOR, isBetter, type SideIndex } from '../../src/core/side.ts';
import { OrderBook, QueueColumns } from '../../src/matching/book/order-book.ts';
import { Exchange } from '../../src/matching/exchange.ts';
import type { ExchangeEvent } from '../../src/matching/messages/event.ts';
import { DEFINITION, LAST_PRICE, LEVEL, TRADE, type UpdateColumns } from '../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import { Crowd, type CrowdTrader } from '../../src/simulator/crowd/crowd.ts';
import { CrowdMarket } from '../../src/simulator/crowd/crowd-market.ts';
import { CROWD_PROFILE } from '../../src/simulator/crowd/crowd-profile.ts';
import { FairOdds } from '../../src/simulator/crowd/fair-odds.ts';
import { planLife } from '../../src/simulator/crowd/match-life.ts';
import { openTrader, publishMarket } from '../../tools/crowd/crowd-trader.ts';
import { MarketRecorder, type UpdateSink } from '../../tools/crowd/market-recorder.ts';
import { madeDefinition } from '../support/made-market.ts';

const WEIGHTS = [30, 22, 16, 11];
const OUTCOMES = WEIGHTS.length;
/** Comparing whole books is slow, and a wrong level stays wrong until the next comparison. */
const COMPARED_EVERY = 23;
const SIDES: readonly SideIndex[] = [FOR, AGAINST];

interface Seen {
  readonly definitions: readonly RecordedDefinition[];
  readonly updates: number;
  readonly traded: readonly number[];
  /** According to the exchange: the matched stake of all orders, halved. */
  readonly matched: number;
}

interface Options {
  readonly seed: number;
  readonly eventsPerMessage: number;
  readonly crossMatching: boolean;
}

function termsOf({ crossMatching }: Options) {
  return {
    outcomes: OUTCOMES,
    winners: { min: 1, max: 1 },
    crossMatching,
    turnsInPlay: true,
    inPlayDelayMs: 2000,
    eventStartAction: 'CancelUnmatchedLiquidity',
    marketLockAction: 'CancelUnmatchedLiquidity',
  } as const;
}

function inMotion(trader: CrowdTrader, { seed }: Options): CrowdMarket {
  const random = Random.fromSeed(seed);
  const life = planLife(
    {
      opensAt: instant(1000),
      startsAt: instant(400_000),
      endsAt: instant(700_000),
      jumpsMean: 3,
      removes: { outcome: 2, basis: 'win' },
      ending: 'settle',
    },
    random.fork(),
  );
  const fair = new FairOdds({ weights: WEIGHTS, winners: 1 });
  const crowd = new Crowd({ trader, profile: { ...CROWD_PROFILE, ordersPerSecond: 3 }, fair, random: random.fork() });
  return new CrowdMarket({ trader, crowd, life, random: random.fork(), inPlayPace: 3 });
}

function recorderOf(market: number, options: Options, sink: UpdateSink): MarketRecorder {
  const { inPlayDelayMs, eventStartAction, crossMatching } = termsOf(options);
  const terms = { inPlayDelayMs, eventStartAction, crossMatching };
  return new MarketRecorder({
    market,
    definition: madeDefinition(WEIGHTS.length, { status: 'Initializing', ...terms }),
    eventsPerMessage: options.eventsPerMessage,
    startsAt: instant(0),
    sink,
  });
}

/** Records a whole market and checks each update as it comes. */
function record(options: Options): Seen {
  const book = new OrderBook(new QueueColumns(), OUTCOMES);
  const exchange = new Exchange({ liquidityFor: () => book });
  const at = instant(0);
  const market = publishMarket(exchange, termsOf(options), at);
  const trader = openTrader(exchange, { market, outcomes: OUTCOMES, overdraft: money(2_000_000_000_000_000), at });
  exchange.events.clear();
  const picture = new Picture({ checksTradeOrder: options.eventsPerMessage === 1 });
  const definitions: RecordedDefinition[] = [];
  const recorder = recorderOf(market, options, {
    define: (definition) => definitions.push(definition) - 1,
    update: (update) => picture.apply(update),
  });
  const motion = inMotion(trader, options);
  let matched = 0;
  let commands = 0;
  while (motion.nextAt < Number.POSITIVE_INFINITY) {
    const command = motion.next(book);
    exchange.apply(command);
    const events: ExchangeEvent[] = [];
    for (let index = 0; index < exchange.events.length; index += 1) events.push(exchange.events.read(index));
    exchange.events.clear();
    for (const event of events) {
      motion.onEvent(event);
      if (event.kind === 'orderMatched') matched += event.stake;
    }
    recorder.see(command, events);
    commands += 1;
    const isWhole = options.eventsPerMessage === 1 || 'market' in command;
    if (isWhole && (commands % COMPARED_EVERY === 0 || 'market' in command)) picture.compare(book, command.at);
  }
  return { definitions, updates: picture.updates, traded: picture.traded, matched: matched / 2 };
}

/** What a reader of the updates knows; checks their order as they come. */
class Picture {
  readonly levels = new Map<number, number>();
  readonly traded = new Array<number>(OUTCOMES).fill(0);
  updates = 0;
  readonly #checksTradeOrder: boolean;
  #at = 0;

  /** In a message with many events it is unknown which side was hit. */
  constructor({ checksTradeOrder }: { readonly checksTradeOrder: boolean }) {
    this.#checksTradeOrder = checksTradeOrder;
  }

  apply(update: UpdateColumns): void {
    claim(update.publishedAt >= this.#at, 'time runs forward');
    this.#at = update.publishedAt;
    this.updates += 1;
    const said = new Set<string>();
    let stage = 0;
    let lastTrade: { readonly outcome: number; readonly tick: number } | undefined;
    for (let index = 0; index < update.count; index += 1) {
      const kind = update.kind[index] ?? 0;
      const outcome = update.outcome[index] ?? 0;
      const side = update.side[index] ?? 0;
      const tick = update.tick[index] ?? 0;
      const amount = update.amount[index] ?? 0;
      const level = (outcome * 2 + side) * TICK_COUNT + tick;
      const name = `${kind}/${kind === DEFINITION ? 0 : level}`;
      claim(!said.has(name), `${name} stands twice`);
      said.add(name);
      const step = this.#stage(kind, level, amount);
      claim(step >= stage, 'definition, trades, decreases, increases, last prices');
      stage = step;
      if (kind === TRADE) {
        claim(amount > 0, 'a trade has volume');
        this.traded[outcome] = (this.traded[outcome] ?? 0) + amount;
        if (this.#checksTradeOrder && lastTrade?.outcome === outcome)
          this.#expectInOrder(outcome, lastTrade.tick, tick);
        lastTrade = { outcome, tick };
      }
      if (kind === LEVEL) this.levels.set(level, amount);
    }
  }

  compare(book: OrderBook, at: number): void {
    for (let outcome = 0; outcome < OUTCOMES; outcome += 1) {
      for (const side of SIDES) {
        for (let tick = 0; tick < TICK_COUNT; tick += 1) {
          const known = this.levels.get((outcome * 2 + side) * TICK_COUNT + tick) ?? 0;
          const there = book.amountAt(outcome, side, tick);
          if (known !== there)
            expect.fail(`at ${at}: outcome ${outcome} side ${side} tick ${tick}: ${known}, not ${there}`);
        }
      }
    }
  }

  #stage(kind: number, level: number, amount: number): number {
    if (kind === DEFINITION) return 0;
    if (kind === TRADE) return 1;
    if (kind === LAST_PRICE) return 4;
    claim(amount !== (this.levels.get(level) ?? 0), 'a level is recorded when it changes');
    return amount < (this.levels.get(level) ?? 0) ? 2 : 3;
  }

  /**
   * Checks the order of trades: best first on the side that displayed stake there before, and the For levels of an
   * outcome first.
   */
  #expectInOrder(outcome: number, before: number, after: number): void {
    const sideBefore = this.#displayed(outcome, before);
    const sideAfter = this.#displayed(outcome, after);
    if (sideBefore === undefined || sideBefore !== sideAfter) return;
    claim(isBetter(sideBefore, before, after), 'trades of a side stand best first');
  }

  #displayed(outcome: number, tick: number): SideIndex | undefined {
    return SIDES.find((side) => (this.levels.get((outcome * 2 + side) * TICK_COUNT + tick) ?? 0) > 0);
  }
}

/** Much faster than `expect`, for claims that are checked a hundred thousand times. */
function claim(holds: boolean, message: string): void {
  if (!holds) expect.fail(message);
}

describe('the recorder of a synthetic market', () => {
  test.each([1, 2])(
    'shows exactly the levels of the book after every command, and every stake traded once (seed %i)',
    (seed) => {
      const seen = record({ seed, eventsPerMessage: 1, crossMatching: false });
      expect(seen.updates).toBeGreaterThan(2000);
      expect(seen.traded.reduce((sum, traded) => sum + traded, 0)).toBe(seen.matched);
      expect(seen.matched).toBeGreaterThan(0);
    },
  );

  test('shows the same end of it all with 20 changes a message, in far fewer messages', () => {
    const single = record({ seed: 3, eventsPerMessage: 1, crossMatching: false });
    const many = record({ seed: 3, eventsPerMessage: 20, crossMatching: false });
    expect(many.traded).toEqual(single.traded);
    expect(many.definitions).toEqual(single.definitions);
    expect(many.updates).toBeLessThan(single.updates / 10);
  });

  test('shows the levels of the book where orders on other outcomes match across', () => {
    const seen = record({ seed: 4, eventsPerMessage: 1, crossMatching: true });
    expect(seen.traded.every((traded) => traded > 0)).toBe(true);
  });

  test('records the life of the market: suspensions, removal, in play, the winner', () => {
    const { definitions } = record({ seed: 5, eventsPerMessage: 1, crossMatching: false });
    expect(definitions[0]?.status).toBe('Initializing');
    expect(definitions.some((definition) => definition.suspended && definition.status === 'Open')).toBe(true);
    const inPlay = definitions.findIndex((definition) => definition.inPlayStatus === 'InPlay');
    expect(definitions[inPlay - 1]?.inPlayStatus).toBe('PrePlay');
    expect(definitions[inPlay]?.outcomes[2]?.status).toBe('Removed');
    expect(definitions[inPlay]?.outcomes[2]?.factorPpm).toBeGreaterThan(25_000);
    const last = definitions.at(-1);
    expect(last?.status).toBe('Settled');
    expect(last?.outcomes.filter((outcome) => outcome.status === 'Winner')).toHaveLength(1);
    expect(last?.outcomes[2]?.status).toBe('Removed');
  });
});
