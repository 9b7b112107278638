/** Seeded changes of every kind, many of them invalid, drawn with regard to the world so that most have an effect. */

import { type Tick, tick } from '../../../src/core/number/ladder.ts';
import { type Instant, instant, MONEY_SCALE, type Money } from '../../../src/core/number/units.ts';
import type { OrderErrorCode } from '../../../src/core/order.ts';
import type { PlaceRequest } from '../../../src/matching/messages/command.ts';
import type { Change, MachineCommand } from '../../../src/sandbox/world/change.ts';
import type { World } from '../../../src/sandbox/world/world.ts';
import { Random } from '../../support/random.ts';
import { START } from './made-context.ts';

type Draft = Change extends infer C ? (C extends Change ? Omit<C, 'at'> : never) : never;

const KINDS = {
  place: 40,
  cancel: 6,
  change: 4,
  market: 14,
  make: 6,
  money: 10,
  holder: 8,
  heartbeat: 4,
  catalogue: 6,
};
const BAD = [-1, 0.5, 999, Number.NaN, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY];

export class ChangeGenerator {
  readonly #random: Random;
  readonly #world: World;
  #now: number = START;
  #count = 0;

  constructor(seed: number, world: World) {
    this.#random = new Random(seed);
    this.#world = world;
  }

  /** Draws a change; the world must have applied the one before. */
  next(): Change {
    this.#count += 1;
    const random = this.#random;
    if (random.chance(0.6)) this.#now += random.pick([1, 10, 400, 3_000, 11_000]);
    const early = random.chance(0.005) ? 60_000 : 0;
    return { at: (this.#now - early) as Instant, ...this.#draft() } as Change;
  }

  get now(): Instant {
    return instant(this.#now);
  }

  #draft(): Draft {
    const needed = this.#setup() ?? (this.#random.chance(0.5) ? this.#repair() : undefined);
    if (needed !== undefined) return needed;
    switch (this.#random.weighted(KINDS)) {
      case 'place':
        return this.#command(this.#place());
      case 'cancel':
        return this.#command(this.#cancel());
      case 'change':
        return this.#command(this.#changeOrder());
      case 'market':
        return this.#command(this.#moveMarket());
      case 'make':
        return this.#make();
      case 'money':
        return this.#command(this.#money());
      case 'holder':
        return this.#holder();
      case 'heartbeat':
        return this.#command(this.#heartbeat());
      case 'catalogue':
        return this.#catalogue();
    }
  }

  /** The first changes, which later ones refer to. */
  #setup(): Draft | undefined {
    const { registry, catalogue, exchange } = this.#world;
    if (!catalogue.currencies.has('USDC')) return { kind: 'createCurrency', id: 'USDC' };
    if (!catalogue.categories.has('C1')) return { kind: 'createCategory', id: 'C1', name: 'One' };
    if (!catalogue.subcategories.has('S1')) {
      return { kind: 'createSubcategory', id: 'S1', name: 'One', categoryId: 'C1' };
    }
    if (!catalogue.eventGroups.has('G1'))
      return { kind: 'createEventGroup', id: 'G1', name: 'One', subcategoryId: 'S1' };
    if (!catalogue.sources.has('FFT')) return { kind: 'createReferenceSource', code: 'FFT', description: 'Feed' };
    if (!catalogue.marketTypes.has('T1')) {
      return { kind: 'createMarketType', id: 'T1', outcomes: { min: 2, max: 6 }, winners: { min: 1, max: 3 } };
    }
    if (registry.apps.length < 4) {
      const house = registry.apps.length === 1 ? ({ isHouse: true } as const) : {};
      return { kind: 'createApp', id: `app${registry.apps.length}`, name: 'App', ...house };
    }
    for (const app of [1, 2, 3]) {
      const wallets = exchange.app(app)?.wallets ?? [];
      if (wallets.length === 0) return { kind: 'createWallet', app, reference: 'first' };
      const [wallet = 0] = wallets;
      if (exchange.account(wallet, 0) === undefined) {
        const amount = (1_000 * MONEY_SCALE) as Money;
        return this.#command({ kind: 'deposit', wallet, currency: 0, amount });
      }
    }
    return undefined;
  }

  /** Reopens markets and lifts blocks, so that most orders find a market. */
  #repair(): Draft | undefined {
    const { exchange } = this.#world;
    for (const app of [1, 2, 3]) {
      if (exchange.heartbeat(app)?.active === false) return this.#command({ kind: 'deleteHeartbeat', app });
    }
    const markets = [...exchange.marketIds()];
    const open = markets.filter((market) => exchange.market(market)?.status === 'Open');
    if (open.length < 2 && markets.length < 9) return this.#newMarket(3);
    for (const market of open) {
      const view = exchange.market(market);
      if (view?.published === false) return this.#command({ kind: 'publish', market, published: true });
      if (view?.suspended === true) return this.#command({ kind: 'suspend', market, suspended: false });
      const event = view?.event ?? 0;
      if (exchange.event(event)?.active === false)
        return this.#command({ kind: 'setEventActive', event, active: true });
    }
    const fresh = markets.find((market) => exchange.market(market)?.status === 'Initializing');
    return fresh === undefined ? undefined : this.#command({ kind: 'open', market: fresh });
  }

