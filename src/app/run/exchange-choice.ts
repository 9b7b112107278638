/** The only place of the command that knows which exchanges there are: their configured access, and how each is opened. */

import { type BetdexAccess, betdexIdentity } from '../../betdex/access.ts';
import { openBetdex } from '../../betdex/open-betdex.ts';
import type { Exchange, ExchangeIdentity, ExchangeTools } from '../../exchange-live/adapter/exchange.ts';
import type { Clock } from '../../time/clock.ts';

/** What a configuration says of its exchange, and of us there. */
export type ExchangeAccess = BetdexAccess;

export function identityOf(access: ExchangeAccess): ExchangeIdentity {
  return betdexIdentity(access);
}

interface ExchangeSettings extends Omit<ExchangeTools, 'clock'> {
  readonly exchange: ExchangeAccess;
}

/** Nothing is sent yet. Its owner closes it. */
export function openExchange({ exchange, feeds, requestsPerSecond }: ExchangeSettings, clock: Clock): Exchange {
  return openBetdex(exchange, { clock, feeds, requestsPerSecond });
}
