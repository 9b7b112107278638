/**
 * One ground-truth run in lockstep: a crowd alone, the same crowd with the bot among it, and the overlay's fill models.
 */

import { defined } from '../../../src/core/checks/assert.ts';
import { Random } from '../../../src/core/number/random.ts';
import { instant, type Money, money } from '../../../src/core/number/units.ts';
import { OrderBook, QueueColumns } from '../../../src/matching/book/order-book.ts';
import { Exchange } from '../../../src/matching/exchange.ts';
import type { Command } from '../../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../../src/matching/messages/event.ts';
import type { UpdateColumns } from '../../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../../src/recording/tape/definition.ts';
import { Crowd, type CrowdTrader } from '../../../src/simulator/crowd/crowd.ts';
import { CrowdMarket } from '../../../src/simulator/crowd/crowd-market.ts';
import type { CrowdProfile } from '../../../src/simulator/crowd/crowd-profile.ts';
import { FairOdds } from '../../../src/simulator/crowd/fair-odds.ts';
import { planLife } from '../../../src/simulator/crowd/match-life.ts';
import { applyUpdate } from '../../../src/simulator/overlay/apply-update.ts';
import { type CancellationRule, type FillBound, fillRulesOf } from '../../../src/simulator/overlay/fill-rules.ts';
import { OverlayLiquidity } from '../../../src/simulator/overlay/overlay-liquidity.ts';
import { OwnOrders } from '../../../src/simulator/overlay/own-orders.ts';
import { RecordedBook } from '../../../src/simulator/overlay/recorded-book.ts';
import { openTrader, publishMarket } from '../../../tools/crowd/crowd-trader.ts';
import { MarketRecorder } from '../../../tools/crowd/market-recorder.ts';
import { madeDefinition } from '../made-market.ts';
import { pendingOf } from '../pending-update.ts';
import { Bot, type BotHabits, type PlannedOrder } from './bot.ts';
import { BotExchange } from './bot-exchange.ts';

export interface RunOptions {
  readonly seed: number;
  readonly crowd: CrowdProfile;
  readonly bot: BotHabits;
  readonly weights: readonly number[];
  readonly eventsPerMessage: number;
  /** Delay of orders in play, in ms, with goals and their suspensions; absent: pre-play all the time. */
  readonly inPlayDelayMs?: number;
  /** The central model's rule for cancellations; absent: the default of backtests. */
  readonly cancellations?: CancellationRule;
  /** How many orders the bot places. */
  readonly orders: number;
}

/** One order: the stake matched in truth and under each fill model. */
export interface Judged {
  readonly stake: Money;
  readonly truth: Money;
  readonly byModel: Readonly<Record<FillBound, Money>>;
}

const UNLIMITED = money(2_000_000_000_000_000);
export const OPENS_AT = instant(1_000_000);
/** How long the crowd fills its book before the bot looks at it, in ms. */
export const WARM_UP_MS = 180_000;
/** A run has time for this many times as many looks as it wants orders. */
const SPARE_TIME = 2;
/** Looks that the bot spends on learning what a typical level is. */
const LOOKS_FIRST = 100;
const GOAL_EVERY_MS = 600_000;
const BOUNDS: readonly FillBound[] = ['lowest', 'pessimistic', 'central', 'optimistic', 'highest'];

