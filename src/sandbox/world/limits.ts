/**
 * Checks that the world makes before it asks the exchange machine: ids that could not be sent, times and sums out of
 * bounds.
 */

import { MONEY_SCALE } from '../../core/number/units.ts';
import type { ChangeRefusal } from './change.ts';

/**
 * The most that an account may hold, owe or overdraw: 10⁹ units. A JSON number holds every amount up to 2³³ units
 * exactly.
 */
export const ACCOUNT_MAX = 1_000_000_000 * MONEY_SCALE;
/**
 * The most money and overdraft issued in one currency, so that the balances of the System wallet and of the richest
 * wallet can be sent exactly.
 */
export const ISSUE_MAX = 8 * ACCOUNT_MAX;
/** The longest in-play delay, an hour: an order Pending for longer would outlive its market. */
export const IN_PLAY_DELAY_MAX_MS = 3_600_000;
/** The last millisecond of the year 9999, UTC. */
const INSTANT_MAX = 253_402_300_799_999;

const ID = /^[A-Za-z0-9_.~-]{1,100}$/;

export function isInstant(at: number): boolean {
  return Number.isSafeInteger(at) && at >= 0 && at <= INSTANT_MAX;
}

/**
 * Refuses an id that could not be used in URLs and comma-separated lists: letters, digits and `_ . ~ -`, at most 100.
 */
export function refuseId(id: string): ChangeRefusal | undefined {
  return ID.test(id) ? undefined : invalid(`${JSON.stringify(id.slice(0, 100))} cannot be an id`);
}

export function unknown(what: string): ChangeRefusal {
  return { code: 'UNKNOWN_ID', what };
}

export function invalid(what: string): ChangeRefusal {
  return { code: 'INVALID', what };
}

export function taken(what: string): ChangeRefusal {
  return { code: 'ID_TAKEN', what };
}
