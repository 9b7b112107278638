/** A seeded crowd of traders on one market: it says which order comes next, and when. */

import { NO_TICK, TICK_COUNT, type Tick, tick } from '../../core/number/ladder.ts';
import type { Random } from '../../core/number/random.ts';
import { type Instant, instant, type Money, money } from '../../core/number/units.ts';
import { AGAINST, FOR, oppositeIndex, type SideIndex, sideOf, worseStep } from '../../core/side.ts';
import type { Command, PlaceRequest } from '../../matching/messages/command.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import { CrowdOrders } from './crowd-orders.ts';
import type { CrowdProfile } from './crowd-profile.ts';
import type { FairOdds } from './fair-odds.ts';

/** What the crowd sees of a market; `side` is the resting side. */
export interface CrowdView {
  bestTick(outcome: number, side: SideIndex): number;
}

/** The app and the wallet by which the crowd trades, and the market, all by the exchange's ids. */
export interface CrowdTrader {
  readonly app: number;
  readonly wallet: number;
  readonly market: number;
  readonly outcomes: number;
}

/** Stakes are whole hundredths of the currency's unit. */
const STAKE_GRAIN = 10_000;
const MS_PER_SECOND = 1000;

/**
 * Orders arrive as a Poisson process. Most quote around the fair odds, a share of them takes the best price there is;
 * each has a life drawn when it is placed, and is cancelled at its end. The crowd reads no clock: `nextAt` says when it
 * acts next and `next` what it does then; it learns what became of its orders by `onEvent`.
 */
export class Crowd {
  readonly fair: FairOdds;
  readonly #trader: CrowdTrader;
  readonly #profile: CrowdProfile;
  readonly #random: Random;
  readonly #orders: CrowdOrders;
  #placesAt = Number.POSITIVE_INFINITY;
  #driftedAt = 0;
  #pace = 1;
  /** How many quotes are still to come before takers start. */
  #rebuilding = 0;
  /** The slot of the order that is being placed. */
  #placing: number | undefined;

  constructor(options: {
    readonly trader: CrowdTrader;
    readonly profile: CrowdProfile;
    readonly fair: FairOdds;
    readonly random: Random;
  }) {
    this.fair = options.fair;
    this.#trader = options.trader;
    this.#profile = options.profile;
    this.#random = options.random;
    this.#orders = new CrowdOrders(options.trader.outcomes);
  }

