/** Builds a small world of the sandbox for tests: everything has a default, a test names what matters to it. */

import { assert, fail } from '../../../src/core/checks/assert.ts';
import { tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { type Instant, instant, type Money, moneyFromDecimal } from '../../../src/core/number/units.ts';
import type { Side } from '../../../src/core/side.ts';
import type { PlaceRequest } from '../../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../../src/matching/messages/event.ts';
import type { SandboxContext, SandboxSettings } from '../../../src/sandbox/context/sandbox-context.ts';
import type { Caller } from '../../../src/sandbox/operations/shared/operation.ts';
import type { Change, MachineCommand } from '../../../src/sandbox/world/change.ts';
import { World, type WorldOptions } from '../../../src/sandbox/world/world.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';

type Undated<C> = C extends Change ? Omit<C, 'at'> : never;
export type UndatedChange = Undated<Change>;
type EventTerms = Omit<Extract<Change, { kind: 'createEvent' }>, 'at' | 'kind'>;
type MarketTermsOfTest = Omit<Extract<Change, { kind: 'createMarket' }>, 'at' | 'kind'>;

/** 12:00 UTC of a Tuesday. */
export const START = instant(Date.UTC(2026, 2, 24, 12));
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const CURRENCY = 'USDC';
const SETTINGS: SandboxSettings = {
  accessTokenMs: 30 * MINUTE_MS,
  refreshTokenMs: 7 * DAY_MS,
  faucetAmount: decimalMoney(1000),
};

/** What a test places: decimals, and outcome indexes. */
export interface TestOrder {
  readonly wallet: number;
  readonly market: number;
  readonly side: Side;
  readonly price: number;
  readonly stake: number;
  readonly outcome?: number;
  readonly reference?: string;
  readonly matchBehavior?: PlaceRequest['matchBehavior'];
  readonly keepWhenInPlay?: boolean;
}

/** A world in simulated time with the context that operations are given. Secrets count up. */
export class WorldBuilder {
  readonly world: World;
  readonly clock = new SimulatedClock(START);
  readonly context: SandboxContext;
  #secrets = 0;

  constructor(options: WorldOptions & { readonly settings?: Partial<SandboxSettings> } = {}) {
    const { settings, ...worldOptions } = options;
    this.world = new World(worldOptions);
    const { world, clock } = this;
    this.context = {
      ...{ world, clock, settings: { ...SETTINGS, ...settings } },
      now: () => world.at(clock.now()),
      apply: (change) => world.apply(change),
      secret: () => {
        this.#secrets += 1;
        return `secret-${this.#secrets}`;
      },
      takeOrderFault: () => undefined,
    };
  }

  get now(): Instant {
    return this.context.now();
  }

  pass(ms: number): void {
    this.clock.runUntil(this.clock.now() + ms);
  }

  /** Made now; it is the test's mistake if it is refused. */
  make(change: UndatedChange): readonly ExchangeEvent[] {
    const changed = this.context.apply({ at: this.now, ...change });
    if (changed.kind === 'refused') fail(`${change.kind}: ${changed.refusal.code} ${changed.refusal.what}`);
    return changed.events;
  }

  command(command: MachineCommand): readonly ExchangeEvent[] {
    return this.make({ kind: 'command', command });
  }

  /** A currency, two branches of the tree down to a group each, participants of football, two market types and a source. */
  catalogue(): this {
    this.make({ kind: 'createCurrency', id: CURRENCY });
    this.make({ kind: 'createCategory', id: 'SPORT', name: 'Sport' });
    this.make({ kind: 'createCategory', id: 'POLITICS', name: 'Politics' });
    this.make({ kind: 'createSubcategory', id: 'FOOTBALL', name: 'Football', categoryId: 'SPORT' });
    this.make({ kind: 'createSubcategory', id: 'ELECTIONS', name: 'Elections', categoryId: 'POLITICS' });
    this.make({ kind: 'createEventGroup', id: 'EPL', name: 'English Premier League', subcategoryId: 'FOOTBALL' });
    this.make({ kind: 'createEventGroup', id: 'SENATE', name: 'Senate', subcategoryId: 'ELECTIONS' });
    for (const [id, name] of [
      ['ARS', 'Arsenal'],
      ['CHE', 'Chelsea'],
    ] as const)
      this.make({ kind: 'createParticipant', id, code: id, name, type: 'Team', subcategoryId: 'FOOTBALL' });
    const one = { min: 1, max: 1 };
    this.make({ kind: 'createMarketType', id: 'FULL_TIME_RESULT', outcomes: { min: 3, max: 3 }, winners: one });
    this.make({ kind: 'createMarketType', id: 'WINNER', outcomes: { min: 2, max: 40 }, winners: one });
    this.make({ kind: 'createReferenceSource', code: 'FFT', description: 'Football facts and times' });
    return this;
  }

  /** The machine's id. */
  app(id: string, options: { readonly isHouse?: true } = {}): number {
    const app = this.world.registry.apps.length;
    this.make({ kind: 'createApp', id, name: `App ${id}`, ...options });
    return app;
  }

  /** A User wallet with so many units of the currency; the machine's id. */
  wallet(app: number, units = 0): number {
    const made = this.make({ kind: 'createWallet', app }).find((event) => event.kind === 'walletCreated');
    assert(made?.kind === 'walletCreated', 'a wallet was made');
    const { wallet } = made;
    this.command({ kind: 'openAccount', wallet, currency: 0 });
    if (units > 0) this.command({ kind: 'deposit', wallet, currency: 0, amount: decimalMoney(units) });
    return wallet;
  }

  /** Of an app's key, or of one of its wallet's. */
  caller(app: number, wallet?: number): Caller {
    const name = `key ${app} ${wallet ?? ''}`;
    const found = this.world.registry.keys.get(name);
    if (found !== undefined) return { app, wallet, key: found };
    this.make({
      ...{ kind: 'createKey', app, name, secretHash: `hash of ${name}` },
      ...(wallet === undefined ? {} : { wallet }),
    });
    return this.caller(app, wallet);
  }

  /** Arsenal and Chelsea in three hours; active. The machine's id. */
  event(terms: Pick<EventTerms, 'app'> & Partial<EventTerms>): number {
    const event = this.world.catalogue.events.size;
    this.make({
      ...{ kind: 'createEvent', eventGroupId: 'EPL', name: 'Arsenal v Chelsea', code: 'ARSvCHE' },
      ...{ expectedStartTime: instant(this.now + 3 * HOUR_MS), participantIds: ['ARS', 'CHE'] },
      ...terms,
    });
    if (this.world.exchange.event(event)?.active !== true)
      this.command({ kind: 'setEventActive', event, active: true });
    return event;
  }

  /** Home, draw and away, with cross matching, locking when the event starts; Initializing and unpublished. */
  market(terms: Pick<MarketTermsOfTest, 'app' | 'event'> & Partial<MarketTermsOfTest>): number {
    const record = this.world.catalogue.events.get(terms.event);
    assert(record !== undefined, 'a market has an event');
    const events = this.make({
      ...{ kind: 'createMarket', name: 'Full time result', marketTypeId: 'FULL_TIME_RESULT', currencyId: CURRENCY },
      ...{ winners: { min: 1, max: 1 }, crossMatching: true, turnsInPlay: true, inPlayDelayMs: 5000 },
      outcomes: [
        { title: 'Arsenal', participantId: 'ARS' },
        { title: 'Draw' },
        { title: 'Chelsea', participantId: 'CHE' },
      ],
      lockAt: record.expectedStartTime,
      ...{ eventStartAction: 'None', marketLockAction: 'None' },
      ...terms,
    });
    const made = events.find((event) => event.kind === 'marketCreated');
    assert(made?.kind === 'marketCreated', 'a market was made');
    return made.market;
  }

  /** The same, published and open. */
  openMarket(terms: Pick<MarketTermsOfTest, 'app' | 'event'> & Partial<MarketTermsOfTest>): number {
    const market = this.market(terms);
    this.command({ kind: 'publish', market, published: true });
    this.command({ kind: 'open', market });
    return market;
  }

  /** Locks it first where it is still open. */
  settle(market: number, ...winners: number[]): void {
    if (this.world.exchange.market(market)?.status === 'Open') this.command({ kind: 'lock', market });
    this.command({ kind: 'settle', market, winners });
  }

  /** The machine's id of the order. */
  place(app: number, order: TestOrder): number {
    const events = this.command({ kind: 'place', app, requests: [requestOf(order)] });
    const accepted = events.find((event) => event.kind === 'orderAccepted');
    if (accepted?.kind !== 'orderAccepted') fail(`not accepted: ${JSON.stringify(events)}`);
    return accepted.order;
  }

  /** Names a document in another system, FFT. */
  refer(target: Extract<Change, { kind: 'addReference' }>['target'], id: string, reference: string): void {
    this.make({ kind: 'addReference', source: 'FFT', reference, target, id });
  }
}

export function requestOf(order: TestOrder): PlaceRequest {
  const { price, stake, outcome = 0, matchBehavior = 'RetainUnmatched', keepWhenInPlay = false, ...same } = order;
  const tick = tickOfDecimal(price);
  assert(tick !== undefined, 'a price of the ladder');
  return { ...same, outcome, tick, stake: decimalMoney(stake), matchBehavior, keepWhenInPlay };
}

export function decimalMoney(units: number): Money {
  const amount = moneyFromDecimal(units);
  assert(amount !== undefined, `${units} is money`);
  return amount;
}
