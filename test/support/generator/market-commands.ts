/** Draws commands for events and markets: creating them, moving them through their life, ending them. */

import type { LiquidityAction } from '../../../src/core/market.ts';
import type { Tick } from '../../../src/core/number/ladder.ts';
import type { Instant } from '../../../src/core/number/units.ts';
import type { Timeless } from '../command-generator.ts';
import type { OracleMarket, World } from '../oracle/world.ts';
import type { Random } from '../random.ts';

const LIVE_MARKETS = 3;
/** The chance that a market which cannot trade is repaired before anything else is drawn. */
const REPAIR = 0.25;

const WEIGHTS = {
  setInPlay: 20,
  suspend: 14,
  setEventStartAction: 3,
  voidResting: 1,
  setInPlayDelay: 7,
  setLockAt: 7,
  setLastPrice: 2,
  publish: 4,
  setEventActive: 4,
  unopen: 2,
  open: 3,
  lock: 7,
  settle: 12,
  void: 2,
  resettle: 6,
  removeOutcome: 2,
  voidTrades: 2,
  close: 4,
  forget: 4,
  createEvent: 1,
};

function takersOnly(random: Random): { readonly delaysTakersOnly?: boolean } {
  return random.chance(0.4) ? { delaysTakersOnly: random.chance(0.6) } : {};
}

