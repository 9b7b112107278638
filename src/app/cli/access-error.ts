/** The error for the user where no session could be opened: because of the key, or of the connection. */

import type { AccessReport, ExchangeIdentity } from '../../exchange-live/adapter/exchange.ts';
import { CliError } from './cli-error.ts';

/** EXCHANGE_NOT_AUTHORISED or EXCHANGE_UNREACHABLE, in the adapter's words. */
export function accessError(
  { isRefused, details, where, next }: Extract<AccessReport, { readonly kind: 'failed' }>,
  { url, owner }: ExchangeIdentity,
): CliError {
  return new CliError({
    code: isRefused ? 'EXCHANGE_NOT_AUTHORISED' : 'EXCHANGE_UNREACHABLE',
    what: isRefused ? `The exchange does not let this ${owner.kind} in.` : 'The exchange cannot be reached.',
    where,
    why: details,
    next: `${next}${isOwn(url) ? OF_A_SANDBOX[owner.kind][isRefused ? 'refused' : 'unreachable'] : ''}`,
  });
}

const OF_A_SANDBOX = {
  app: {
    refused: ' A sandbox makes new keys each time it starts: take those that it printed last.',
    unreachable: ' A sandbox is started with: oddsmith sandbox --crowd',
  },
  account: {
    refused: ' A sandbox gives each user name an account, with the password of its first login.',
    unreachable: ' A sandbox is started with: oddsmith sandbox --betfair --crowd',
  },
};

/** Whether an address is on this machine: then it is nearly always a sandbox. */
function isOwn(url: string): boolean {
  return /^[a-z]+:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/.test(url);
}
