/** What the world refuses before the machine is asked: names that could not be sent, times and sums out of bounds. */

import { MONEY_SCALE } from '../../core/number/units.ts';
import type { ChangeRefusal } from './change.ts';

/** No account holds, owes or may overdraw more: 10⁹ units. A JSON number holds every amount up to 2³³ units exactly. */
export const ACCOUNT_MAX = 1_000_000_000 * MONEY_SCALE;
/** All money and overdraft given out in one currency, so that the System wallet and the richest wallet stay sendable. */
export const ISSUE_MAX = 8 * ACCOUNT_MAX;
/** An hour: a Pending order that waited longer would outlive its market. */
export const IN_PLAY_DELAY_MAX_MS = 3_600_000;
/** The last moment whose year has four digits. */
const INSTANT_MAX = 253_402_300_799_999;

const ID = /^[A-Za-z0-9_.~-]{1,100}$/;

export function isInstant(at: number): boolean {
  return Number.isSafeInteger(at) && at >= 0 && at <= INSTANT_MAX;
}

/** Ids stand in addresses and in lists joined by commas: letters, digits and `_ . ~ -`, at most 100. */
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