export function runGroundTruth(options: RunOptions): readonly Judged[] {
  const alone = new CrowdAlone(options);
  const truth = new CrowdReplayed(alone.trader, options);
  const tape = new TapeReplayed(alone.trader, options);
  alone.onMarketCommand = (command) => tape.command(command);
  alone.onUpdate = (update) => tape.update(update);
  const bot = new Bot({
    habits: options.bot,
    random: Random.fromSeed(options.seed).fork(),
    outcomes: options.weights.length,
    startsAt: OPENS_AT + WARM_UP_MS,
  });
  const exchanges = [truth.botExchange, ...tape.exchanges];
  const placed: PlannedOrder[] = [];
  const open: { readonly plan: number; readonly cancelAt: number }[] = [];
  while (placed.length < options.orders || open.length > 0) {
    const looksAt = placed.length < options.orders ? bot.nextAt : Number.POSITIVE_INFINITY;
    const cancelAt = open[0]?.cancelAt ?? Number.POSITIVE_INFINITY;
    if (alone.nextAt <= Math.min(looksAt, cancelAt)) truth.follow(alone.step());
    else if (cancelAt <= looksAt) {
      const { plan } = defined(open.shift(), 'an order is open');
      for (const botExchange of exchanges) botExchange.cancel(instant(cancelAt), plan);
    } else {
      const order = bot.plan(alone.book);
      if (order === undefined || alone.isSuspended) continue;
      for (const botExchange of exchanges) botExchange.place(instant(looksAt), placed.length, order);
      open.push({ plan: placed.length, cancelAt: order.cancelAt });
      open.sort((a, b) => a.cancelAt - b.cancelAt || a.plan - b.plan);
      placed.push(order);
    }
  }
  const matchedUnder = (bound: FillBound, plan: number): Money =>
    defined(tape.exchanges[BOUNDS.indexOf(bound)], 'a fill model for each bound').matched(plan);
  return placed.map((order, plan) => ({
    stake: order.stake,
    truth: truth.botExchange.matched(plan),
    byModel: {
      lowest: matchedUnder('lowest', plan),
      pessimistic: matchedUnder('pessimistic', plan),
      central: matchedUnder('central', plan),
      optimistic: matchedUnder('optimistic', plan),
      highest: matchedUnder('highest', plan),
    },
  }));
}

interface CrowdStep {
  readonly command: Command;
  /** The id of the order this command made, in the exchange without the bot. */
  readonly order: number | undefined;
}

type OfMarket = Extract<Command, { readonly kind: 'open' | 'suspend' | 'setInPlay' | 'lock' }>;

/** The crowd trading by itself; what it decides here is what it decides in every exchange. */
class CrowdAlone {
  readonly trader: CrowdTrader;
  readonly book: OrderBook;
  isSuspended = false;
  onMarketCommand: (command: OfMarket) => void = () => {};
  onUpdate: (update: UpdateColumns) => void = () => {};
  readonly #exchange: Exchange;
  readonly #motion: CrowdMarket;
  readonly #recorder: MarketRecorder;

  constructor(options: RunOptions) {
    const outcomes = options.weights.length;
    this.book = new OrderBook(new QueueColumns(), outcomes);
    this.#exchange = new Exchange({ liquidityFor: () => this.book });
    const market = publish(this.#exchange, options);
    this.trader = openTrader(this.#exchange, { market, outcomes, overdraft: UNLIMITED, at: instant(0) });
    this.#exchange.events.clear();
    this.#motion = inMotion(this.trader, options);
    this.#recorder = new MarketRecorder({
      market,
      definition: definitionOf(outcomes),
      eventsPerMessage: options.eventsPerMessage,
      startsAt: instant(0),
      sink: { define: () => 0, update: (update) => this.onUpdate(update) },
    });
  }

