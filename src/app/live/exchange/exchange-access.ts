/** Checks before anything else whether the exchange accepts our key, holds our wallets and has the same time. */

import type { Exchange, ExchangeIdentity, WalletReport } from '../../../exchange-live/adapter/exchange.ts';
import { accessError } from '../../cli/access-error.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { RunOptions } from '../../run/run-options.ts';
import { untilAborted } from '../link/wait-out.ts';

/**
 * False if the signal came first. It changes nothing at the exchange, except that a session is opened.
 * @throws CliError EXCHANGE_NOT_AUTHORISED, EXCHANGE_UNREACHABLE, CLOCK_SKEW, CONFIG_INVALID
 */
export async function checkExchange(exchange: Exchange, options: RunOptions, signal: AbortSignal): Promise<boolean> {
  const access = await untilAborted(exchange.checkAccess(), signal);
  if (access === undefined) return false;
  if (access.kind === 'failed') throw accessError(access, exchange.identity);
  checkSkew(access.skewMs, options.skewMaxMs, exchange.identity);
  return options.mode === 'paper' || (await checkWallets(exchange, options, signal));
}

/** False if the signal came first. @throws CliError CONFIG_INVALID, EXCHANGE_UNREACHABLE */
export async function checkWallets(
  exchange: Exchange,
  options: Pick<RunOptions, 'wallets'>,
  signal: AbortSignal,
): Promise<boolean> {
  for (const { name, id } of options.wallets) {
    // A wallet that is there and cannot be read is left to the gateway: what it says of it stops that wallet alone.
    const report = await untilAborted(exchange.checkWallet(id), signal);
    if (report === undefined) return false;
    checkWallet(report, name, exchange.identity);
  }
  return true;
}

function checkSkew(skewMs: number | undefined, skewMaxMs: number, { url }: ExchangeIdentity): void {
  if (skewMs === undefined || Math.abs(skewMs) <= skewMaxMs) return;
  throw new CliError({
    code: 'CLOCK_SKEW',
    what: `The clock of this machine is ${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the exchange’s.`,
    where: url,
    why: `At most ${skewMaxMs / 1_000} s are allowed: times to the off, days of the loss limits and the journal would all be wrong.`,
    next: 'Set the clock (timedatectl shows whether it is kept in time), or raise clock.skewMaxMs if you know why.',
  });
}

function checkWallet(report: WalletReport, name: string, { url, owner }: ExchangeIdentity): void {
  if (report.kind === 'shown') return;
  const isGone = report.kind === 'absent';
  throw new CliError({
    code: isGone ? 'CONFIG_INVALID' : 'EXCHANGE_UNREACHABLE',
    what: isGone
      ? `The exchange shows this ${owner.kind} no wallet with the id of "${name}".`
      : 'The wallets cannot be read.',
    where: isGone ? `wallets.${name}.id` : url,
    why: report.details,
    next: isGone ? `Check the id; it must be a wallet of the ${owner.kind}.` : 'Check that the exchange is up.',
  });
}
