/** The API's names of what the machine counts: one rule for each kind, both ways. */

import type { WalletType } from '../../core/market.ts';

/** Events, markets, orders and trades count from 1 on the wire, so that no id is 0. */
export function numericId(count: number): string {
  return String(count + 1);
}

const NUMERIC = /^[1-9]\d{0,14}$/;

/** The machine's count; undefined for a text that names nothing (`007`, `abc`). */
export function countOfId(id: string): number | undefined {
  return NUMERIC.test(id) ? Number(id) - 1 : undefined;
}

/** `<appId>-User-<n>` (profile section 1); the others after the same pattern. */
export function walletIdOf(appId: string, type: WalletType, number: number): string {
  return `${appId}-${type}-${number}`;
}
