/** Whether a wallet that is named somewhere is one of the wallets. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { nearest } from '../../core/collections/nearest.ts';
import type { ConfigErrorCode } from './loaded-config.ts';

/** @throws OddsmithError CONFIG_INVALID, with the nearest name */
export function checkWallet(name: string, wallets: readonly string[], where: string): void {
  if (wallets.includes(name)) return;
  const near = nearest(name, wallets);
  throw new OddsmithError<ConfigErrorCode>({
    code: 'CONFIG_INVALID',
    what: `There is no wallet named "${name}".`,
    where,
    why: `The wallets are: ${wallets.join(', ')}.`,
    next: near === undefined ? 'Add it under wallets, or name one of those.' : `Did you mean ${near}?`,
  });
}
