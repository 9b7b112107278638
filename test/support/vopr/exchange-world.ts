/** An exchange of the simulation, whatever API it speaks: the sandbox's world on simulated time, changed from outside. */

import { assert, fail } from '../../../src/core/checks/assert.ts';
import { MARKET_STATUSES, type MarketStatus } from '../../../src/core/market.ts';
import { type Instant, instant, type Money } from '../../../src/core/number/units.ts';
import type { Exchange } from '../../../src/matching/exchange.ts';
import type { PlaceRequest } from '../../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../../src/matching/messages/event.ts';
import { InjectedFaults } from '../../../src/sandbox/context/injected-faults.ts';
import { LiveContext } from '../../../src/sandbox/context/live-context.ts';
import { SANDBOX_SETTINGS } from '../../../src/sandbox/sandbox.ts';
import type { Change, MachineCommand } from '../../../src/sandbox/world/change.ts';
import { World, type WorldOptions } from '../../../src/sandbox/world/world.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';

import type { Results } from './true-exposure.ts';

export const MARKET_TYPE = 'WINNER';
export const CROWD_MONEY = 10_000_000;
const MICROS = 1_000_000;

type Timeless<C> = C extends unknown ? Omit<C, 'at'> : never;

/** Tokens count up, so that a run is the same every time. */
class SeededContext extends LiveContext {
  #secrets = 0;
  override secret(): string {
    this.#secrets += 1;
    return `secret-${this.#secrets}`;
  }
}

export interface ExchangeWorldSettings {
  readonly time: SimulatedClock;
  readonly accessTokenMs: number;
  readonly currency: string;
  /** Of each wallet, in units. */
  readonly balance: number;
  readonly rules?: WorldOptions;
  readonly onBug: (error: unknown) => void;
}

export abstract class ExchangeWorld {
  readonly context: SeededContext;
  readonly faults = new InjectedFaults();
  readonly currency: string;
  /** Of each wallet, in 10⁻⁶. */
  readonly balanceAtFirst: number;
  /** The machine's numbers. */
  abstract readonly app: number;
  abstract readonly crowdApp: number;
  abstract readonly crowdWallet: number;
  abstract readonly wallets: readonly number[];
  /** Of stakes, in 10⁻⁶. */
  abstract readonly stakeStep: number;
  abstract readonly mayCrossMatch: boolean;
  /** What the winnings of an order may be rounded by, in 10⁻⁶. */
  readonly winningsStep: number = 0;
  /** Whether a heartbeat that lapsed does more than cancel once, so that it must be taken away. */
  readonly lapseBlocks: boolean = true;

  constructor({ time, accessTokenMs, currency, balance, rules, onBug }: ExchangeWorldSettings) {
    this.currency = currency;
    this.context = new SeededContext({
      ...{ world: new World(rules), clock: time, faults: this.faults, onBug },
      settings: { ...SANDBOX_SETTINGS, accessTokenMs },
    });
    this.balanceAtFirst = balance * MICROS;
    this.#catalogue();
  }

  /** What the bot is told that these are called. */
  abstract marketIdOf(market: number): string;
  abstract outcomeIdOf(market: number, outcome: number): string | undefined;
  abstract orderIdOf(order: number): number;
  abstract orderOf(id: number): number;
  /** The reference that a client gave an order. */
  abstract referenceOf(reference: string | undefined): string | undefined;
  /** An order in a wallet of the bot that another program of its owner places: its number, undefined where it is not taken. */
  abstract placeBeside(order: PlaceRequest, reference: string | undefined): number | undefined;

  get world(): World {
    return this.context.world;
  }

  get machine(): Exchange {
    return this.context.world.exchange;
  }

  change(change: Timeless<Change>): readonly ExchangeEvent[] {
    const changed = this.tryChange(change);
    if (changed === undefined) fail(`the exchange refused ${JSON.stringify(change)}`);
    return changed;
  }

  /** Undefined where the change was refused. */
  tryChange(change: Timeless<Change>): readonly ExchangeEvent[] | undefined {
    // A change without its time, which is put back: the union is the same.
    const changed = this.context.apply({ ...change, at: this.context.now() } as Change);
    return changed.kind === 'refused' ? undefined : changed.events;
  }

  command(command: MachineCommand): readonly ExchangeEvent[] | undefined {
    return this.tryChange({ kind: 'command', command });
  }

  /** Cheaper than the machine's view of a market, for callers that ask all the time. */
  statusOf(market: number): MarketStatus | undefined {
    const status = this.machine.inspect().markets.get(market)?.status;
    return status === undefined ? undefined : MARKET_STATUSES[status];
  }

  /** Open, and not suspended. */
  takesOrders(market: number): boolean {
    return this.statusOf(market) === 'Open' && this.machine.inspect().markets.get(market)?.suspended === false;
  }

  /** How it may end; undefined for a market that is not there. */
  resultsOf(market: number): Results | undefined {
    const record = this.world.catalogue.markets.get(market);
    const removed = this.machine.market(market)?.removed ?? [];
    return record && { outcomes: record.outcomes.length, winners: record.winners, removed };
  }

  /** Its bets are decided, or void. */
  isOver(market: number): boolean {
    const status = this.statusOf(market);
    return status === undefined || status === 'Settled' || status === 'Voided' || status === 'Closed';
  }

  /** All wallets together, those of the exchange included. */
  moneyOfAll(): number {
    let sum = 0;
    for (const wallet of this.machine.inspect().accounts.wallets.keys())
      for (const { balance } of this.machine.wallet(wallet)?.accounts ?? []) sum += balance;
    return sum;
  }

  in(ms: number): Instant {
    return instant(this.context.now() + ms);
  }

  protected newApp(id: string): number {
    const app = this.world.registry.apps.length;
    this.change({ kind: 'createApp', id, name: id });
    return app;
  }

  protected newWallet(app: number, units: number): number {
    const made = this.change({ kind: 'createWallet', app }).find((event) => event.kind === 'walletCreated');
    assert(made?.kind === 'walletCreated', 'a wallet was made');
    const { wallet } = made;
    this.change({ kind: 'command', command: { kind: 'openAccount', wallet, currency: 0 } });
    const amount = (units * MICROS) as Money;
    this.change({ kind: 'command', command: { kind: 'deposit', wallet, currency: 0, amount } });
    return wallet;
  }

  #catalogue(): void {
    this.change({ kind: 'createCurrency', id: this.currency });
    this.change({ kind: 'createCategory', id: 'SPORT', name: 'Sport' });
    this.change({ kind: 'createSubcategory', id: 'FOOTBALL', name: 'Football', categoryId: 'SPORT' });
    this.change({ kind: 'createEventGroup', id: 'CUP', name: 'Cup', subcategoryId: 'FOOTBALL' });
    this.change({
      ...{ kind: 'createMarketType', id: MARKET_TYPE },
      ...{ outcomes: { min: 2, max: 8 }, winners: { min: 1, max: 2 } },
    });
  }
}
