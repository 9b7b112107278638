/** Live markets that move by a seed, and the messages that a feed would send of them at uneven real times. */

import { Subject } from 'rxjs';
import type { MinimumStake } from '../../../src/core/minimum-stake.ts';
import { instant } from '../../../src/core/number/units.ts';
import { AGAINST, FOR } from '../../../src/core/side.ts';
import type { MarketFeedMessage } from '../../../src/simulator/paper-exchange.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { Random } from '../random.ts';
import { MadeBook } from '../record/made-book.ts';

const UNIT = 1_000_000;
const OUTCOMES = 2;

export interface RestlessOptions {
  readonly seed: number;
  readonly markets: number;
  /** Of real time. */
  readonly lengthMs: number;
  readonly minimumStake?: MinimumStake;
}

/** Puts all its news on a clock of real time, whose milliseconds have fractions; several pieces share many of them. */
export class RestlessMarkets {
  readonly news$ = new Subject<MarketFeedMessage>();
  readonly books: readonly MadeBook[];
  readonly #wall: SimulatedClock;
  readonly #random: Random;
  readonly #middles: number[][];

  constructor(wall: SimulatedClock, { seed, markets, lengthMs, minimumStake }: RestlessOptions) {
    this.#wall = wall;
    this.#random = new Random(seed);
    this.books = Array.from({ length: markets }, (_, index) => new MadeBook(`m${index}`, index));
    this.#middles = this.books.map(() => Array.from({ length: OUTCOMES }, () => this.#random.between(60, 200)));
    for (const book of this.books) {
      book.inPlayDelayMs = 1_000;
      book.minimumStake = minimumStake;
    }
    this.#wall.at(this.#wall.now() + 1, () => this.#list());
    this.#wall.at(this.#wall.now() + lengthMs, () => this.#end());
  }

  /** Every market sends its messages, in an order of its own, within the same instants. */
  #list(): void {
    for (const book of [...this.books].reverse()) this.#move(book);
    for (const book of this.books) this.news$.next({ kind: 'market', market: book, cause: 'listed' });
    this.#wait();
  }

  #wait(): void {
    this.#wall.at(this.#wall.now() + 0.3 + this.#random.next() * (this.#random.chance(0.1) ? 900 : 60), () =>
      this.#step(),
    );
  }

  #step(): void {
    const open = this.books.filter((book) => !book.isOver);
    if (open.length === 0) return;
    const told = this.#random.chance(0.5) ? open : [this.#random.pick(open)];
    for (const book of told.toSorted(() => this.#random.next() - 0.5)) {
      const isStatus = this.#random.chance(0.02);
      if (isStatus) this.#change(book);
      else this.#move(book);
      this.news$.next({ kind: 'market', market: book, cause: isStatus ? 'status' : 'prices' });
    }
    this.news$.next({ kind: 'read', feed: 'prices', at: instant(Math.floor(this.#wall.now())) });
    this.#wait();
  }

  /** Levels come and go around a middle that wanders; what rested there may trade. */
  #move(book: MadeBook): void {
    const random = this.#random;
    for (let outcome = 0; outcome < OUTCOMES; outcome += 1) {
      const middles = this.#middles[book.index] ?? [];
      const middle = (middles[outcome] ?? 100) + (random.chance(0.2) ? random.between(-1, 1) : 0);
      middles[outcome] = Math.max(20, Math.min(300, middle));
      for (let distance = -4; distance <= 4; distance += 1) {
        const side = distance > 0 ? FOR : AGAINST;
        const tick = (middles[outcome] ?? 0) + distance;
        book.rests(outcome, 1 - side === FOR ? FOR : AGAINST, tick, 0);
        if (random.chance(0.5)) book.rests(outcome, side, tick, distance === 0 ? 0 : random.between(0, 60) * UNIT);
        if (random.chance(0.15)) {
          const before = book.matchedAt(outcome, side, tick);
          book.matched(outcome, side, tick, before + random.between(1, 40) * UNIT);
        }
      }
    }
  }

  #change(book: MadeBook): void {
    const what = this.#random.between(0, 5);
    if (what <= 2) book.suspended = !book.suspended;
    else if (what === 3) book.inPlayStatus = 'InPlay';
    else if (what === 4) book.inPlayDelayMs = this.#random.between(0, 3) * 1_000;
    else this.#settle(book);
  }

  #settle(book: MadeBook): void {
    book.winner = this.#random.between(0, OUTCOMES - 1);
    book.status = 'Settled';
    this.#wall.at(this.#wall.now() + this.#random.next() * 2_000, () => {
      book.status = 'Closed';
      this.news$.next({ kind: 'market', market: book, cause: 'status' });
    });
  }

  #end(): void {
    for (const book of this.books) {
      if (book.isOver) continue;
      this.#settle(book);
      this.news$.next({ kind: 'market', market: book, cause: 'status' });
    }
  }
}
