/** A live run in one market of a crowd: its orders rest in the exchange's own queues, and its tape holds their stake with all else. */

import type { FitMarket } from '../../../src/app/parity/fit/compared-orders.ts';
import type { UpdateSource } from '../../../src/backtest/simulation/backtest-source.ts';
import { defined } from '../../../src/core/checks/assert.ts';
import { Random } from '../../../src/core/number/random.ts';
import { type Instant, instant, type Money, money, ZERO } from '../../../src/core/number/units.ts';
import type { TimedRecord } from '../../../src/core/run/journal.ts';
import { sideOf } from '../../../src/core/side.ts';
import { OrderBook, QueueColumns } from '../../../src/matching/book/order-book.ts';
import { Exchange } from '../../../src/matching/exchange.ts';
import type { Command } from '../../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../../src/matching/messages/event.ts';
import type { UpdateColumns } from '../../../src/recording/segment/update.ts';
import { UpdateBuffer } from '../../../src/recording/segment/update-buffer.ts';
import type { RecordedDefinition } from '../../../src/recording/tape/definition.ts';
import type { CrowdTrader } from '../../../src/simulator/crowd/crowd.ts';
import type { CrowdMarket } from '../../../src/simulator/crowd/crowd-market.ts';
import { type CancelHabit, CROWD_PROFILE } from '../../../src/simulator/crowd/crowd-profile.ts';
import { openTrader } from '../../../tools/crowd/crowd-trader.ts';
import { MarketRecorder } from '../../../tools/crowd/market-recorder.ts';
import { Bot, type BotHabits, type PlannedOrder } from '../ground-truth/bot.ts';
import { definitionOf, inMotion, OPENS_AT, publish, type RunOptions, WARM_UP_MS } from '../ground-truth/run.ts';
import { madeFacts } from '../made-market.ts';

export interface CrowdRunOptions {
  readonly seed: number;
  readonly habit: CancelHabit;
  /** How many orders the run places. */
  readonly orders: number;
  readonly bot?: Partial<BotHabits>;
  /** The crowd trades for as long, and the run places nothing. */
  readonly isAlone?: true;
  readonly eventsPerMessage?: number;
}

export interface CrowdRun {
  readonly records: readonly TimedRecord[];
  readonly market: FitMarket;
  source(): UpdateSource;
}

const UNLIMITED = money(2_000_000_000_000_000);
const WEIGHTS = [55, 45];
const BOT: BotHabits = { levelShareMin: 0.02, levelShareMax: 0.1, takerShare: 0, gapMs: 10_000, lifetimeMs: 60_000 };
/** Delay from sending to arrival, ms. */
const TRAVEL_MS = 100;

export function crowdRun({ seed, habit, orders, bot = {}, eventsPerMessage = 1, isAlone }: CrowdRunOptions): CrowdRun {
  const crowd = { ...CROWD_PROFILE, ordersPerSecond: 8, cancellations: habit };
  const options: RunOptions = {
    ...{ seed, crowd, bot: { ...BOT, ...bot }, weights: WEIGHTS, eventsPerMessage, orders },
  };
  const run = new LiveRun(options);
  const planner = new Bot({
    ...{ habits: options.bot, random: Random.fromSeed(seed).fork() },
    ...{ outcomes: WEIGHTS.length, startsAt: OPENS_AT + WARM_UP_MS },
  });
  const open: { readonly client: number; readonly cancelAt: number }[] = [];
  let placed = 0;
  while (placed < orders || open.length > 0) {
    const looksAt = placed < orders ? planner.nextAt : Number.POSITIVE_INFINITY;
    const cancelAt = open[0]?.cancelAt ?? Number.POSITIVE_INFINITY;
    if (run.nextAt <= Math.min(looksAt, cancelAt)) run.step();
    else if (cancelAt <= looksAt) run.cancel(instant(cancelAt), defined(open.shift(), 'an order is open').client);
    else {
      const order = planner.plan(run.book);
      if (order === undefined) continue;
      placed += 1;
      if (isAlone === true) continue;
      run.place(instant(looksAt), placed, order);
      open.push({ client: placed, cancelAt: order.cancelAt });
      open.sort((a, b) => a.cancelAt - b.cancelAt || a.client - b.client);
    }
  }
  return run.finish();
}

interface Own {
  readonly client: number;
  readonly stake: Money;
  matched: Money;
  unmatched: Money;
  voided: Money;
  isChanged: boolean;
}

class LiveRun {
  readonly book = new OrderBook(new QueueColumns(), WEIGHTS.length);
  readonly #exchange = new Exchange({ liquidityFor: () => this.book });
  readonly #crowd: CrowdTrader;
  readonly #own: CrowdTrader;
  readonly #motion: CrowdMarket;
  readonly #recorder: MarketRecorder;
  readonly #records: TimedRecord[] = [];
  readonly #updates: UpdateBuffer[] = [];
  readonly #definitions: RecordedDefinition[] = [];
  readonly #ownByOrder = new Map<number, Own>();
  readonly #orderByClient = new Map<number, number>();

