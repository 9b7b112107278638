/** Whether a wallet that is named somewhere is one of the wallets. */

import { nearest } from '../../../core/collections/nearest.ts';
import { CliError } from '../../cli/cli-error.ts';

/** @throws CliError CONFIG_INVALID, with the nearest name */
export function checkWallet(name: string, wallets: readonly string[], where: string): void {
  if (wallets.includes(name)) return;
  const near = nearest(name, wallets);
  throw new CliError({
    code: 'CONFIG_INVALID',
    what: `There is no wallet named "${name}".`,
    where,
    why: `The wallets are: ${wallets.join(', ')}.`,
    next: near === undefined ? 'Add it under wallets, or name one of those.' : `Did you mean ${near}?`,
  });
}
