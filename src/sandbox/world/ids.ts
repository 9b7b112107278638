/** Converts between the exchange machine's numbers and the API's ids. */

import type { WalletType } from '../../core/market.ts';

/** The API id of an event, market, order or trade: counted from 1, so that no id is 0. */
export function numericId(count: number): string {
  return String(count + 1);
}

const NUMERIC = /^[1-9]\d{0,14}$/;

/** The exchange machine's number of an API id; undefined for a text that is no such id (`007`, `abc`). */
export function countOfId(id: string): number | undefined {
  return NUMERIC.test(id) ? Number(id) - 1 : undefined;
}

/** `<appId>-User-<n>` (profile section 1); ids of other wallet types follow the same pattern. */
export function walletIdOf(appId: string, type: WalletType, number: number): string {
  return `${appId}-${type}-${number}`;
}
