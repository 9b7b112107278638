/** A market that does not change, written down in decimals: for tests of strategies. */

import type { InPlayStatus, MarketStatus, OutcomeStatus, WinnersRange } from '../../core/market.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import { NO_TICK, TICK_COUNT, tickOfDecimal } from '../../core/number/ladder.ts';
import { type Instant, type Money, moneyFromDecimal, PRICE_SCALE, type Price } from '../../core/number/units.ts';
import { type Side, type SideIndex, worseStep } from '../../core/side.ts';

/** `[price, stake]` levels in any order. */
export type LevelTable = readonly (readonly [price: number, stake: number])[];

export interface OutcomeSetup {
  readonly id: string;
  readonly title?: string;
  /** Resting Against orders, which a backer can match. */
  readonly against?: LevelTable;
  /** Resting For orders, which a layer can match. */
  readonly for?: LevelTable;
  readonly lastPrice?: number;
  readonly traded?: number;
  readonly status?: OutcomeStatus;
}

/** Everything but the outcomes has a default; together the defaults are an open pre-play market with one winner. */
export interface MarketSetup {
  readonly outcomes: readonly OutcomeSetup[];
  readonly id?: string;
  readonly name?: string;
  readonly eventId?: string;
  readonly eventName?: string;
  readonly marketTypeId?: string;
  readonly venue?: string;
  readonly countryCode?: string;
  readonly expectedStartTime?: number;
  readonly status?: MarketStatus;
  readonly suspended?: boolean;
  readonly inPlay?: boolean;
  /** Seconds. */
  readonly inPlayDelay?: number;
  readonly winners?: WinnersRange;
  /** The exchange's minimum stake, and the payout from which a smaller stake is accepted; left out: no minimum. */
  readonly stakeMin?: number;
  readonly payoutMin?: number;
  readonly updatedAt?: number;
}

/** Throws a RangeError for a price off the ladder or a stake that is no amount. */
export function createFixedMarket(setup: MarketSetup): MarketState {
  const rows = setup.outcomes.map(rowOf);
  return {
    index: 0,
    facts: factsOf(setup),
    status: setup.status ?? 'Open',
    inPlayStatus: inPlayStatusOf(setup),
    published: true,
    suspended: setup.suspended ?? false,
    inPlayDelayMs: (setup.inPlayDelay ?? 0) * 1000,
    lockAt: undefined,
    winners: setup.winners ?? { min: 1, max: 1 },
    crossMatching: false,
    minimumStake: minimumOf(setup),
    updatedAt: (setup.updatedAt ?? 0) as Instant,
    outcomeStatus: (outcome) => setup.outcomes[outcome]?.status ?? 'Active',
    bestTick: (outcome, side) => nextTick(rows[outcome], side, worseStep(side) > 0 ? -1 : TICK_COUNT),
    nextTick: (outcome, side, tick) => nextTick(rows[outcome], side, tick),
    amountAt: (outcome, side, tick) => (rows[outcome]?.amounts[side][tick] ?? 0) as Money,
    traded: (outcome) => rows[outcome]?.traded ?? (0 as Money),
    lastPrice: (outcome) => rows[outcome]?.lastPrice,
  };
}

interface Row {
  /** Stake by side, then by tick. */
  readonly amounts: readonly [Float64Array, Float64Array];
  readonly traded: Money;
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

function inPlayStatusOf(setup: MarketSetup): InPlayStatus {
  return setup.inPlay === true ? 'InPlay' : 'PrePlay';
}

function rowOf(outcome: OutcomeSetup): Row {
  return {
    amounts: [amountsOf(outcome, 'For'), amountsOf(outcome, 'Against')],
    traded: amountOf(outcome.traded ?? 0, outcome.id),
    lastPrice: outcome.lastPrice === undefined ? undefined : (Math.round(outcome.lastPrice * PRICE_SCALE) as Price),
  };
}

function amountsOf(outcome: OutcomeSetup, side: Side): Float64Array {
  const amounts = new Float64Array(TICK_COUNT);
  for (const [price, stake] of (side === 'For' ? outcome.for : outcome.against) ?? []) {
    const tick = tickOfDecimal(price);
    if (tick === undefined) throw new RangeError(`${outcome.id}: ${price} is not a ladder price.`);
    amounts[tick] = amountOf(stake, outcome.id);
  }
  return amounts;
}

function amountOf(decimal: number, outcome: string): Money {
  const amount = moneyFromDecimal(decimal);
  if (amount === undefined || amount < 0) throw new RangeError(`${outcome}: ${decimal} is not an amount.`);
  return amount;
}

function nextTick(row: Row | undefined, side: SideIndex, from: number): number {
  const step = worseStep(side);
  for (let tick = from + step; tick >= 0 && tick < TICK_COUNT; tick += step) {
    if ((row?.amounts[side][tick] ?? 0) > 0) return tick;
  }
  return NO_TICK;
}
