/** The life around the bot: markets open, stop, go in play, end and are settled, and a crowd trades in them all the while. */

import { defined } from '../../../src/core/checks/assert.ts';
import { TICK_COUNT, type Tick } from '../../../src/core/number/ladder.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { type Money, STAKE_STEP } from '../../../src/core/number/units.ts';
import type { Side } from '../../../src/core/side.ts';
import type { MarketView } from '../../../src/matching/state/views.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { type ExchangeWorld, MARKET_TYPE } from './exchange-world.ts';
import { isOn } from './hardships.ts';
import type { Story } from './story.ts';

export interface LifePlan {
  readonly events: number;
  /** Open at the same time. */
  readonly markets: number;
  /** Ever made. */
  readonly marketsMax: number;
  /** Mean time between two acts of the crowd in one market. */
  readonly crowdMs: number;
  /** Mean time between two changes of one market. */
  readonly changeMs: number;
}

/** What happens to the markets of one exchange alone. */
export interface OwnMoves {
  /** Whether it changed the market, so that nothing else does now. */
  change(living: Pick<Living, 'market' | 'outcomes' | 'winnersMax'>, view: MarketView): boolean;
}

interface Living {
  readonly market: number;
  readonly outcomes: number;
  readonly winnersMax: number;
  /** What the crowd takes for the price now, by outcome, as a tick. */
  readonly fair: number[];
  readonly resting: number[];
  wasInPlay: boolean;
  /** What rests in it stays when it is locked. */
  readonly keepsAtLock: boolean;
}

const HOUR_MS = 3_600_000;
const LEVELS = 3;
const RESTING_MAX = 24;

export class MarketLife {
  readonly #time: SimulatedClock;
  readonly #exchange: ExchangeWorld;
  readonly #random: Random;
  readonly #plan: LifePlan;
  readonly #story: Story;
  readonly #moves: OwnMoves | undefined;
  readonly #events: { readonly event: number; readonly id: string }[] = [];
  readonly #living = new Map<number, Living>();
  #made = 0;
  /** From now on markets stay open, and the crowd alone moves. */
  #isCalm = false;
  /** From now on neither markets nor crowd do anything. */
  isStill = false;

