/** A small exchange to place bets on in tests of the oracle: one app, one market that is open, money in decimals. */

import type { Tick } from '../../src/core/number/ladder.ts';
import type { Instant, Money } from '../../src/core/number/units.ts';
import type { Command, MarketTerms, PlaceRequest } from '../../src/matching/messages/command.ts';
import { LADDER } from './oracle/ladder.ts';
import { Oracle } from './oracle/oracle.ts';
import type { OracleOrder, World } from './oracle/world.ts';

const AT = 1_000 as Instant;
const CURRENCY = 0;
type WithoutTime<C> = C extends unknown ? Omit<C, 'at'> : never;

export interface DeskBet {
  readonly side: PlaceRequest['side'];
  readonly outcome: number;
  readonly price: number;
  readonly stake: number;
}

export class Desk {
  readonly #oracle = new Oracle();
  readonly #app = 1;

  constructor(terms: Partial<MarketTerms>, { ratePpm = 0 } = {}) {
    this.#do({ kind: 'createApp' });
    this.#do({ kind: 'createCommissionRate', app: this.#app, ratePpm, isDefault: true });
    this.#do({ kind: 'createEvent', app: this.#app });
    this.#do({
      kind: 'createMarket',
      app: this.#app,
      event: 0,
      currency: CURRENCY,
      outcomes: 3,
      winners: { min: 1, max: 1 },
      crossMatching: true,
      turnsInPlay: false,
      inPlayDelayMs: 0,
      eventStartAction: 'None',
      marketLockAction: 'None',
      ...terms,
    });
    this.#do({ kind: 'publish', market: 0, published: true });
    this.#do({ kind: 'open', market: 0 });
  }

  get world(): World {
    return this.#oracle.world;
  }

  /** A new wallet with money in it. */
  wallet(balance: number): number {
    const wallet = this.world.wallets.length;
    this.#do({ kind: 'createWallet', app: this.#app });
    this.#do({ kind: 'openAccount', wallet, currency: CURRENCY });
    this.#do({ kind: 'deposit', wallet, currency: CURRENCY, amount: micros(balance) });
    return wallet;
  }

  /** Places a bet that must be accepted, and returns the order as it stands, and as it will change. */
  bet(wallet: number, { side, outcome, price, stake }: DeskBet): OracleOrder {
    const at = LADDER.indexOf(BigInt(Math.round(price * 1000))) as Tick;
    const orders = this.world.orders.length;
    const keep = { keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' } as const;
    const request: PlaceRequest = { wallet, market: 0, side, outcome, tick: at, stake: micros(stake), ...keep };
    this.#do({ kind: 'place', app: this.#app, requests: [request] });
    const order = this.world.orders[orders];
    if (order === undefined) throw new Error(`the bet was refused: ${JSON.stringify(this.world.log)}`);
    return order;
  }

  settle(winners: readonly number[]): void {
    this.#do({ kind: 'lock', market: 0 });
    this.#do({ kind: 'settle', market: 0, winners });
  }

  balance(wallet: number): number {
    const account = this.world.wallets[wallet]?.accounts.find(({ currency }) => currency === CURRENCY);
    return Number(account?.balance ?? 0n) / 1e6;
  }

  #do(command: WithoutTime<Command>): void {
    this.#oracle.apply({ at: AT, ...command } as Command);
  }
}

function micros(amount: number): Money {
  return Math.round(amount * 1e6) as Money;
}
