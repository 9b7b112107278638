/** Seeded sequences of commands that know enough of the exchange's state to reach its deep ends. */

import type { Instant } from '../../src/core/number/units.ts';
import type { Command } from '../../src/matching/messages/command.ts';
import { AccountCommands } from './generator/account-commands.ts';
import { MarketCommands } from './generator/market-commands.ts';
import { OrderCommands } from './generator/order-commands.ts';
import type { World } from './oracle/world.ts';
import { Random } from './random.ts';

const START = 1_700_000_000_000;

const WEIGHTS = { order: 78, market: 9, account: 7, time: 6 };

/**
 * Draws one command after the other, looking at the oracle's world to aim well. The world must have done each command
 * before the next is drawn; then the sequence depends on the seed alone.
 */
export class CommandGenerator {
  readonly #random: Random;
  readonly #accounts: AccountCommands;
  readonly #markets: MarketCommands;
  readonly #orders: OrderCommands;
  #now = START;
  #last: Command | undefined;

  constructor(seed: number, world: World) {
    this.#random = new Random(seed);
    this.#accounts = new AccountCommands(this.#random, world);
    this.#markets = new MarketCommands(this.#random, world);
    this.#orders = new OrderCommands(this.#random, world);
  }

  next(): Command {
    this.#last = this.#draw();
    return this.#last;
  }

  #draw(): Command {
    // Two apps that beat together also lapse together, unless one is refreshed.
    if (this.#last?.kind === 'heartbeat' && this.#random.chance(0.4)) {
      return { ...this.#last, app: this.#random.between(1, 3) };
    }
    const setup = this.#accounts.setup() ?? this.#accounts.repair() ?? this.#markets.repair(this.#now);
    if (setup !== undefined) return this.#at(setup);
    const kind = this.#random.weighted(WEIGHTS);
    if (kind === 'order') return this.#at(this.#orders.next());
    if (kind === 'market') return this.#at(this.#markets.next(this.#now));
    if (kind === 'account') return this.#at(this.#accounts.next());
    this.#now += this.#random.pick([1, 500, 3_000, 9_999, 15_000]);
    return this.#at({ kind: 'advance' });
  }

  #at(command: Timeless): Command {
    if (this.#random.chance(0.7)) this.#now += this.#random.pick([1, 1, 10, 100, 300, 1_000]);
    return { at: this.#now as Instant, ...command } as Command;
  }
}

type WithoutTime<C> = C extends unknown ? Omit<C, 'at'> : never;
/** A command whose time is not yet known. */
export type Timeless = WithoutTime<Command>;
