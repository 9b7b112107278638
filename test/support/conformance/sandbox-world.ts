/**
 * The part of the sandbox's world that belongs to one stage: an app, a crowd, an event and markets, changed through the
 * sandbox's context.
 */

import { defined } from '../../../src/core/checks/assert.ts';
import { type Instant, instant, moneyToDecimal, PRICE_SCALE } from '../../../src/core/number/units.ts';
import type { MatchBehavior } from '../../../src/core/order.ts';
import { opposite } from '../../../src/core/side.ts';
import type { Exchange } from '../../../src/matching/exchange.ts';
import type { SandboxContext } from '../../../src/sandbox/context/sandbox-context.ts';
import { hashOfSecret } from '../../../src/sandbox/operations/accounts/secret-hash.ts';
import type { Change, MachineCommand } from '../../../src/sandbox/world/change.ts';
import { at, type Level, type MarketControl, type MarketTerms, units } from './stage.ts';

const CROWD_MONEY = 1_000_000;
const MARKET_TYPE = 'CONFORMANCE';
const HOUR_MS = 3_600_000;
const TERMS: MarketTerms = { outcomes: 2, inPlayDelayMs: 0, cancelsAtStart: true };

type Timeless<C> = C extends unknown ? Omit<C, 'at'> : never;

export class SandboxWorld {
  readonly appId: string;
  readonly apiKey: string;
  readonly walletId: string;
  readonly eventId: string;
  readonly app: number;
  readonly wallet: number;
  readonly crowd: number;
  readonly crowdWallet: number;
  readonly #sandbox: { readonly context: SandboxContext };
  readonly #event: number;
  readonly #currency: string;

  constructor(
    sandbox: { readonly context: SandboxContext },
    own: {
      readonly number: number;
      readonly balance: number;
      readonly commission: number;
      readonly currency: string;
      readonly apiKey?: string;
      /** The smallest amount that settlements pay our wallet, 10⁻⁶; absent: any amount. */
      readonly moneyStep?: number;
    },
  ) {
    this.#sandbox = sandbox;
    this.#currency = own.currency;
    const { registry, catalogue } = sandbox.context.world;
    this.appId = `conform${own.number}`;
    this.apiKey = own.apiKey ?? `a-key-of-${this.appId}`;
    this.app = this.#newApp(this.appId);
    this.crowd = this.#newApp(`crowd${own.number}`);
    const { currency } = defined(catalogue.currencies.get(own.currency), 'the currency is there');
    this.wallet = this.#newWallet(this.app, currency, own.balance, own.moneyStep);
    this.crowdWallet = this.#newWallet(this.crowd, currency, CROWD_MONEY);
    this.walletId = registry.wallet(this.wallet).id;
    this.change({ kind: 'createCommissionRate', app: this.app, ratePpm: own.commission * 10_000, isDefault: true });
    this.change({ kind: 'createKey', app: this.app, name: `${this.appId}-1`, secretHash: hashOfSecret(this.apiKey) });
    if (!catalogue.marketTypes.has(MARKET_TYPE))
      this.change({
        ...{ kind: 'createMarketType', id: MARKET_TYPE },
        ...{ outcomes: { min: 2, max: 10 }, winners: { min: 1, max: 1 } },
      });
    this.change({
      ...{ kind: 'createEvent', app: this.crowd, name: 'Northgate v Southmoor', code: `NGSM${own.number}` },
      ...{ eventGroupId: defined([...catalogue.eventGroups.keys()][0], 'there is a group'), participantIds: [] },
      expectedStartTime: this.#in(HOUR_MS),
    });
    const { id, event } = defined([...catalogue.events.values()].at(-1), 'the event was made');
    this.eventId = id;
    this.#event = event;
  }

  get exchange(): Exchange {
    return this.#sandbox.context.world.exchange;
  }