  #place(): MachineCommand {
    const count = this.#random.chance(0.02) ? this.#random.pick([0, 51]) : this.#random.between(1, 6);
    const app = this.#app();
    const requests = Array.from({ length: count }, () => this.#request(app));
    const [first] = requests;
    if (first === undefined || !this.#random.chance(0.1)) return { kind: 'place', app, requests };
    const { market, wallet } = first;
    return { kind: 'place', app, requests: requests.map((each) => ({ ...each, market, wallet })), allOrNone: true };
  }

  #request(app: number): PlaceRequest {
    const random = this.#random;
    const own = this.#world.exchange.app(app)?.wallets ?? [];
    const fault: { fault?: OrderErrorCode } = random.chance(0.02) ? { fault: 'INTERRUPTED' } : {};
    const stake = random.chance(0.03) ? random.pick(BAD) : random.between(1, 40) * MONEY_SCALE;
    return {
      wallet: random.chance(0.9) && own.length > 0 ? random.pick(own) : this.#id(6),
      market: this.#market(),
      side: random.pick(['For', 'Against']),
      outcome: random.chance(0.97) ? random.between(0, 2) : random.pick(BAD),
      tick: tick(random.between(80, 110)),
      stake: stake as Money,
      keepWhenInPlay: random.chance(0.5),
      matchBehavior: random.chance(0.8) ? 'RetainUnmatched' : 'CancelUnmatched',
      ...(random.chance(0.05) ? { minFill: random.pick([...BAD, MONEY_SCALE, stake]) as Money } : {}),
      ...(random.chance(0.5) ? { reference: `r${random.between(0, 300)}` } : {}),
      ...(random.chance(0.1) ? { commissionRate: this.#id(3) } : {}),
      ...fault,
    };
  }

  #cancel(): MachineCommand {
    const random = this.#random;
    const orders = Array.from({ length: random.between(1, 5) }, () => this.#id(400));
    const wider = random.chance(0.3) ? { markets: [this.#market()] } : {};
    const widest = random.chance(0.1) ? { wallets: [this.#id(6)], events: [this.#id(4)] } : {};
    return { kind: 'cancel', app: this.#app(), orders, ...wider, ...widest };
  }

  #changeOrder(): MachineCommand {
    const random = this.#random;
    const [app, order] = [this.#app(), this.#id(400)];
    const stake = random.chance(0.1) ? random.pick(BAD) : random.between(1, 20) * MONEY_SCALE;
    const at = random.chance(0.9) ? random.between(80, 110) : random.pick(BAD);
    return random.pick<MachineCommand>([
      { kind: 'reduce', app, order, stake: stake as Money },
      { kind: 'setKeep', app, order, keepWhenInPlay: random.chance(0.5) },
      {
        kind: 'replace',
        app,
        replacements: [
          { order, tick: at as Tick },
          { order: this.#id(400), tick: tick(99) },
        ],
      },
    ]);
  }

  #moveMarket(): MachineCommand {
    const random = this.#random;
    const market = this.#market();
    const step = random.chance(0.2) ? { step: random.pick(['begin', 'finish'] as const) } : {};
    const winners = random.chance(0.9) ? [random.between(0, 2)] : [];
    return random.pick<() => MachineCommand>([
      () => ({ kind: 'publish', market, published: random.chance(0.9) }),
      () => ({ kind: 'open', market }),
      () => ({ kind: 'suspend', market, suspended: random.chance(0.3) }),
      () => ({ kind: 'setInPlay', market, inPlay: random.chance(0.8) }),
      () => ({ kind: 'setInPlayDelay', market, delayMs: this.#number(8_000) }),
      () => ({ kind: 'setLockAt', market, lockAt: this.#time() }),
      () => ({ kind: 'setLastPrice', market, outcome: random.between(0, 3), tick: tick(random.between(0, 349)) }),
      () => ({ kind: 'setEventActive', event: this.#id(4), active: random.chance(0.9) }),
      () => (random.chance(0.7) ? { kind: 'lock', market, ...step } : { kind: 'open', market, reopen: true }),
      () => ({ kind: 'settle', market, winners, ...step }),
      () => ({ kind: 'settle', market, winners }),
      () => (random.chance(0.3) ? { kind: 'void', market, ...step } : { kind: 'resettle', market, winners }),
      () => ({ kind: 'close', market }),
      () => ({ kind: 'forget', market }),
      () => ({ kind: 'voidTrades', market, from: this.#time(), to: this.#time() }),
      () => ({
        kind: 'removeOutcome',
        market,
        outcome: this.#number(3),
        factorPpm: this.#number(90_000),
        basis: random.pick(['win', 'place']),
      }),
    ])();
  }

  #make(): Draft {
    const random = this.#random;
    if (random.chance(0.3)) {
      return {
        kind: 'createEvent',
        app: this.#app(),
        eventGroupId: random.pick(['G1', 'G1', 'none']),
        name: 'E',
        code: 'e',
        expectedStartTime: this.#time(),
        participantIds: random.chance(0.9) ? [] : ['nobody'],
      };
    }
    if (random.chance(0.4)) return { kind: 'setEventTimes', event: this.#id(4), actualStartTime: this.#time() };
    return this.#newMarket(random.between(1, 4));
  }

  #newMarket(count: number): Draft {
    const random = this.#random;
    const { events } = this.#world.catalogue;
    if (events.size === 0) {
      const times = { code: 'e', expectedStartTime: instant(this.#now), participantIds: [] };
      return { kind: 'createEvent', app: 1, eventGroupId: 'G1', name: 'E', ...times };
    }
    const outcomes = Array.from({ length: count }, (_, index) => ({ title: `${index}` }));
    return {
      kind: 'createMarket',
      app: this.#app(),
      event: this.#id(3),
      name: 'M',
      marketTypeId: 'T1',
      currencyId: random.chance(0.95) ? 'USDC' : 'none',
      winners: { min: 1, max: random.between(1, 2) },
      outcomes,
      crossMatching: random.chance(0.7),
      turnsInPlay: random.chance(0.7),
      inPlayDelayMs: random.chance(0.5) ? 0 : this.#number(5_000),
      lockAt: instant(this.#now + 9_000_000),
      eventStartAction: random.pick(['None', 'CancelUnmatchedLiquidity']),
      marketLockAction: random.pick(['None', 'CancelUnmatchedLiquidity']),
    };
  }

  #money(): MachineCommand {
    const random = this.#random;
    const wallet = this.#id(8);
    const currency = random.chance(0.9) ? 0 : random.pick(BAD);
    const size = random.chance(0.8) ? random.between(-200, 900) : random.pick([1e9, 9e9, 1e12]);
    const amount = (random.chance(0.95) ? size * MONEY_SCALE : random.pick(BAD)) as Money;
    return random.pick<MachineCommand>([
      { kind: 'deposit', wallet, currency, amount },
      { kind: 'withdraw', wallet, currency, amount },
      { kind: 'adjust', wallet, currency, amount },
      { kind: 'setOverdraft', wallet, currency, overdraft: amount },
      { kind: 'transfer', from: wallet, to: this.#id(8), currency, amount },
      { kind: 'openAccount', wallet, currency },
    ]);
  }

  #holder(): Draft {
    const random = this.#random;
    const count = this.#count;
    const accessExpiresAt = instant(this.#now + random.pick([-1, 500, 60_000]));
    const key = `key${random.between(0, 9)}`;
    const replaces = random.chance(0.3) ? { replaces: `refresh${count - random.between(1, 60)}` } : {};
    return random.pick<Draft>([
      { kind: 'createWallet', app: this.#app() },
      { kind: 'createApp', id: random.pick([`app${count}`, 'app1', '', 'a b']), name: 'More' },
      { kind: 'createCommissionRate', app: this.#app(), ratePpm: this.#number(60_000), isDefault: random.chance(0.5) },
      { kind: 'createKey', app: this.#app(), name: key, secretHash: `hash${random.between(0, 20)}` },
      { kind: 'createKey', app: this.#app(), wallet: this.#id(8), name: key, secretHash: `hash${count}` },
      { kind: 'deactivateKey', name: key },
      {
        kind: 'openSession',
        key,
        accessHash: `access${count}`,
        refreshHash: `refresh${count}`,
        ...replaces,
        accessExpiresAt,
        refreshExpiresAt: instant(accessExpiresAt + 100_000),
      },
    ]);
  }

  #heartbeat(): MachineCommand {
    const app = this.#app();
    if (this.#random.chance(0.4)) return { kind: 'deleteHeartbeat', app };
    return { kind: 'heartbeat', app, timeoutMs: this.#random.pick([10_000, 15_000, 5, Number.NaN]) };
  }

  #catalogue(): Draft {
    const random = this.#random;
    const id = random.pick([`X${random.between(0, 20)}`, 'S1', '', 'a,b']);
    const key = `note${random.between(0, 3)}`;
    return random.pick<Draft>([
      { kind: 'createCurrency', id },
      { kind: 'createCategory', id, name: id },
      { kind: 'createSubcategory', id, name: id, categoryId: random.pick(['C1', 'none']) },
      { kind: 'createEventGroup', id, name: id, subcategoryId: random.pick(['S1', 'none']) },
      { kind: 'createParticipant', id, code: id, name: id, type: 'Team', subcategoryId: random.pick(['S1', 'none']) },
      { kind: 'createMarketType', id, outcomes: { min: this.#number(3), max: 4 }, winners: { min: 1, max: 1 } },
      { kind: 'addReference', source: 'FFT', reference: id, target: 'market', id: String(this.#market() + 1) },
      { kind: 'addReference', source: random.pick(['FFT', 'no']), reference: id, target: 'subcategory', id: 'S1' },
      { kind: 'setNote', key, value: `value ${this.#count}` },
      { kind: 'setNote', key },
    ]);
  }

  #command(command: MachineCommand): Draft {
    return { kind: 'command', command };
  }

  #app(): number {
    return this.#random.chance(0.96) ? this.#random.between(1, 3) : this.#random.pick([0, ...BAD]);
  }

  /** Mostly an existing market. */
  #market(): number {
    const markets = [...this.#world.exchange.marketIds()];
    const isFine = markets.length > 0 && this.#random.chance(0.95);
    return isFine ? this.#random.pick(markets) : this.#random.pick(BAD);
  }

  #id(most: number): number {
    return this.#random.chance(0.96) ? this.#random.between(0, most) : this.#random.pick(BAD);
  }

  #number(most: number): number {
    return this.#random.chance(0.9) ? this.#random.between(0, most) : this.#random.pick(BAD);
  }

  #time(): Instant {
    const time = this.#random.chance(0.9) ? this.#now + this.#random.between(1, 9_000_000) : this.#random.pick(BAD);
    return time as Instant;
  }
}