  /** When the crowd acts next; Infinity where it never will. */
  get nextAt(): number {
    this.#forgetEnded();
    return Math.min(this.#placesAt, this.#orders.nextEndAt);
  }

  /** Starts placing orders, or continues after a pause, during which fair odds did not move. */
  resume(at: Instant): void {
    this.#driftedAt = at;
    this.#rebuilding = this.#profile.rebuildOrders * this.fair.active.length;
    this.#placesAt = at + this.#gapMs();
  }

  /** Stops placing orders; orders still end when their lives are over. */
  pause(): void {
    this.#placesAt = Number.POSITIVE_INFINITY;
  }

  /** Sets how many times faster than pre-play everything goes from now on. */
  setPace(pace: number): void {
    this.#pace = pace;
  }

  /**
   * The next command. Call it only where `nextAt` is finite, apply the command, then pass every event it gave to
   * `onEvent`.
   */
  next(view: CrowdView): Command {
    this.#forgetEnded();
    const endsAt = this.#orders.nextEndAt;
    if (endsAt <= this.#placesAt) return this.#cancel(instant(endsAt));
    const at = instant(this.#placesAt);
    const elapsed = (at - this.#driftedAt) / MS_PER_SECOND;
    this.fair.drift(this.#random, this.#profile.volatility * Math.sqrt(elapsed) * this.#pace);
    this.#driftedAt = at;
    this.#placesAt = at + this.#gapMs();
    return this.#place(at, view);
  }

  onEvent(event: ExchangeEvent): void {
    if (event.kind === 'orderAccepted' && event.app === this.#trader.app) this.#accepted(event.order);
    if (event.kind === 'orderRefused' && event.app === this.#trader.app) this.#placing = undefined;
    if (event.kind === 'orderChanged' && event.stakeUnmatched === 0) this.#orders.ended(event.order);
  }

  #accepted(order: number): void {
    if (this.#placing === undefined) return;
    this.#orders.accepted(this.#placing, order);
    this.#placing = undefined;
  }

  #cancel(at: Instant): Command {
    const order = this.#orders.endNext(this.#profile.cancellations);
    return { at, kind: 'cancel', app: this.#trader.app, orders: order === undefined ? [] : [order] };
  }

  #place(at: Instant, view: CrowdView): Command {
    const random = this.#random;
    const outcome = this.fair.active[random.below(this.fair.active.length)] ?? 0;
    const side = random.chance(0.5) ? FOR : AGAINST;
    const isTaker = this.#rebuilding === 0 && random.chance(this.#profile.takerShare);
    this.#rebuilding = Math.max(0, this.#rebuilding - 1);
    const rests = !isTaker || random.chance(this.#profile.takerRestsShare);
    const limit = isTaker ? this.#takerTick(outcome, side, view) : undefined;
    const at350 = limit ?? this.#quoteTick(outcome, side);
    const life = (random.exponential() * this.#profile.lifetimeMs) / this.#pace;
    this.#placing = this.#orders.add({
      level: (outcome * 2 + side) * TICK_COUNT + at350,
      endsAt: at + 1 + Math.floor(life),
    });
    const request: PlaceRequest = {
      wallet: this.#trader.wallet,
      market: this.#trader.market,
      side: sideOf(side),
      outcome,
      tick: at350,
      stake: this.#stake(),
      keepWhenInPlay: random.chance(this.#profile.keepShare),
      matchBehavior: rests ? 'RetainUnmatched' : 'CancelUnmatched',
    };
    return { at, kind: 'place', app: this.#trader.app, requests: [request] };
  }

  /** The best price there is or a little beyond; undefined where nothing rests that could be taken. */
  #takerTick(outcome: number, side: SideIndex, view: CrowdView): Tick | undefined {
    const resting = oppositeIndex(side);
    const best = view.bestTick(outcome, resting);
    if (best === NO_TICK) return undefined;
    const reach = this.#random.below(this.#profile.takerReachTicks + 1);
    return tick(onLadder(best + worseStep(resting) * reach));
  }

  /** A tick at the fair odds or behind them, seen from the order's own side. */
  #quoteTick(outcome: number, side: SideIndex): Tick {
    const depth = Math.floor(this.#random.exponential() * this.#profile.depthTicks);
    return tick(onLadder(this.fair.tick(outcome, side) + worseStep(side) * depth));
  }

  /** A stake from a Pareto distribution of index 2, which needs a square root and no power. */
  #stake(): Money {
    const { stakeMin, stakeMax } = this.#profile;
    const size = stakeMin / Math.sqrt(1 - this.#random.uniform());
    return money(Math.round(Math.min(size, stakeMax) / STAKE_GRAIN) * STAKE_GRAIN);
  }

  #gapMs(): number {
    const rush = this.#rebuilding > 0 ? this.#profile.rebuildPace : 1;
    const mean = MS_PER_SECOND / (this.#profile.ordersPerSecond * this.#pace * rush);
    return 1 + Math.floor(this.#random.exponential() * mean);
  }

  #forgetEnded(): void {
    if (this.#profile.blindCancels) return;
    while (this.#orders.nextEndAt < Number.POSITIVE_INFINITY && !this.#orders.nextIsAlive) {
      if (this.#placing !== undefined) return;
      this.#orders.endNext('uniform');
    }
  }
}

function onLadder(index: number): number {
  return Math.max(0, Math.min(TICK_COUNT - 1, index));
}
