/** Checks that the operations on orders share: the request as a whole, prices and sizes. */

import type { ReportError } from '../../../betfair/wire/basics/codes.ts';
import { BET_MINIMUMS } from '../../../betfair/wire/basics/currencies.ts';
import type { CallFailure } from '../../../betfair/wire/exceptions.ts';
import { defined } from '../../../core/checks/assert.ts';
import { decimalOfTick, type Tick } from '../../../core/number/ladder.ts';
import type { Money } from '../../../core/number/units.ts';
import { moneyOfSize } from '../../names/amounts.ts';
import type { Account } from '../../state/accounts.ts';
import { factsById, type MarketFacts } from '../../state/market-facts.ts';
import { type Asker, exception } from '../shared/operation.ts';

const REF_MAX = 32;
/** The characters of references (profile section 5); a blank is none of them. */
const REF = /^[A-Za-z0-9\-._+*:;~]+$/;

/** Whether a text may be a reference of at most so many characters. */
export function isReference(text: string, max = REF_MAX): boolean {
  return text.length <= max && REF.test(text);
}

interface Instructed {
  readonly instructions: readonly unknown[];
  readonly customerRef?: string;
}

/** Why a request is refused as a whole, by an exception; undefined where it is not. */
export function refusedRequest(
  { face, account }: Asker,
  { instructions, customerRef }: Instructed,
  max: number,
): CallFailure | undefined {
  if (instructions.length === 0) return exception('INVALID_INPUT_DATA', 'there are no instructions');
  if (instructions.length > max) return exception('INVALID_INPUT_DATA', `a request has at most ${max} instructions`);
  if (customerRef !== undefined && customerRef !== '' && !isReference(customerRef))
    return exception('INVALID_INPUT_DATA', 'customerRef has other characters, or more than 32');
  if (face.requests.areTooMany(account.app, instructions.length, face.context.now()))
    return exception('TOO_MANY_REQUESTS', 'more than 1,000 instructions in one second');
  return undefined;
}

/** Whether the same request came within the last minute. */
export function isDuplicate({ face, account }: Asker, customerRef: string | undefined): boolean {
  if (customerRef === undefined || customerRef === '') return false;
  return face.requests.isRepeated(account.app, customerRef, face.context.now());
}

/** The market of a request, or why it takes no orders. */
export function openMarket(
  { world }: Asker,
  marketId: string,
  marketVersion?: { readonly version?: number },
): MarketFacts | ReportError {
  const facts = factsById(world, marketId);
  if (facts === undefined) return 'INVALID_MARKET_ID';
  if (facts.status === 'SUSPENDED') return 'MARKET_SUSPENDED';
  if (facts.status !== 'OPEN') return 'MARKET_NOT_OPEN_FOR_BETTING';
  const wanted = marketVersion?.version;
  return wanted === undefined || wanted === facts.version ? facts : 'INVALID_MARKET_VERSION';
}

/** The stake of a size; undefined where it has more than two decimals, or is not above zero. */
export function stakeOfSize(size: number | undefined, penny: number): Money | undefined {
  const stake = size === undefined ? undefined : moneyOfSize(size, penny);
  return stake !== undefined && stake > 0 ? stake : undefined;
}

/** Whether a bet is below the smallest of the account's currency. */
export function isTooSmall({ currency, penny }: Account, stake: Money, tick: Tick): boolean {
  const least = defined(BET_MINIMUMS[currency], 'the currencies of accounts have smallest bets');
  const size = stake / penny / 100;
  return size < least.size && size * decimalOfTick(tick) < least.payout;
}

/** How much more a bet may win, or less it may risk, by rounding to hundredths. Betfair tells no figure: it is our choice. */
const ROUNDING_MAX = 0.2;

export interface TickAndStake {
  readonly tick: Tick;
  readonly stake: Money;
}

/** Whether rounding to hundredths makes the bet too good: a backer's winnings too high, or a layer's risk too low. */
export function isTooGood({ penny }: Account, side: 'BACK' | 'LAY', { stake, tick }: TickAndStake): boolean {
  const exact = (stake / penny / 100) * (decimalOfTick(tick) - 1);
  const rounded = Math.round(exact * 100) / 100;
  return side === 'BACK' ? rounded > exact * (1 + ROUNDING_MAX) : rounded < exact * (1 - ROUNDING_MAX);
}