  constructor(options: RunOptions) {
    const market = publish(this.#exchange, options);
    const trader = { market, outcomes: WEIGHTS.length, overdraft: UNLIMITED, at: instant(0) };
    this.#crowd = openTrader(this.#exchange, trader);
    this.#own = openTrader(this.#exchange, trader);
    this.#exchange.events.clear();
    this.#motion = inMotion(this.#crowd, options);
    this.#recorder = new MarketRecorder({
      ...{ market, definition: definitionOf(WEIGHTS.length), eventsPerMessage: options.eventsPerMessage },
      startsAt: instant(0),
      sink: {
        define: (definition) => this.#definitions.push(definition) - 1,
        update: (columns) => this.#updates.push(copied(columns, this.#updates.length)),
      },
    });
  }

  get nextAt(): number {
    return this.#motion.nextAt;
  }

  /** The crowd acts. */
  step(): void {
    this.#apply(this.#motion.next(this.book));
  }

  place(at: Instant, client: number, { outcome, side, tick, stake }: PlannedOrder): void {
    const { app, wallet, market } = this.#own;
    const terms = { outcome, side: sideOf(side), tick, stake, keepWhenInPlay: true } as const;
    this.#records.push({
      at: at - TRAVEL_MS,
      record: {
        ...{ kind: 'sent', client, strategy: 's', wallet: 'main', market: 'm', marketName: 'm', ...terms },
        ...{ outcome: `o${outcome}`, outcomeTitle: '', matchBehavior: 'RetainUnmatched' },
      },
    });
    const request = { wallet, market, ...terms, matchBehavior: 'RetainUnmatched' } as const;
    this.#apply({ at, kind: 'place', app, requests: [request] }, { client, stake });
  }

  cancel(at: Instant, client: number): void {
    const order = this.#orderByClient.get(client);
    if (order === undefined || this.#ownByOrder.get(order)?.unmatched === 0) return;
    this.#records.push({ at: at - TRAVEL_MS, record: { kind: 'cancelSent', client } });
    this.#apply({ at, kind: 'cancel', app: this.#own.app, orders: [order] });
  }

  finish(): CrowdRun {
    this.#recorder.flush();
    const [updates, definitions] = [this.#updates, this.#definitions];
    const [first, last] = [updates[0]?.publishedAt ?? 0, updates.at(-1)?.publishedAt ?? 0];
    const outcomes = WEIGHTS.map((_, index) => `o${index}`);
    return {
      records: this.#records.sort((a, b) => a.at - b.at),
      market: {
        ...{ index: 0, id: 'm', outcomes, firstAt: first, lastAt: last },
        ...{ hasTrades: true, crossMatching: false, gaps: [] },
      },
      source: () => memorySource(updates, definitions),
    };
  }

  #apply(command: Command, placing?: { readonly client: number; readonly stake: Money }): void {
    this.#exchange.apply(command);
    const { events } = this.#exchange;
    const heard = Array.from({ length: events.length }, (_, index) => events.read(index));
    events.clear();
    for (const event of heard) {
      this.#motion.onEvent(event);
      this.#onEvent(event, placing);
    }
    this.#recorder.see(command, heard);
    this.#report(command.at);
  }

  #onEvent(event: ExchangeEvent, placing: { readonly client: number; readonly stake: Money } | undefined): void {
    if (event.kind === 'orderAccepted' && event.app === this.#own.app && placing !== undefined) {
      const { client, stake } = placing;
      this.#orderByClient.set(client, event.order);
      const own = { client, stake, matched: ZERO, unmatched: stake, voided: ZERO, isChanged: true };
      this.#ownByOrder.set(event.order, own);
      return;
    }
    if (event.kind !== 'orderMatched' && event.kind !== 'orderChanged') return;
    const own = this.#ownByOrder.get(event.order);
    if (own === undefined) return;
    own.isChanged = true;
    if (event.kind === 'orderMatched') {
      own.matched = money(own.matched + event.stake);
      own.unmatched = money(own.unmatched - event.stake);
    } else {
      own.unmatched = event.stakeUnmatched;
      own.voided = event.stakeVoided;
    }
  }

  #report(at: Instant): void {
    for (const [order, own] of this.#ownByOrder) {
      if (!own.isChanged) continue;
      own.isChanged = false;
      const { client, matched, unmatched, voided } = own;
      const status = unmatched > 0 ? 'Unmatched' : voided > 0 && matched === 0 ? 'Cancelled' : 'Matched';
      const stakes = { stakeMatched: matched, winningsMatched: ZERO, stakeUnmatched: unmatched, stakeVoided: voided };
      this.#records.push({ at, record: { kind: 'reported', client, order, status, ...stakes, at } });
      if (unmatched === 0) this.#ownByOrder.delete(order);
    }
  }
}

function copied(columns: UpdateColumns, sequence: number): UpdateBuffer {
  const update = new UpdateBuffer(columns.count);
  update.copy(columns);
  update.sequence = sequence;
  return update;
}

function memorySource(updates: readonly UpdateBuffer[], definitions: readonly RecordedDefinition[]): UpdateSource {
  let next = 0;
  return {
    startAt: updates[0]?.publishedAt ?? instant(0),
    index: 0,
    next: () => updates[next++],
    recorded: () => ({
      ...{ grade: 'A', updates: updates.length, definitions },
      facts: madeFacts('m', WEIGHTS.length),
    }),
  };
}