export class MarketCommands {
  readonly #random: Random;
  readonly #world: World;

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#world = world;
  }

  /** Keeps a few markets alive, and now and then repairs one that cannot trade. */
  repair(now: number): Timeless | undefined {
    if (this.#world.events.length < 2) return { kind: 'createEvent', app: 1 };
    const live = this.#world.markets.filter((market) => ['Initializing', 'Open'].includes(market.status));
    if (live.length < LIVE_MARKETS && this.#random.chance(0.5)) return this.#create(now);
    if (!this.#random.chance(REPAIR)) return undefined;
    const locked = this.#world.markets.find((market) => market.status === 'Locked');
    if (locked !== undefined && this.#random.chance(0.1)) {
      return { kind: 'settle', market: locked.id, ...this.#winners(locked, false) };
    }
    const settled = this.#world.markets.findLast((market) => market.status === 'Settled');
    if (settled !== undefined && this.#random.chance(0.02)) return this.#removal(settled.id, settled);
    for (const market of live) {
      const { id, terms } = market;
      if (!market.published) return { kind: 'publish', market: id, published: true };
      if (market.status === 'Initializing') return { kind: 'open', market: id };
      if (market.suspended) return { kind: 'suspend', market: id, suspended: false };
      if (market.lockAt !== undefined && market.lockAt <= now)
        return { kind: 'setLockAt', market: id, lockAt: undefined };
      if (!this.#world.events[terms.event]!.active) return { kind: 'setEventActive', event: terms.event, active: true };
    }
    return undefined;
  }

  #create(now: number): Timeless {
    const random = this.#random;
    const outcomes = random.pick([2, 2, 3, 3, 3, 4, 5, 6]);
    const max = random.chance(0.7) ? 1 : random.between(1, outcomes);
    const action = (): LiquidityAction => random.pick(['None', 'CancelUnmatchedLiquidity']);
    const invalid = random.chance(0.02);
    return {
      kind: 'createMarket',
      app: random.chance(0.02) ? 77 : random.between(1, 3),
      event: random.chance(0.02) ? 55 : random.between(0, this.#world.events.length - 1),
      currency: random.between(0, 1),
      outcomes,
      winners: { min: invalid ? max + 1 : random.between(1, max), max },
      crossMatching: random.chance(0.75),
      turnsInPlay: random.chance(0.85),
      inPlayDelayMs: random.pick([0, 1_000, 5_000, 8_000, 10_000]),
      ...takersOnly(random),
      ...(random.chance(0.3) ? { lockAt: (now + random.pick([0, 10_000, 60_000, 500_000])) as Instant } : {}),
      eventStartAction: action(),
      marketLockAction: action(),
    };
  }

  next(now: number): Timeless {
    const kind = this.#random.weighted(WEIGHTS);
    if (kind === 'createEvent') return { kind, app: this.#random.chance(0.1) ? 88 : 1 };
    if (kind === 'setEventActive') {
      const event = this.#random.chance(0.05) ? 44 : this.#random.between(0, this.#world.events.length - 1);
      return { kind, event, active: this.#random.chance(0.4) };
    }
    const found = this.#aim(kind);
    const market = found === undefined || this.#random.chance(0.02) ? this.#random.pick([500, -1]) : found.id;
    return this.#ofMarket(kind, market, { found, now });
  }

  /** A market for which the command is likely to make sense. */
  #aim(kind: keyof typeof WEIGHTS): OracleMarket | undefined {
    const kept = this.#world.markets.filter((market) => !market.forgotten || this.#random.chance(0.05));
    const fitting = kept.filter((market) => {
      if (kind === 'settle') return market.status === 'Locked' || market.status === 'Settling';
      if (kind === 'resettle' || kind === 'close') return ['Settled', 'Voided'].includes(market.status);
      if (kind === 'forget') return ['Settled', 'Voided', 'Closed'].includes(market.status);
      if (kind === 'void') return ['Open', 'Locked', 'Voiding'].includes(market.status);
      if (kind === 'lock') return ['Open', 'Locking'].includes(market.status);
      return ['Open', 'Initializing'].includes(market.status);
    });
    const pool = fitting.length > 0 && this.#random.chance(0.93) ? fitting : kept;
    return pool.length === 0 ? undefined : this.#random.pick(pool);
  }

  #ofMarket(
    kind: Exclude<keyof typeof WEIGHTS, 'createEvent' | 'setEventActive'>,
    market: number,
    { found, now }: { found: OracleMarket | undefined; now: number },
  ): Timeless {
    const random = this.#random;
    switch (kind) {
      case 'setInPlay':
        return { kind, market, inPlay: random.chance(0.65) };
      case 'suspend':
        return { kind, market, suspended: random.chance(0.5) };
      case 'setInPlayDelay':
        return {
          kind,
          market,
          delayMs: random.pick([0, 1, 1_000, 3_000, 8_000, 10_000, 10_000, -1]),
          ...takersOnly(random),
        };
      case 'setLockAt':
        return { kind, market, lockAt: this.#lockAt(now) };
      case 'setLastPrice': {
        const tick = random.between(random.chance(0.1) ? -1 : 0, 350) as Tick;
        return { kind, market, outcome: random.between(0, random.chance(0.1) ? 6 : 1), tick };
      }
      case 'publish':
        return { kind, market, published: random.chance(0.5) };
      case 'open':
        return { kind, market, ...(random.chance(0.5) ? { reopen: true } : {}) };
      case 'lock':
      case 'void':
        return { kind, market, ...this.#step(found) };
      case 'settle':
        return { kind, market, ...this.#winners(found, false), ...this.#step(found) };
      case 'resettle':
        return { kind, market, ...this.#winners(found, true) };
      case 'removeOutcome':
        return this.#removal(market, found);
      case 'voidTrades':
        return this.#voiding(market, now);
      case 'setEventStartAction':
        return { kind, market, action: random.pick(['None', 'CancelUnmatchedLiquidity']) };
      case 'voidResting':
      case 'unopen':
      case 'close':
      case 'forget':
        return { kind, market };
    }
  }

  #removal(market: number, found: OracleMarket | undefined): Timeless {
    const random = this.#random;
    const outcome = random.between(0, (found?.removed.length ?? 1) - (random.chance(0.1) ? 0 : 1));
    const factorPpm = random.pick([0, 10_000, 24_999, 25_000, 39_999, 40_000, 123_456, 400_000, 800_000, -1]);
    return { kind: 'removeOutcome', market, outcome, factorPpm, basis: random.pick(['win', 'place']) };
  }

  #voiding(market: number, now: number): Timeless {
    const to = now - this.#random.pick([0, 0, 0, 1_000, 20_000]);
    return {
      kind: 'voidTrades',
      market,
      from: (to - this.#random.pick([0, 1_000, 10_000, 100_000, -1])) as Instant,
      to: to as Instant,
    };
  }

  #lockAt(now: number): Instant | undefined {
    return this.#random.pick([undefined, now, now + 1_000, now + 30_000, now + 400_000]) as Instant | undefined;
  }

  #step(found: OracleMarket | undefined): { step?: 'begin' | 'finish' } {
    if (found !== undefined && ['Locking', 'Settling', 'Voiding'].includes(found.status)) return { step: 'finish' };
    const step = this.#random.pick([undefined, undefined, undefined, 'begin', 'finish'] as const);
    return step === undefined || (step === 'finish' && this.#random.chance(0.8)) ? {} : { step };
  }

  #winners(found: OracleMarket | undefined, mayVoid: boolean): { winners: number[]; places?: number } {
    const random = this.#random;
    if (random.chance(mayVoid ? 0.25 : 0.02)) return { winners: [] };
    if (random.chance(0.05)) return { winners: [], places: random.pick([0, 0, 0, 1]) };
    if (random.chance(0.02)) return { winners: random.pick([[9], [0, 0], [-1]]) };
    const running = (found?.removed ?? [false]).flatMap((removed, outcome) => (removed ? [] : [outcome]));
    const most = found?.terms.winners.max ?? 1;
    const fewest = found?.terms.winners.min ?? 1;
    const wanted = random.chance(0.35) ? random.between(1, running.length) : random.between(fewest, most);
    const winners: number[] = [];
    while (winners.length < Math.min(wanted, running.length)) {
      const winner = random.pick(running);
      if (!winners.includes(winner)) winners.push(winner);
    }
    if (winners.length === 0) return { winners: [0] };
    return {
      winners,
      ...(random.chance(0.3)
        ? { places: random.between(random.chance(0.05) ? 0 : 1, most + (random.chance(0.05) ? 1 : 0)) }
        : {}),
    };
  }
}
