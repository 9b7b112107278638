/** Checks before anything else whether the exchange accepts our key, holds our wallets and has the same time. */

import type { RestClient } from '../../../betdex/client/rest-client.ts';
import type { CallOutcome } from '../../../exchange-live/connection/call-outcome.ts';
import { accessError } from '../../cli/access-error.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { RunOptions } from '../../run/run-options.ts';
import { untilAborted } from '../link/wait-out.ts';

/**
 * False if the signal came first. It changes nothing at the exchange, except that a session is opened.
 * @throws CliError EXCHANGE_NOT_AUTHORISED, EXCHANGE_UNREACHABLE, CLOCK_SKEW, CONFIG_INVALID
 */
export async function checkExchange(client: RestClient, options: RunOptions, signal: AbortSignal): Promise<boolean> {
  const access = await untilAborted(client.accessToken(), signal);
  if (access === undefined) return false;
  if (access.kind === 'failed') throw accessError(access, options.exchange);
  checkSkew(access.skewMs, options);
  return options.mode === 'paper' || (await checkWallets(client, options, signal));
}

/** False if the signal came first. @throws CliError CONFIG_INVALID, EXCHANGE_UNREACHABLE */
export async function checkWallets(
  client: RestClient,
  options: Pick<RunOptions, 'wallets' | 'exchange'>,
  signal: AbortSignal,
): Promise<boolean> {
  for (const { name, id } of options.wallets) {
    // A wallet that is there and cannot be read is left to the gateway: what it says of it stops that wallet alone.
    const outcome = await untilAborted(client.lenient.call('getWallet', { path: { id } }), signal);
    if (outcome === undefined) return false;
    checkWallet(outcome, name, options.exchange.url);
  }
  return true;
}

function checkSkew(skewMs: number | undefined, { exchange, skewMaxMs }: RunOptions): void {
  if (skewMs === undefined || Math.abs(skewMs) <= skewMaxMs) return;
  throw new CliError({
    code: 'CLOCK_SKEW',
    what: `The clock of this machine is ${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the exchange’s.`,
    where: exchange.url,
    why: `At most ${skewMaxMs / 1_000} s are allowed: times to the off, days of the loss limits and the journal would all be wrong.`,
    next: 'Set the clock (timedatectl shows whether it is kept in time), or raise clock.skewMaxMs if you know why.',
  });
}

function checkWallet(outcome: CallOutcome<unknown>, name: string, url: string): void {
  if (outcome.kind === 'answered') return;
  const isGone = outcome.kind === 'refused' && outcome.isOwn && (outcome.status === 404 || outcome.status === 403);
  const why = outcome.kind === 'refused' ? `${outcome.status} ${outcome.title}` : outcome.details;
  throw new CliError({
    code: isGone ? 'CONFIG_INVALID' : 'EXCHANGE_UNREACHABLE',
    what: isGone ? `The exchange shows this app no wallet with the id of "${name}".` : 'The wallets cannot be read.',
    where: isGone ? `wallets.${name}.id` : url,
    why,
    next: isGone ? 'Check the id; it must be a wallet of the app.' : 'Check that the exchange is up.',
  });
}