  /** When the crowd acts, or a delay of one of its orders ends, whichever is first. */
  get nextAt(): number {
    return Math.min(this.#motion.nextAt, this.#exchange.nextDue() ?? Number.POSITIVE_INFINITY);
  }

  step(): CrowdStep {
    const due = this.#exchange.nextDue();
    const isDue = due !== undefined && due < this.#motion.nextAt;
    const command: Command = isDue ? { at: due, kind: 'advance' } : this.#motion.next(this.book);
    this.#exchange.apply(command);
    const events: ExchangeEvent[] = [];
    for (let index = 0; index < this.#exchange.events.length; index += 1)
      events.push(this.#exchange.events.read(index));
    this.#exchange.events.clear();
    for (const event of events) this.#motion.onEvent(event);
    if (command.kind === 'suspend') this.isSuspended = command.suspended;
    // What the tape's definition will say must be known before the update that says it.
    if (isOfMarket(command)) this.onMarketCommand(command);
    this.#recorder.see(command, events);
    return { command, order: acceptedIn(events) };
  }
}

function isOfMarket(command: Command): command is OfMarket {
  return ['open', 'suspend', 'setInPlay', 'lock'].includes(command.kind);
}

/** A market that is pre-play all the time, or in play by the time the bot looks. */
export function inMotion(trader: CrowdTrader, options: RunOptions): CrowdMarket {
  const random = Random.fromSeed(options.seed);
  // The first fork of the generator belongs to the bot.
  random.fork();
  const lasts = WARM_UP_MS + (LOOKS_FIRST + options.orders) * options.bot.gapMs * SPARE_TIME;
  const life = planLife(
    {
      opensAt: OPENS_AT,
      endsAt: instant(OPENS_AT + lasts),
      jumpsMean: lasts / GOAL_EVERY_MS,
      ending: 'settle',
      ...(options.inPlayDelayMs === undefined ? {} : { startsAt: instant(OPENS_AT + WARM_UP_MS / 2) }),
    },
    random.fork(),
  );
  const fair = new FairOdds({ weights: options.weights, winners: 1 });
  const crowd = new Crowd({ trader, profile: options.crowd, fair, random: random.fork() });
  return new CrowdMarket({ trader, crowd, life, random: random.fork(), inPlayPace: options.crowd.inPlayPace });
}

/** The same commands in an exchange that holds the bot's orders too: what would truly have happened. */
class CrowdReplayed {
  readonly botExchange: BotExchange;
  readonly #orderByAlone = new Map<number, number>();

  constructor(trader: CrowdTrader, options: RunOptions) {
    const exchange = new Exchange({});
    const market = publish(exchange, options);
    openTrader(exchange, { market, outcomes: trader.outcomes, overdraft: UNLIMITED, at: instant(0) });
    this.botExchange = new BotExchange(exchange, { ...trader, market });
  }

  follow({ command, order }: CrowdStep): void {
    const events = this.botExchange.run(this.#translated(command));
    const here = acceptedIn(events);
    if (order !== undefined) this.#orderByAlone.set(order, defined(here, 'the crowd is refused nothing'));
  }

  #translated(command: Command): Command {
    if (command.kind !== 'cancel' || command.orders === undefined) return command;
    const orders = command.orders.map((order) => defined(this.#orderByAlone.get(order), 'a crowd order is known'));
    return { ...command, orders };
  }
}

/** What the recording says, with the bot's orders laid over it under each fill model. */
class TapeReplayed {
  readonly exchanges: readonly BotExchange[];
  readonly #book: RecordedBook;
  readonly #models: readonly OverlayLiquidity[];

  constructor(trader: CrowdTrader, options: RunOptions) {
    const book = new RecordedBook(trader.outcomes);
    const made = BOUNDS.map((bound) => modelExchange(book, { bound, trader, options }));
    this.#book = book;
    this.#models = made.map(({ model }) => model);
    this.exchanges = made.map(({ botExchange }) => botExchange);
  }

  command(command: OfMarket): void {
    for (const botExchange of this.exchanges) botExchange.run(command);
    if (command.kind !== 'suspend') return;
    for (const model of this.#models) {
      if (command.suspended) model.pause();
      else model.resume();
    }
  }

  update(update: UpdateColumns): void {
    for (const botExchange of this.exchanges) botExchange.run({ at: update.publishedAt, kind: 'advance' });
    applyUpdate(this.#book, this.#models, pendingOf(update));
    for (const botExchange of this.exchanges) botExchange.collect();
  }
}

function modelExchange(
  book: RecordedBook,
  { bound, trader, options }: { readonly bound: FillBound; readonly trader: CrowdTrader; readonly options: RunOptions },
): { model: OverlayLiquidity; botExchange: BotExchange } {
  const sink = {
    fillResting: (slot: number, stake: Money): void =>
      exchange.matchWithRecorded({ at: exchange.now, order: exchange.orderOfSlot(slot), stake }),
  };
  const rules = fillRulesOf(bound, options.cancellations);
  const model = new OverlayLiquidity({ book, orders: new OwnOrders(), rules, sink });
  const exchange = new Exchange({ liquidityFor: () => model });
  const market = publish(exchange, options);
  return { model, botExchange: new BotExchange(exchange, { ...trader, market }) };
}

export function publish(exchange: Exchange, options: RunOptions): number {
  return publishMarket(
    exchange,
    {
      outcomes: options.weights.length,
      winners: { min: 1, max: 1 },
      crossMatching: false,
      turnsInPlay: options.inPlayDelayMs !== undefined,
      inPlayDelayMs: options.inPlayDelayMs ?? 0,
      eventStartAction: 'None',
      marketLockAction: 'None',
    },
    instant(0),
  );
}

export function definitionOf(outcomes: number): RecordedDefinition {
  return madeDefinition(outcomes, { status: 'Initializing', inPlayStatus: 'NotApplicable' });
}

function acceptedIn(events: readonly ExchangeEvent[]): number | undefined {
  for (const event of events) if (event.kind === 'orderAccepted') return event.order;
  return undefined;
}