  constructor(parts: {
    readonly time: SimulatedClock;
    readonly exchange: ExchangeWorld;
    readonly random: Random;
    readonly plan: LifePlan;
    readonly story: Story;
    readonly moves?: OwnMoves;
  }) {
    this.#moves = parts.moves;
    this.#time = parts.time;
    this.#exchange = parts.exchange;
    this.#random = parts.random;
    this.#plan = parts.plan;
    this.#story = parts.story;
    for (let i = 0; i < this.#plan.events; i += 1) this.#newEvent(i);
  }

  get eventIds(): readonly string[] {
    return this.#events.map(({ id }) => id);
  }

  /** Markets that were ever made, by the machine's number. */
  get markets(): IterableIterator<number> {
    return this.#living.keys();
  }

  start(): void {
    for (let i = 0; i < this.#plan.markets; i += 1) this.#newMarket();
  }

  /** Nothing new happens to markets, and one at least is there to trade on. */
  calm(): void {
    this.#isCalm = true;
    let open = 0;
    for (const { market } of this.#living.values()) {
      const view = defined(this.#exchange.machine.market(market), 'the market is there');
      if (view.status === 'Initializing') this.#open(market);
      if (view.status === 'Locked' && isOn('halting') && this.#random.chance(0.5)) this.#reopen(market);
      if (view.suspended) this.#exchange.command({ kind: 'suspend', market, suspended: false });
      if (view.status === 'Open' || view.status === 'Initializing') open += 1;
    }
    if (open === 0) {
      const living = this.#newMarket();
      this.#open(living.market);
    }
  }

  /** Everything is suspended and freed again, quickly. */
  suspensionStorm(): void {
    this.#story.count('world suspensionStorm');
    const flips = 4 + this.#random.below(8);
    for (let flip = 0; flip < flips; flip += 1) {
      this.#in(flip * (30 + this.#random.below(300)), () => {
        if (this.#isCalm) return;
        for (const { market } of this.#living.values()) {
          this.#exchange.command({ kind: 'suspend', market, suspended: flip % 2 === 0 && flip < flips - 1 });
        }
      });
    }
  }

  /** An order in the bot's own wallet that the bot knows nothing of. Undefined where none was taken. */
  foreignOrder(reference: string | undefined): number | undefined {
    const open = [...this.#living.values()].filter(({ market }) => this.#isOpen(market));
    const living = open[this.#random.below(Math.max(1, open.length))];
    if (living === undefined) return undefined;
    const outcome = this.#random.below(living.outcomes);
    const side: Side = this.#random.chance(0.5) ? 'For' : 'Against';
    const tick = this.#tickNear(
      living,
      outcome,
      side === 'For' ? this.#random.below(6) - 2 : 2 - this.#random.below(6),
    );
    const wallet = defined(this.#exchange.wallets[this.#random.below(this.#exchange.wallets.length)], 'a wallet');
    const stake = this.#stake(5);
    const terms = { wallet, market: living.market, outcome, side, tick, stake, keepWhenInPlay: true } as const;
    return this.#exchange.placeBeside({ ...terms, matchBehavior: 'RetainUnmatched' }, reference);
  }

  #in(ms: number, task: () => void): void {
    this.#time.at(this.#time.now() + ms, task);
  }

  #newEvent(number: number): void {
    this.#exchange.change({
      ...{ kind: 'createEvent', app: this.#exchange.crowdApp, eventGroupId: 'CUP', name: `Match ${number}` },
      ...{ code: `M${number}`, expectedStartTime: this.#exchange.in(HOUR_MS), participantIds: [] },
    });
    const { event, id } = defined([...this.#exchange.world.catalogue.events.values()].at(-1), 'it was made');
    if (this.#exchange.machine.event(event)?.active !== true)
      this.#exchange.command({ kind: 'setEventActive', event, active: true });
    this.#events.push({ event, id });
  }

  #newMarket(): Living {
    const { event } = defined(this.#events[this.#random.below(this.#events.length)], 'there is an event');
    const outcomes = 2 + this.#random.below(this.#random.chance(0.2) ? 4 : 2);
    const winnersMax = outcomes > 2 && this.#random.chance(0.15) ? 2 : 1;
    const hasDelay = this.#random.chance(0.5);
    const keepsAtLock = this.#random.chance(0.5);
    this.#exchange.change({
      ...{ kind: 'createMarket', app: this.#exchange.crowdApp, event, name: `Market ${this.#made}` },
      ...{
        marketTypeId: MARKET_TYPE,
        currencyId: this.#exchange.currency,
        winners: { min: winnersMax, max: winnersMax },
      },
      outcomes: Array.from({ length: outcomes }, (_, outcome) => ({ title: `Outcome ${outcome}` })),
      ...{
        crossMatching: this.#exchange.mayCrossMatch && winnersMax === 1 && this.#random.chance(0.4),
        turnsInPlay: this.#random.chance(0.7),
      },
      ...{ inPlayDelayMs: hasDelay ? 200 + this.#random.below(1_500) : 0, lockAt: this.#exchange.in(2 * HOUR_MS) },
      eventStartAction: this.#random.chance(0.6) ? 'CancelUnmatchedLiquidity' : 'None',
      marketLockAction: keepsAtLock ? 'None' : 'CancelUnmatchedLiquidity',
    });
    const { market } = defined([...this.#exchange.world.catalogue.markets.values()].at(-1), 'it was made');
    // Even chances for all, and room on both sides of the ladder.
    const fair = Array.from({ length: outcomes }, () => 80 + 22 * outcomes + this.#random.below(30));
    const living: Living = { market, outcomes, winnersMax, fair, resting: [], wasInPlay: false, keepsAtLock };
    this.#living.set(market, living);
    this.#made += 1;
    if (this.#random.chance(0.8)) this.#open(market);
    for (let outcome = 0; outcome < outcomes; outcome += 1) this.#fill(living, outcome);
    this.#crowdLater(living);
    this.#changeLater(living);
    return living;
  }

  #open(market: number): void {
    this.#exchange.command({ kind: 'publish', market, published: true });
    this.#exchange.command({ kind: 'open', market });
    this.#story.count('market opened');
  }

  /** Markets are locked, with what rests in them, and open again after a while. */
  shut(): void {
    for (const { market, keepsAtLock } of this.#living.values()) {
      if (!keepsAtLock || !this.#isOpen(market)) continue;
      this.#exchange.command({ kind: 'lock', market });
      this.#story.count('market shut while halting');
      this.#in(500 + this.#random.below(6_000), () => {
        if (this.#exchange.statusOf(market) === 'Locked') this.#reopen(market);
      });
    }
  }

  /** What rests in it lives on, and can be cancelled again. */
  #reopen(market: number): void {
    this.#story.count('market reopened');
    this.#exchange.command({ kind: 'open', market, reopen: true });
  }

  /** What can go in play does, at once. */
  allInPlay(): void {
    for (const living of this.#living.values()) {
      if (!this.#isOpen(living.market) || living.wasInPlay) continue;
      living.wasInPlay = true;
      if (this.#exchange.command({ kind: 'setInPlay', market: living.market, inPlay: true }) !== undefined)
        this.#story.count('market in play in the dark');
    }
  }

  #isOpen(market: number): boolean {
    return this.#exchange.takesOrders(market);
  }

  #changeLater(living: Living): void {
    this.#in(Math.round(this.#plan.changeMs * (0.2 + this.#random.exponential())), () => {
      if (this.#isCalm) return;
      if (this.#changeOnce(living)) this.#changeLater(living);
    });
  }

  /** False where nothing can happen to the market any more. */
  #changeOnce(living: Living): boolean {
    const { market } = living;
    const view = defined(this.#exchange.machine.market(market), 'the market is there');
    if (this.#moves?.change(living, view) === true) return true;
    const luck = this.#random.uniform();
    switch (view.status) {
      case 'Initializing':
        this.#open(market);
        return true;
      case 'Open':
        if (view.suspended) this.#exchange.command({ kind: 'suspend', market, suspended: false });
        else this.#changeOpen(living, luck);
        return true;
      case 'Locked':
        if (isOn('halting') && luck > 0.7) this.#reopen(market);
        else this.#finish(living, luck);
        return true;
      case 'Settled':
      case 'Voided':
        return this.#afterwards(living, luck);
      default:
        return false;
    }
  }

  #changeOpen(living: Living, luck: number): void {
    const { market } = living;
    if (luck < 0.35) {
      this.#story.count('market suspended');
      this.#exchange.command({ kind: 'suspend', market, suspended: true });
    } else if (luck < 0.65 && !living.wasInPlay) {
      living.wasInPlay = true;
      if (this.#exchange.command({ kind: 'setInPlay', market, inPlay: true }) !== undefined)
        this.#story.count('market in play');
    } else if (luck < 0.85) {
      this.#story.count('market locked');
      this.#exchange.command({ kind: 'lock', market });
    } else if (luck < 0.88) {
      this.#story.count('market voided');
      this.#exchange.command({ kind: 'void', market });
    }
  }

  #finish(living: Living, luck: number): void {
    const { market } = living;
    if (luck < 0.15) {
      this.#story.count('market voided');
      this.#exchange.command({ kind: 'void', market });
    } else {
      this.#story.count('market settled');
      this.#exchange.command({ kind: 'settle', market, winners: this.#winners(living) });
    }
    if (this.#made < this.#plan.marketsMax) this.#newMarket();
  }

  #afterwards(living: Living, luck: number): boolean {
    const { market } = living;
    if (luck < 0.25) {
      this.#story.count('market resettled');
      this.#exchange.command({ kind: 'resettle', market, winners: luck < 0.05 ? [] : this.#winners(living) });
    } else if (luck < 0.5) {
      this.#story.count('market closed');
      this.#exchange.command({ kind: 'close', market });
      return false;
    }
    return true;
  }

  #winners({ outcomes, winnersMax }: Living): readonly number[] {
    const first = this.#random.below(outcomes);
    return winnersMax === 1 ? [first] : [first, (first + 1) % outcomes];
  }

  #crowdLater(living: Living): void {
    this.#in(Math.round(this.#plan.crowdMs * this.#random.exponential()) + 1, () => {
      if (this.isStill || this.#exchange.isOver(living.market)) return;
      if (this.#isOpen(living.market)) this.#trade(living);
      this.#crowdLater(living);
    });
  }

  #trade(living: Living): void {
    const outcome = this.#random.below(living.outcomes);
    if (this.#random.chance(0.4)) this.#walk(living, outcome);
    const luck = this.#random.uniform();
    const side: Side = this.#random.chance(0.5) ? 'For' : 'Against';
    if (luck < 0.45) this.#take(living, outcome, side);
    else if (luck < 0.9) this.#rest(living, outcome, side);
    else this.#fill(living, outcome);
    if (living.resting.length > RESTING_MAX) {
      const orders = living.resting.splice(0, living.resting.length - RESTING_MAX + 6);
      this.#exchange.command({ kind: 'cancel', app: this.#exchange.crowdApp, orders });
    }
  }

  #walk(living: Living, outcome: number): void {
    const fair = (living.fair[outcome] ?? 100) + this.#random.below(5) - 2;
    living.fair[outcome] = Math.min(TICK_COUNT - 20, Math.max(20, fair));
  }

  #fill(living: Living, outcome: number): void {
    for (let level = 1; level <= LEVELS; level += 1) {
      this.#place(living, outcome, 'For', level, 8);
      this.#place(living, outcome, 'Against', -level, 8);
    }
  }

  #rest(living: Living, outcome: number, side: Side): void {
    const away = 1 + this.#random.below(4);
    this.#place(living, outcome, side, side === 'For' ? away : -away, 12);
  }

  /** Takes all that rests within a few ticks, the bot's orders included. */
  #take(living: Living, outcome: number, side: Side): void {
    const reach = this.#random.below(8);
    this.#place(living, outcome, side, side === 'For' ? -reach : reach, 15, true);
  }

  #place(living: Living, outcome: number, side: Side, away: number, most: number, isTaking = false): void {
    const order = {
      ...{ wallet: this.#exchange.crowdWallet, market: living.market, outcome, side, keepWhenInPlay: true },
      tick: this.#tickNear(living, outcome, away),
      stake: this.#stake(most),
      matchBehavior: isTaking ? 'CancelUnmatched' : 'RetainUnmatched',
    } as const;
    const events = this.#exchange.command({ kind: 'place', app: this.#exchange.crowdApp, requests: [order] });
    const accepted = events?.find((event) => event.kind === 'orderAccepted');
    if (accepted?.kind === 'orderAccepted' && !isTaking) living.resting.push(accepted.order);
  }

  #tickNear(living: Living, outcome: number, away: number): Tick {
    const near = (living.fair[outcome] ?? 100) + away;
    return Math.min(TICK_COUNT - 1, Math.max(0, near)) as Tick;
  }

  /** Uneven stakes, so that orders match in pieces. */
  #stake(most: number): Money {
    const stake = (1_000 + this.#random.below(most * 1_000)) * STAKE_STEP;
    return (stake - (stake % this.#exchange.stakeStep)) as Money;
  }
}
