/** A market in which one quote walks from price to price, and a strategy whose orders tell which price it saw. */

import { decimalOfTick, tick } from '../../../src/core/number/ladder.ts';
import { SandboxWorld } from '../conformance/sandbox-world.ts';
import type { MarketControl } from '../conformance/stage.ts';
import type { DaemonStage, RunningDaemon } from './daemon-stage.ts';

/**
 * Backs the second outcome, where nobody else is, at the best price that it sees of the first one, and takes that away again: each order
 * tells what was seen.
 */
export const WITNESS = `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'witness',
  decide({ market, orders }) {
    const [seen, other] = market.outcomes;
    const best = seen?.bestAgainst?.price;
    if (!market.tradable || best === undefined || other === undefined) return [];
    if (orders.length > 0) return orders.map(({ id }) => ({ kind: 'cancel', order: id }));
    return [back(other, { stake: 2, price: best })];
  },
});
`;

/** An order of the witness, by the daemon's log. */
export interface Testimony {
  readonly at: number;
  readonly price: number;
}

interface Quote extends Testimony {
  goneAt: number;
}

const STEP_MS = 100;
const LOWEST = 100;
/** The quote goes up and down over so many prices: none comes again before the oldest price that may be traded on is forgotten. */
const PRICES = 120;

export class PriceWalk {
  readonly #market: MarketControl;
  readonly #quotes: Quote[] = [];
  #timer: NodeJS.Timeout | undefined;

  private constructor(market: MarketControl) {
    this.#market = market;
  }

  static async open({ sandbox }: DaemonStage): Promise<PriceWalk> {
    const terms = { number: 1, balance: 1_000, commission: 5, currency: 'USDC' };
    const walk = new PriceWalk(await new SandboxWorld(sandbox, terms).market({}));
    await walk.#step();
    return walk;
  }

  get marketId(): string {
    return this.#market.id;
  }

  /** The price at which it stands. */
  get price(): number | undefined {
    return this.#quotes.at(-1)?.price;
  }

  walk(): void {
    this.#timer = setInterval(() => void this.#step(), STEP_MS);
  }

  stand(): void {
    clearInterval(this.#timer);
  }

  /** While the market is suspended, it stands: no order of a maker would be taken. */
  suspend(isSuspended: boolean): Promise<void> {
    this.stand();
    if (!isSuspended) this.walk();
    return this.#market.suspend(isSuspended);
  }

  /** Those who saw a price that had been gone for longer than this, or never was. */
  false(testimonies: readonly Testimony[], oldestMs: number): readonly Testimony[] {
    return testimonies.filter(
      ({ at, price }) =>
        !this.#quotes.some((quote) => quote.price === price && quote.at <= at && quote.goneAt >= at - oldestMs),
    );
  }

  async #step(): Promise<void> {
    const before = this.#quotes.at(-1);
    const turn = this.#quotes.length % (2 * PRICES);
    const price = decimalOfTick(tick(LOWEST + Math.min(turn, 2 * PRICES - turn)));
    this.#quotes.push({ at: Date.now(), price, goneAt: Number.POSITIVE_INFINITY });
    await this.#market.rest({ outcome: 0, side: 'Against', price, stake: 5 });
    if (before === undefined) return;
    await this.#market.clear({ outcome: 0, side: 'Against', price: before.price });
    before.goneAt = Date.now();
  }
}

const SENT = / sent: back 2 at (\S+) on /;

/** What the witness sent since then, as it was logged. */
export function testimoniesOf(daemon: RunningDaemon, since = 0): readonly Testimony[] {
  return daemon.lines().flatMap(({ about, msg, time }) => {
    const price = SENT.exec(msg)?.[1];
    if (about !== 'sent' || price === undefined || Date.parse(time) < since) return [];
    return [{ at: Date.parse(time), price: Number(price) }];
  });
}
