/**
 * Converts JSON numbers to money and prices and back, exactly: a number that cannot be held exactly is a fault and is not
 * rounded.
 */

import { faulty, read, type WireResult } from '../../../codec/fault.ts';
import { assert, defined } from '../../../core/checks/assert.ts';
import { decimalOfTick, type Tick, tickOfPrice } from '../../../core/number/ladder.ts';
import {
  MONEY_SCALE,
  type Money,
  money,
  moneyFromDecimal,
  type Price,
  priceFromDecimal,
  priceToDecimal,
} from '../../../core/number/units.ts';

/** Below 2³³ currency units each multiple of 10⁻⁶ has a double of its own; above, two amounts may share one. */
export const AMOUNT_MAX = 2 ** 33;
const STAKE_DECIMALS = 1_000;

/** An amount as a JSON number in currency units. */
export function amountToWire(amount: Money): number {
  assert(Math.abs(amount) <= AMOUNT_MAX * MONEY_SCALE, `no JSON number holds ${amount} exactly`);
  return amount / MONEY_SCALE;
}

/** Reads an amount of any sign, rounded to the nearest 10⁻⁶: the exchange's own arithmetic may leave smaller remainders. */
export function amountFromWire(value: unknown): WireResult<Money> {
  if (typeof value !== 'number') return faulty('WRONG_TYPE');
  if (!(Math.abs(value) <= AMOUNT_MAX)) return faulty('BAD_AMOUNT');
  return read(defined(moneyFromDecimal(value), 'an amount within the maximum is money'));
}

/** Reads an amount that cannot be negative, such as the parts of a stake. */
export function partFromWire(value: unknown): WireResult<Money> {
  const result = amountFromWire(value);
  return result.kind === 'read' && result.value < 0 ? faulty('BAD_AMOUNT') : result;
}

/** Reads the stake of a new order: positive, with at most three decimals as written. */
export function stakeFromWire(value: unknown): WireResult<Money> {
  if (typeof value !== 'number') return faulty('WRONG_TYPE');
  if (!(value > 0 && value <= AMOUNT_MAX)) return faulty('BAD_STAKE');
  const thousandths = Math.round(value * STAKE_DECIMALS);
  // The text 0.123 is read as the double nearest to it, and 123 / 1000 gives the same double. So the two are equal exactly if
  // the text has at most three decimals.
  if (thousandths / STAKE_DECIMALS !== value) return faulty('BAD_STAKE');
  return read(money(thousandths * (MONEY_SCALE / STAKE_DECIMALS)));
}

export function priceToWire(at: Price): number {
  return priceToDecimal(at);
}

/** Reads the price of a fill, rounded to the nearest 10⁻³: it may lie between ladder prices. */
export function priceFromWire(value: unknown): WireResult<Price> {
  if (typeof value !== 'number') return faulty('WRONG_TYPE');
  const at = priceFromDecimal(value);
  return at === undefined ? faulty('BAD_PRICE') : read(at);
}

export function tickToWire(at: Tick): number {
  return decimalOfTick(at);
}

/** Reads the price of an order, which must be a ladder price exactly. */
export function tickFromWire(value: unknown): WireResult<Tick> {
  if (typeof value !== 'number') return faulty('WRONG_TYPE');
  const at = priceFromDecimal(value);
  if (at === undefined) return faulty('BAD_PRICE');
  const tick = priceToDecimal(at) === value ? tickOfPrice(at) : undefined;
  return tick === undefined ? faulty('OFF_LADDER') : read(tick);
}
