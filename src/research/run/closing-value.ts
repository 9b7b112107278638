/** Closing value: the prices got against a later price that knows more, such as the starting price. */

import type { Side } from '../../core/side.ts';
import { type BootstrapOptions, type Interval, ratioInterval } from '../chance/bootstrap.ts';
import type { Meaning } from '../figure/meaning.ts';
import { sumOf } from '../figure/moments.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';
import { sumsByGroup } from './event-sums.ts';
import { valuePerStake } from './expected-value.ts';

/** One fill, or all fills of an order at one price. Prices are decimal odds. */
export interface PricedBet {
  readonly eventGroup: string;
  readonly side: Side;
  readonly price: number;
  /** The backer's stake on both sides, in money. */
  readonly stake: number;
  /** The price that it is judged by: starting price, last price before the off, or the traded price some seconds later. */
  readonly closing: number;
  /** How many bets it stands for, where several of one side and outcome are merged; absent: 1. */
  readonly bets?: number;
}

/** Σ stake × (price ÷ closing − 1), with the other sign for lays: what the bets would bring if the closing prices were fair. */
export interface ClosingValue extends Meaning {
  readonly kind: 'closingValue';
  /** What the bets were worth at closing, in money, before commission. */
  readonly money: number;
  /** Backer's stake of the bets, in money. */
  readonly stake: number;
  /** Money in per cent of the backers' stakes. */
  readonly percent: number;
  /** Of `percent`, by event group. */
  readonly interval: Interval | NotKnown;
  /** How many bets were judged. */
  readonly bets: number;
}

const CLOSING_VALUE_MEANING: Meaning = {
  says:
    'Closing value says how much better the prices got were than those at closing. It needs far fewer bets than profit ' +
    'does to show a strategy that sees prices move before they do.',
  doesNotSay:
    'It is no profit: where closing prices are biased or commission is higher than the value, it is not earned. A ' +
    'strategy that knows more than the closing price is worth more than it shows.',
};

export function closingValueOf(bets: readonly PricedBet[], options: BootstrapOptions): ClosingValue | NotKnown {
  if (bets.length === 0) return notKnown('No bet has a closing price.');
  const [values, stakes] = valueColumns(bets);
  const money = sumOf(values);
  const stake = sumOf(stakes);
  if (stake === 0) return notKnown('Nothing was staked.');
  const groups = bets.map(({ eventGroup }) => eventGroup);
  const [above = values, below = stakes] = sumsByGroup(groups, [values.map((value) => value * 100), stakes]);
  const interval = ratioInterval({ above, below, ...options });
  return {
    kind: 'closingValue',
    money,
    stake,
    percent: (money / stake) * 100,
    interval,
    bets: sumOf(bets.map((bet) => bet.bets ?? 1)),
    ...CLOSING_VALUE_MEANING,
  };
}

/** The values of the bets at closing and their stakes, in money. */
export function valueColumns(bets: readonly PricedBet[]): readonly [Float64Array, Float64Array] {
  return [
    Float64Array.from(bets, ({ side, price, stake, closing }) => {
      return stake * valuePerStake({ side, price, fairPrice: closing });
    }),
    Float64Array.from(bets, ({ stake }) => stake),
  ];
}
