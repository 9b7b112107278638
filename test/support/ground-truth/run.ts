/** One ground-truth run: a crowd alone, the same with the bot among it, and the overlay's three answers, in lockstep. */

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
import { openTrader, publishMarket } from '../../../src/simulator/crowd/crowd-trader.ts';
import { FairOdds } from '../../../src/simulator/crowd/fair-odds.ts';
import { MarketRecorder } from '../../../src/simulator/crowd/market-recorder.ts';
import { planLife } from '../../../src/simulator/crowd/match-life.ts';
import { applyUpdate } from '../../../src/simulator/overlay/apply-update.ts';
import { type CancellationRule, type FillBound, fillRulesOf } from '../../../src/simulator/overlay/fill-rules.ts';
import { OverlayLiquidity } from '../../../src/simulator/overlay/overlay-liquidity.ts';
import { OwnOrders } from '../../../src/simulator/overlay/own-orders.ts';
import { RecordedBook } from '../../../src/simulator/overlay/recorded-book.ts';
import { pendingOf } from '../pending-update.ts';
import { Bot, type BotHabits, type PlannedOrder } from './bot.ts';
import { Desk } from './desk.ts';

export interface RunOptions {
  readonly seed: number;
  readonly crowd: CrowdProfile;
  readonly bot: BotHabits;
  readonly weights: readonly number[];
  readonly eventsPerMessage: number;
  /** Delay of orders in play, ms, with goals and their suspensions; absent: pre-play throughout. */
  readonly inPlayDelayMs?: number;
  /** What the central answer makes of cancellations; absent: what backtests do unless told otherwise. */
  readonly cancellations?: CancellationRule;
  /** How many orders the bot places. */
  readonly orders: number;
}

/** What became of one order: the stake matched in truth and under each fill rule. */
export interface Judged {
  readonly stake: Money;
  readonly truth: Money;
  readonly answers: Readonly<Record<FillBound, Money>>;
}

const UNLIMITED = money(2_000_000_000_000_000);
export const OPENS_AT = instant(1_000_000);
/** The crowd fills its book before the bot looks. */
export const WARM_UP_MS = 180_000;
/** A run has time for twice as many looks as it wants orders. */
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
  const marketEntries = [truth.entry, ...tape.marketEntries];
  const placed: PlannedOrder[] = [];
  const open: { readonly plan: number; readonly cancelAt: number }[] = [];
  while (placed.length < options.orders || open.length > 0) {
    const looksAt = placed.length < options.orders ? bot.nextAt : Number.POSITIVE_INFINITY;
    const cancelAt = open[0]?.cancelAt ?? Number.POSITIVE_INFINITY;
    if (alone.nextAt <= Math.min(looksAt, cancelAt)) truth.follow(alone.step());
    else if (cancelAt <= looksAt) {
      const { plan } = defined(open.shift(), 'an order is open');
      for (const entry of marketEntries) entry.cancel(instant(cancelAt), plan);
    } else {
      const order = bot.plan(alone.book);
      if (order === undefined || alone.isSuspended) continue;
      for (const entry of marketEntries) entry.place(instant(looksAt), placed.length, order);
      open.push({ plan: placed.length, cancelAt: order.cancelAt });
      open.sort((a, b) => a.cancelAt - b.cancelAt || a.plan - b.plan);
      placed.push(order);
    }
  }
  const answer = (bound: FillBound, plan: number): Money =>
    defined(tape.marketEntries[BOUNDS.indexOf(bound)], 'a lane for each bound').matched(plan);
  return placed.map((order, plan) => ({
    stake: order.stake,
    truth: truth.entry.matched(plan),
    answers: {
      lowest: answer('lowest', plan),
      pessimistic: answer('pessimistic', plan),
      central: answer('central', plan),
      optimistic: answer('optimistic', plan),
      highest: answer('highest', plan),
    },
  }));
}

interface CrowdStep {
  readonly command: Command;
  /** The order this command made, as the exchange without the bot names it. */
  readonly order: number | undefined;
}

