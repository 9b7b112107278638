/** The only place of the command that knows which exchanges there are: their configured access, and how each is opened. */

import { type BetdexAccess, betdexIdentity } from '../../betdex/access.ts';
import { openBetdex } from '../../betdex/open-betdex.ts';
import { type BetfairAccess, betfairIdentity } from '../../betfair/access.ts';
import { API_URL } from '../../betfair/client/hosts.ts';
import { openBetfair } from '../../betfair/open-betfair.ts';
import type { Exchange, ExchangeIdentity, ExchangeTools } from '../../exchange-live/adapter/exchange.ts';
import type { Clock } from '../../time/clock.ts';

/** What a configuration says of its exchange, and of us there. */
export type ExchangeAccess = BetdexAccess | BetfairAccess;

/** Where Betfair is asked if the configuration names no sandbox. */
export const BETFAIR_URL = API_URL;

function isBetfair(access: ExchangeAccess): access is BetfairAccess {
  return 'appKey' in access;
}

export function identityOf(access: ExchangeAccess): ExchangeIdentity {
  return isBetfair(access) ? betfairIdentity(access) : betdexIdentity(access);
}

/** The currency of markets where a configuration names none. */
export function currencyOf(access: ExchangeAccess): string {
  return isBetfair(access) ? 'GBP' : 'USDC';
}

/** The address of the stream; undefined where there is none. */
export function streamUrlOf(access: ExchangeAccess): string | undefined {
  return isBetfair(access) ? undefined : access.streamUrl;
}

/** What of it tells one run's exchange from another's, without secrets. */
export function accessInHash(access: ExchangeAccess): object {
  if (isBetfair(access)) return { betfair: access.username, url: access.url };
  const { apiKey: _apiKey, proxy: _proxy, ...told } = access;
  return told;
}

interface ExchangeSettings extends Omit<ExchangeTools, 'clock'> {
  readonly exchange: ExchangeAccess;
}

/** Nothing is sent yet. Its owner closes it. */
export function openExchange({ exchange, feeds, requestsPerSecond }: ExchangeSettings, clock: Clock): Exchange {
  const tools = { clock, feeds, requestsPerSecond };
  return isBetfair(exchange) ? openBetfair(exchange, tools) : openBetdex(exchange, tools);
}
