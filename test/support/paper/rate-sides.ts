/** Two sides that read the same prices and decide by the same rule, but for some milliseconds, under a limit of orders a second. */

import { money } from '../../../src/core/number/units.ts';
import { Random } from '../random.ts';
import { MadeRun } from './records.ts';

export interface RateSides {
  readonly seed: number;
  readonly markets: number;
  readonly limit: number;
  readonly readings: number;
  /** How many orders the limiter of the replay counts too many: 0 as it should be. */
  readonly wrongBy?: number;
}

const EVERY_MS = 175;
const VOIDED = { status: 'Cancelled', stakeUnmatched: money(0), stakeVoided: money(2_000_000) } as const;

interface Habits {
  /** By how much a reading may come later, so that markets that are read at nearly the same time change places. */
  readonly jitterMs: number;
  readonly answerMs: number;
  readonly wrongBy: number;
}

/** What happens on one side, at one instant. */
interface Due {
  readonly at: number;
  readonly act: () => void;
}

/** Each market is quoted at both sides of one price until both orders are live; they live for some readings and are voided. */
export function rateSides(parts: RateSides): readonly [run: MadeRun, replay: MadeRun] {
  const lives = new Random(parts.seed);
  const lifeOf = Array.from({ length: parts.markets }, () => lives.between(2, 10));
  return [
    new RateSide(parts, lifeOf, { jitterMs: 4, answerMs: 5, wrongBy: 0 }).play(),
    new RateSide(parts, lifeOf, { jitterMs: 2, answerMs: 120, wrongBy: parts.wrongBy ?? 0 }).play(),
  ];
}

class RateSide {
  readonly #made = new MadeRun();
  readonly #sentAts: number[] = [];
  readonly #live = new Map<string, number>();
  readonly #due: Due[] = [];
  readonly #parts: RateSides;
  readonly #lifeOf: readonly number[];
  readonly #habits: Habits;

  constructor(parts: RateSides, lifeOf: readonly number[], habits: Habits) {
    this.#parts = parts;
    this.#lifeOf = lifeOf;
    this.#habits = habits;
  }

  play(): MadeRun {
    const { seed, markets, readings } = this.#parts;
    const random = new Random(seed + this.#habits.jitterMs);
    for (let reading = 0; reading < readings; reading += 1) {
      for (let market = 0; market < markets; market += 1) {
        const at = 1_000 + reading * EVERY_MS + market + random.between(0, this.#habits.jitterMs);
        this.#due.push({ at, act: () => this.#decide(at, market, reading) });
      }
    }
    for (let next = this.#next(); next !== undefined; next = this.#next()) next.act();
    return this.#made;
  }

  /** What is due first; of one instant, what was planned first. */
  #next(): Due | undefined {
    let first = 0;
    for (const [index, { at }] of this.#due.entries()) if (at < (this.#due[first]?.at ?? at)) first = index;
    return this.#due.splice(first, 1)[0];
  }

  #decide(at: number, market: number, reading: number): void {
    const { limit } = this.#parts;
    const wanted = (['For', 'Against'] as const).filter((side) => !this.#live.has(`${market} ${side}`));
    if (wanted.length === 0) return;
    // The price moves at each fourth reading.
    const tick = 50 + Math.floor(reading / 4);
    const quotes = wanted.map((side) => ({ market: `m${market}`, side, tick }));
    this.#made.decides(at, quotes);
    for (const [index, quote] of quotes.entries()) {
      const counted = this.#sentAts.filter((sentAt) => sentAt > at - 1_000).length;
      if (counted + this.#habits.wrongBy >= limit)
        this.#made.refusedOf(at, 'LIMIT_RATE', quote, { limit, value: counted, wouldBe: counted + 1 });
      else this.#send(at, { market, side: wanted[index] ?? 'For', quote });
    }
  }

  #send(
    at: number,
    { market, side, quote }: { market: number; side: string; quote: { readonly market: string } },
  ): void {
    const client = this.#made.sent(at, quote);
    const key = `${market} ${side}`;
    this.#sentAts.push(at);
    this.#live.set(key, client);
    const answeredAt = at + this.#habits.answerMs;
    this.#due.push({ at: answeredAt, act: () => this.#made.report(answeredAt, client) });
    const endsAt = answeredAt + (this.#lifeOf[market] ?? 1) * EVERY_MS;
    this.#due.push({
      at: endsAt,
      act: () => {
        this.#live.delete(key);
        this.#made.report(endsAt, client, 0, VOIDED);
      },
    });
  }
}
