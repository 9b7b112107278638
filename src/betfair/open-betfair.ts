/** Betfair as an `Exchange`: its client, and the gateways over it. */

import { of, Subject } from 'rxjs';
import { Random } from '../core/number/random.ts';
import type { EdgeEvent } from '../exchange-live/adapter/edge-event.ts';
import type { Exchange, ExchangeTools } from '../exchange-live/adapter/exchange.ts';
import { type BetfairAccess, betfairIdentity, checkAccess, checkWallet } from './access.ts';
import { BetfairClient } from './client/betfair-client.ts';
import { betfairGateway } from './gateway/betfair-gateway.ts';
import { marketFeed } from './gateway/market-feed.ts';

export function openBetfair(access: BetfairAccess, { clock, requestsPerSecond }: ExchangeTools): Exchange {
  const { url, authority, proxy, ...credentials } = access;
  const events$ = new Subject<EdgeEvent>();
  const client = new BetfairClient({
    ...{ credentials, url, authority, proxy, clock },
    // For jitter alone, which no replay needs.
    random: Random.fromSeed(Math.floor(clock.now()) % 2 ** 32),
    budget: { perSecond: requestsPerSecond, burst: 2 * requestsPerSecond },
    onEvent: (event) => events$.next(event),
  });
  const parts = { clock, calls: client, skewMs: () => client.skewMs };
  return {
    identity: betfairIdentity(access),
    events$: events$.asObservable(),
    stream: undefined,
    checkAccess: () => checkAccess(client, access),
    checkWallet: (id) => checkWallet(client, id),
    // Whether somebody else refreshes the account's heartbeat cannot be seen.
    heartbeatOwner: () => of({ kind: 'free' }),
    liveGateway: (settings, resume) => betfairGateway({ ...parts, settings, resume }),
    marketFeed: (settings) => marketFeed({ ...parts, settings }),
    close: () => client.close(),
  };
}