type OfMarket = Extract<Command, { readonly kind: 'open' | 'suspend' | 'setInPlay' | 'lock' }>;

/** The crowd trading by itself; what it decides here is what it decides everywhere. */
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

  /** When the crowd acts, or a delay of one of its orders ends. */
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
    for (const event of events) this.#motion.hear(event);
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

/** Pre-play throughout, or in play by the time the bot looks. */
export function inMotion(trader: CrowdTrader, options: RunOptions): CrowdMarket {
  const random = Random.fromSeed(options.seed);
  // The first fork is the bot's.
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

/** The same commands once more, in an exchange that holds the bot's orders too: what would truly have happened. */
class CrowdReplayed {
  readonly entry: Desk;
  readonly #orderByAlone = new Map<number, number>();

  constructor(trader: CrowdTrader, options: RunOptions) {
    const exchange = new Exchange({});
    const market = publish(exchange, options);
    openTrader(exchange, { market, outcomes: trader.outcomes, overdraft: UNLIMITED, at: instant(0) });
    this.entry = new Desk(exchange, { ...trader, market });
  }

  follow({ command, order }: CrowdStep): void {
    const events = this.entry.run(this.#translated(command));
    const here = acceptedIn(events);
    if (order !== undefined) this.#orderByAlone.set(order, defined(here, 'the crowd is refused nothing'));
  }

  #translated(command: Command): Command {
    if (command.kind !== 'cancel' || command.orders === undefined) return command;
    const orders = command.orders.map((order) => defined(this.#orderByAlone.get(order), 'a crowd order is known'));
    return { ...command, orders };
  }
}

/** What the recording says, with the bot's orders laid over it under each rule. */
class TapeReplayed {
  readonly marketEntries: readonly Desk[];
  readonly #book: RecordedBook;
  readonly #lanes: readonly OverlayLiquidity[];

  constructor(trader: CrowdTrader, options: RunOptions) {
    const book = new RecordedBook(trader.outcomes);
    const made = BOUNDS.map((bound) => laneDesk(book, { bound, trader, options }));
    this.#book = book;
    this.#lanes = made.map(({ lane }) => lane);
    this.marketEntries = made.map(({ entry }) => entry);
  }

  command(command: OfMarket): void {
    for (const entry of this.marketEntries) entry.run(command);
    if (command.kind !== 'suspend') return;
    for (const lane of this.#lanes) {
      if (command.suspended) lane.pause();
      else lane.resume();
    }
  }

  update(update: UpdateColumns): void {
    for (const entry of this.marketEntries) entry.run({ at: update.publishedAt, kind: 'advance' });
    applyUpdate(this.#book, this.#lanes, pendingOf(update));
    for (const entry of this.marketEntries) entry.collect();
  }
}

function laneDesk(
  book: RecordedBook,
  { bound, trader, options }: { readonly bound: FillBound; readonly trader: CrowdTrader; readonly options: RunOptions },
): { lane: OverlayLiquidity; entry: Desk } {
  const sink = {
    fillResting: (slot: number, stake: Money): void =>
      exchange.matchWithCrowd({ at: exchange.now, order: exchange.orderOfSlot(slot), stake }),
  };
  const rules = fillRulesOf(bound, options.cancellations);
  const lane = new OverlayLiquidity({ book, orders: new OwnOrders(), rules, sink });
  const exchange = new Exchange({ liquidityFor: () => lane });
  const market = publish(exchange, options);
  return { lane, entry: new Desk(exchange, { ...trader, market }) };
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
  return {
    status: 'Initializing',
    suspended: false,
    inPlayStatus: 'NotApplicable',
    inPlayDelayMs: 0,
    winnerCount: 1,
    eventStartAction: 'None',
    commissionPpm: 0,
    outcomes: Array.from({ length: outcomes }, () => ({ status: 'Active' })),
  };
}

function acceptedIn(events: readonly ExchangeEvent[]): number | undefined {
  for (const event of events) if (event.kind === 'orderAccepted') return event.order;
  return undefined;
}
