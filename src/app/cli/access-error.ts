/** The error for the user where no session could be opened: because of the key, or of the connection. */

import { CliError } from './cli-error.ts';

/** Statuses by which the exchange says that the key or the app is wrong, and not the connection. */
const NOT_AUTHORISED: ReadonlySet<number> = new Set([400, 401, 403]);

/** EXCHANGE_NOT_AUTHORISED or EXCHANGE_UNREACHABLE; `status` is that of the answer, where there was one. A proxy is shown without its password. */
export function accessError(
  { details, status }: { readonly details: string; readonly status?: number },
  { url, proxy }: { readonly url: string; readonly proxy: string | undefined },
): CliError {
  const isRefused = status !== undefined && NOT_AUTHORISED.has(status);
  return new CliError({
    code: isRefused ? 'EXCHANGE_NOT_AUTHORISED' : 'EXCHANGE_UNREACHABLE',
    what: isRefused ? 'The exchange does not let this app in.' : 'The exchange cannot be reached.',
    where: proxy === undefined ? url : `${url} through the proxy ${new URL(proxy).host}`,
    why: details,
    next: `${isRefused ? 'Check exchange.appId and exchange.apiKey.' : proxy === undefined ? 'Check exchange.url and that the exchange is up.' : 'Check exchange.proxy and exchange.url, and that both are up.'}${isOwn(url) ? OF_A_SANDBOX[isRefused ? 'refused' : 'unreachable'] : ''}`,
  });
}

const OF_A_SANDBOX = {
  refused: ' A sandbox makes new keys each time it starts: take those that it printed last.',
  unreachable: ' A sandbox is started with: oddsmith sandbox --crowd',
};

/** Whether an address is on this machine: then it is nearly always a sandbox. */
function isOwn(url: string): boolean {
  return /^[a-z]+:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/.test(url);
}
