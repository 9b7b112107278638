/** A market that does not change, written down in decimals: for tests of strategies. */

import { PriceLadders } from '../../core/book/price-ladders.ts';
import type { MarketStatus, OutcomeStatus, WinnersRange } from '../../core/market.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import { type Tick, tickOfDecimal } from '../../core/number/ladder.ts';
import { type Instant, type Money, moneyFromDecimal, PRICE_SCALE, type Price, ZERO } from '../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import type { StartingPrices } from '../views/views.ts';

/** `[price, stake]` levels in any order. */
export type LevelTable = readonly (readonly [price: number, stake: number])[];

/** One outcome of a test market; what is left out is empty. */
export interface OutcomeSetup {
  /** The id by which orders, bets and signals of the test name it. */
  readonly id: string;
  /** Left out: the id. */
  readonly title?: string;
  /** Resting Against orders, which a backer can match. */
  readonly against?: LevelTable;
  /** Resting For orders, which a layer can match. */
  readonly for?: LevelTable;
  /** Price of the last trade, decimal odds. Left out: nothing was traded. */
  readonly lastPrice?: number;
  /** Left out: the sum of `tradedLevels`. */
  readonly traded?: number;
  /** The traded ladder, of which also the volume-weighted price is made. Left out: empty. */
  readonly tradedLevels?: LevelTable;
  /** Decimal odds, those that are known. Left out: none is. */
  readonly startingPrices?: Partial<StartingPrices>;
  /** Left out: `Active`. */
  readonly status?: OutcomeStatus;
}

/** Everything but the outcomes has a default; together the defaults are an open pre-play market with one winner. */
export interface MarketSetup {
  /** The outcomes in the market's order. */
  readonly outcomes: readonly OutcomeSetup[];
  /** Left out: `market`. */
  readonly id?: string;
  /** Left out: `Market`. */
  readonly name?: string;
  /** Left out: `event`. */
  readonly eventId?: string;
  /** Left out: `Event`. */
  readonly eventName?: string;
  /** Left out: `WIN`. */
  readonly marketTypeId?: string;
  /** Left out: undefined. */
  readonly venue?: string;
  /** Left out: undefined. */
  readonly countryCode?: string;
  /** Ms UTC. Left out: undefined. */
  readonly expectedStartTime?: number;
  /** Left out: `Open`. */
  readonly status?: MarketStatus;
  /** Left out: false. */
  readonly suspended?: boolean;
  /** Left out: false. */
  readonly inPlay?: boolean;
  /** How long orders wait in play, seconds. Left out: 0. */
  readonly inPlayDelay?: number;
  /** How many outcomes may win. Left out: one. */
  readonly winners?: WinnersRange;
  /** The exchange's minimum stake. Left out: no minimum. */
  readonly stakeMin?: number;
  /** The payout (stake × price) from which a smaller stake than `stakeMin` is accepted. */
  readonly payoutMin?: number;
  /** Publish time of the prices, ms UTC, which is `now` of a test that gives none. Left out: 0. */
  readonly updatedAt?: number;
}

/** Throws a RangeError for a price off the ladder or a stake that is no amount. */
export function createFixedMarket(setup: MarketSetup): MarketState {
  const ladders = new PriceLadders(setup.outcomes.length);
  const rows = setup.outcomes.map((outcome, index) => rowOf(outcome, index, ladders));
  return {
    index: 0,
    facts: factsOf(setup),
    status: setup.status ?? 'Open',
    inPlayStatus: setup.inPlay === true ? 'InPlay' : 'PrePlay',
    published: true,
    suspended: setup.suspended ?? false,
    inPlayDelayMs: (setup.inPlayDelay ?? 0) * 1000,
    lockAt: undefined,
    winners: setup.winners ?? { min: 1, max: 1 },
    crossMatching: false,
    minimumStake: minimumOf(setup),
    updatedAt: (setup.updatedAt ?? 0) as Instant,
    outcomeStatus: (outcome) => setup.outcomes[outcome]?.status ?? 'Active',
    bestTick: (outcome, side) => ladders.bestTick(outcome, side),
    nextTick: (outcome, side, tick) => ladders.nextTick(outcome, side, tick),
    amountAt: (outcome, side, tick) => ladders.amountAt(outcome, side, tick),
    traded: (outcome) => rows[outcome]?.traded ?? ZERO,
    tradedAt: (outcome, tick) => rows[outcome]?.tradedAt.get(tick) ?? ZERO,
    startingPrice: (outcome, which) => priceOf(setup.outcomes[outcome]?.startingPrices?.[which]),
    lastPrice: (outcome) => rows[outcome]?.lastPrice,
  };
}

interface Row {
  readonly traded: Money;
  readonly tradedAt: ReadonlyMap<number, Money>;
  readonly lastPrice: Price | undefined;
}

function factsOf(setup: MarketSetup): MarketState['facts'] {
  const { venue, countryCode, expectedStartTime } = setup;
  return {
    id: setup.id ?? 'market',
    name: setup.name ?? 'Market',
    eventId: setup.eventId ?? 'event',
    eventName: setup.eventName ?? 'Event',
    marketTypeId: setup.marketTypeId ?? 'WIN',
    ...(venue === undefined ? {} : { venue }),
    ...(countryCode === undefined ? {} : { countryCode }),
    ...(expectedStartTime === undefined ? {} : { expectedStartTime: expectedStartTime as Instant }),
    outcomes: setup.outcomes.map(({ id, title = id }, ordering) => ({ id, title, ordering })),
  };
}

function minimumOf({ stakeMin, payoutMin }: MarketSetup): MinimumStake | undefined {
  if (stakeMin === undefined) return undefined;
  const stake = amountOf(stakeMin, 'stakeMin');
  return payoutMin === undefined ? { stake } : { stake, payout: amountOf(payoutMin, 'payoutMin') };
}

function rowOf(outcome: OutcomeSetup, index: number, ladders: PriceLadders): Row {
  const setLevels = (side: SideIndex, levels: LevelTable): void => {
    for (const [price, stake] of levels) {
      ladders.set(index, side, ladderTick(price, outcome.id), amountOf(stake, outcome.id));
    }
  };
  setLevels(FOR, outcome.for ?? []);
  setLevels(AGAINST, outcome.against ?? []);
  const { tradedLevels = [], traded = tradedLevels.reduce((sum, [, stake]) => sum + stake, 0) } = outcome;
  return {
    traded: amountOf(traded, outcome.id),
    tradedAt: new Map(tradedLevels.map(([at, stake]) => [ladderTick(at, outcome.id), amountOf(stake, outcome.id)])),
    lastPrice: priceOf(outcome.lastPrice),
  };
}

function ladderTick(decimal: number, outcome: string): Tick {
  const tick = tickOfDecimal(decimal);
  if (tick === undefined) throw new RangeError(`${outcome}: ${decimal} is not a ladder price.`);
  return tick;
}

function priceOf(decimal: number | undefined): Price | undefined {
  return decimal === undefined ? undefined : (Math.round(decimal * PRICE_SCALE) as Price);
}

function amountOf(decimal: number, outcome: string): Money {
  const amount = moneyFromDecimal(decimal);
  if (amount === undefined || amount < 0) throw new RangeError(`${outcome}: ${decimal} is not an amount.`);
  return amount;
}