  /** Of our wallet. */
  get balance(): number {
    const { currency } = defined(this.#sandbox.context.world.catalogue.currencies.get(this.#currency), 'it is there');
    return this.exchange.account(this.wallet, currency)?.balance ?? 0;
  }

  get now(): Instant {
    return instant(this.#sandbox.context.now());
  }

  change(change: Timeless<Change>): void {
    const { context } = this.#sandbox;
    const changed = context.apply({ ...change, at: context.now() } as Change);
    if (changed.kind === 'refused') throw new Error(`${change.kind}: ${JSON.stringify(changed.refusal)}`);
  }

  command(command: MachineCommand): void {
    this.change({ kind: 'command', command });
  }

  market(terms: Partial<MarketTerms>): MarketControl {
    const { outcomes, inPlayDelayMs, cancelsAtStart } = { ...TERMS, ...terms };
    this.change({
      ...{ kind: 'createMarket', app: this.crowd, event: this.#event, name: 'Result', marketTypeId: MARKET_TYPE },
      ...{ currencyId: this.#currency, winners: { min: 1, max: 1 }, crossMatching: false, turnsInPlay: true },
      ...{ inPlayDelayMs, lockAt: this.#in(2 * HOUR_MS), marketLockAction: 'None' },
      eventStartAction: cancelsAtStart ? 'CancelUnmatchedLiquidity' : 'None',
      outcomes: Array.from({ length: outcomes }, (_, outcome) => ({ title: `Outcome ${outcome}` })),
    });
    const { market, id } = defined([...this.#sandbox.context.world.catalogue.markets.values()].at(-1), 'it was made');
    this.command({ kind: 'publish', market, published: true });
    this.command({ kind: 'open', market });
    return new SandboxMarket(this, market, id);
  }

  /** Places an order of the crowd. */
  placeAsCrowd(market: number, level: Level, matchBehavior: MatchBehavior): void {
    const { outcome, side, price, stake } = level;
    const request = { wallet: this.crowdWallet, market, outcome, side, tick: at(price), stake: units(stake) };
    const requests = [{ ...request, keepWhenInPlay: true, matchBehavior }];
    this.command({ kind: 'place', app: this.crowd, requests });
  }

  /** Places an order in our wallet, as another program of ours would. */
  placeOwn(reference: string, marketId: string): void {
    const { markets } = this.#sandbox.context.world.catalogue;
    const { market } = defined(
      [...markets.values()].find(({ id }) => id === marketId),
      'the market is there',
    );
    const request = { wallet: this.wallet, market, outcome: 0, side: 'For', tick: at(5), stake: units(1) } as const;
    const requests = [{ ...request, keepWhenInPlay: true, matchBehavior: 'RetainUnmatched', reference } as const];
    this.command({ kind: 'place', app: this.app, requests });
  }

  #in(ms: number): Instant {
    return instant(this.#sandbox.context.now() + ms);
  }

  #newApp(id: string): number {
    this.change({ kind: 'createApp', id, name: id });
    return defined(this.#sandbox.context.world.registry.appById(id), 'the app was made').app;
  }

  #newWallet(app: number, currency: number, balance: number, moneyStep?: number): number {
    this.change({ kind: 'createWallet', app, ...(moneyStep !== undefined && { moneyStep }) });
    const wallet = defined(this.exchange.app(app)?.wallets.at(-1), 'the wallet was made');
    this.command({ kind: 'deposit', wallet, currency, amount: units(balance) });
    return wallet;
  }
}

class SandboxMarket implements MarketControl {
  readonly id: string;
  readonly #world: SandboxWorld;
  readonly #market: number;

  constructor(world: SandboxWorld, market: number, id: string) {
    this.id = id;
    this.#world = world;
    this.#market = market;
  }

  async rest(level: Level): Promise<void> {
    this.#world.placeAsCrowd(this.#market, level, 'RetainUnmatched');
  }

  async take(level: Level): Promise<void> {
    this.#world.placeAsCrowd(this.#market, { ...level, side: opposite(level.side) }, 'CancelUnmatched');
  }

  async clear({ outcome, side, price }: Omit<Level, 'stake'>): Promise<void> {
    const { crowd, exchange } = this.#world;
    const orders = [...exchange.ordersOfMarket(this.#market)]
      .filter((each) => each.app === crowd && each.outcome === outcome && each.side === side && each.tick === at(price))
      .map(({ id }) => id);
    this.#world.command({ kind: 'cancel', app: crowd, orders });
  }

  async suspend(suspended: boolean): Promise<void> {
    this.#world.command({ kind: 'suspend', market: this.#market, suspended });
  }

  async goInPlay(): Promise<void> {
    this.#world.command({ kind: 'setInPlay', market: this.#market, inPlay: true });
  }

  async settle(...winners: readonly number[]): Promise<void> {
    this.#world.command({ kind: 'lock', market: this.#market });
    this.#world.command({ kind: 'settle', market: this.#market, winners });
  }

  async void(): Promise<void> {
    this.#world.command({ kind: 'void', market: this.#market });
  }

  async remove(outcome: number, factorPpm: number): Promise<void> {
    this.#world.command({ kind: 'removeOutcome', market: this.#market, outcome, factorPpm, basis: 'win' });
  }

  async voidTrades(): Promise<void> {
    const [from, to] = [instant(0), this.#world.now];
    this.#world.command({ kind: 'voidTrades', market: this.#market, from, to });
  }

  async resettle(...winners: readonly number[]): Promise<void> {
    this.#world.command({ kind: 'resettle', market: this.#market, winners });
  }

  async showStartingPrice(outcome: number, price: number): Promise<void> {
    const outcomes = Array.from({ length: outcome + 1 }, (_, each) =>
      each === outcome ? { startingPrices: { actual: price * PRICE_SCALE } } : {},
    );
    this.#world.change({ kind: 'showMarket', market: this.#market, shown: { commissionPpm: 50_000, outcomes } });
  }

  async close(): Promise<void> {
    this.#world.command({ kind: 'close', market: this.#market });
  }

  amountAt({ outcome, side, price }: Omit<Level, 'stake'>): number {
    const levels = this.#world.exchange.prices(this.#market, { cross: true });
    const level = levels.find((each) => each.outcome === outcome && each.side === side && each.tick === at(price));
    return level === undefined ? 0 : moneyToDecimal(level.amount);
  }
}
