/** The only place of the command that knows which exchanges there are: their configured access, and how each is opened. */

import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { type BetdexAccess, betdexIdentity } from '../../betdex/access.ts';
import { openBetdex } from '../../betdex/open-betdex.ts';
import { type BetfairAccess, betfairIdentity } from '../../betfair/access.ts';
import { API_URL, STREAM_URL } from '../../betfair/client/hosts.ts';
import { openBetfair } from '../../betfair/open-betfair.ts';
import type { Exchange, ExchangeIdentity, ExchangeTools } from '../../exchange-live/adapter/exchange.ts';
import type { Clock } from '../../time/clock.ts';
import { CliError } from '../cli/cli-error.ts';

/** What a configuration says of its exchange, and of us there. */
export type ExchangeAccess = BetdexAccess | BetfairFiles;

/** Paths of PEM files, from the directory in which the command runs: they are read when the exchange is opened. */
interface BetfairFiles extends Omit<BetfairAccess, 'certificate' | 'authority'> {
  readonly files: Readonly<Record<'certificate' | 'key' | 'authority', string | undefined>>;
}

/** Where Betfair is asked if the configuration names no sandbox. */
export const BETFAIR_URL = API_URL;

function isBetfair(access: ExchangeAccess): access is BetfairFiles {
  return 'appKey' in access;
}

export function identityOf(access: ExchangeAccess): ExchangeIdentity {
  return isBetfair(access) ? betfairIdentity(access) : betdexIdentity(access);
}

/** The currency of markets where a configuration names none. */
export function currencyOf(access: ExchangeAccess): string {
  return isBetfair(access) ? 'GBP' : 'USDC';
}

/** What becomes of orders that a run did not place where a configuration does not say it: an account at Betfair is a person's, who may bet by hand. */
export function foreignOrdersOf(access: ExchangeAccess): 'adopt' | 'leave' {
  return isBetfair(access) ? 'leave' : 'adopt';
}

/** The address of the stream; undefined where there is none: that of a sandbox is not Betfair's. */
export function streamUrlOf(access: ExchangeAccess): string | undefined {
  return access.streamUrl ?? (isBetfair(access) && access.url === undefined ? STREAM_URL : undefined);
}

/** What of it tells one run's exchange from another's, without secrets. */
export function accessInHash(access: ExchangeAccess): object {
  if (isBetfair(access)) return { betfair: access.username, url: access.url, streamUrl: access.streamUrl };
  const { apiKey: _apiKey, proxy: _proxy, ...told } = access;
  return told;
}

interface ExchangeSettings extends Omit<ExchangeTools, 'clock'> {
  readonly exchange: ExchangeAccess;
}

/** Nothing is sent yet. Its owner closes it. @throws CliError CONFIG_INVALID where a file of the access cannot be read */
export function openExchange({ exchange, feeds, requestsPerSecond }: ExchangeSettings, clock: Clock): Exchange {
  const tools = { clock, feeds, requestsPerSecond };
  return isBetfair(exchange) ? openBetfair(withFiles(exchange), tools) : openBetdex(exchange, tools);
}

function withFiles({ files, ...access }: BetfairFiles): BetfairAccess {
  const [certificate, key, authority] = (['certificate', 'key', 'authority'] as const).map((name) => {
    const path = files[name];
    return path === undefined ? undefined : fileText(path, name);
  });
  const isCertified = certificate !== undefined && key !== undefined;
  if (isCertified) checkPair(certificate, key);
  return { ...access, authority, ...(isCertified && { certificate: { certificate, key } }) };
}

function checkPair(certificate: string, key: string): void {
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw new CliError({
      code: 'CONFIG_INVALID',
      what: 'The certificate cannot be used.',
      where: 'exchange.betfair.certificate and exchange.betfair.key',
      why: error instanceof Error ? error.message : String(error),
      next: 'Both must be PEM files, and the key that of the certificate.',
    });
  }
}

function fileText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CliError({
      code: 'CONFIG_INVALID',
      what: `The file ${path} cannot be read.`,
      where: `exchange.betfair.${name}`,
      next: 'Check the path: it is looked up from the directory in which the command runs. A sandbox makes its authority at its first start.',
    });
  }
}
