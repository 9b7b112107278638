/** A bot over HTTP whose tokens hardly live: it polls and places for a while, and every call and every poll is watched. */

import { firstValueFrom, type Observable, tap } from 'rxjs';
import type { CallInput, LenientAnswerOf, LenientCaller } from '../../src/betdex/client/call.ts';
import type { ClientEvent } from '../../src/betdex/client/client-event.ts';
import { RestClient } from '../../src/betdex/client/rest-client.ts';
import { restGateway } from '../../src/betdex/gateway/rest-gateway.ts';
import type { Operation } from '../../src/betdex/wire/endpoints.ts';
import { defined } from '../../src/core/checks/assert.ts';
import { tick } from '../../src/core/number/ladder.ts';
import { Random } from '../../src/core/number/random.ts';
import type { Money } from '../../src/core/number/units.ts';
import type { CallOutcome } from '../../src/exchange-live/connection/call-outcome.ts';
import { TIMEOUTS } from '../../src/exchange-live/settings.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import type { SandboxFacts } from './vendor/sandbox-process.ts';
import { VendorClient } from './vendor/vendor-client.ts';

export interface SoakReport {
  readonly calls: number;
  readonly ordersPlaced: number;
  readonly logins: number;
  readonly refreshes: number;
  /** The longest time between two answered price polls. */
  readonly pollGapMsMax: number;
  /** Failed calls, rejected sessions, late polls, notices of the gateway, orders that were not taken. */
  readonly breaches: readonly string[];
}

export const POLL_EVERY_MS = 250;
/** A poll that is answered later than this after the one before has missed its budget. */
const POLL_GAP_MS_MAX = 20 * POLL_EVERY_MS;
const ORDER_EVERY_MS = 500;
const STAKE = 1_000_000 as Money;

export async function soakSessions(sandbox: SandboxFacts, seconds: number): Promise<SoakReport> {
  const { appId, apiKey, walletId } = sandbox;
  const events: ClientEvent[] = [];
  const client = new RestClient({
    ...{ baseUrl: sandbox.url, credentials: { appId, apiKey }, clock: wallClock, random: Random.fromSeed(1) },
    budget: { perSecond: 200, burst: 200 },
    onEvent: (event) => events.push(event),
  });
  const watched = new WatchedCalls(client.lenient);
  const breaches: string[] = [];
  const marketId = await openMarket(sandbox);
  const poll = { kind: 'poll', everyMs: POLL_EVERY_MS } as const;
  const gateway = restGateway({
    clock: wallClock,
    client: watched,
    settings: {
      ...{ appId, wallets: [walletId], currency: 'USDC', watch: { marketIds: [marketId] }, timeouts: TIMEOUTS },
      ...{ referencePrefix: `soak-${wallClock.now()}`, strategies: ['soak'] },
      feeds: { markets: poll, prices: poll, orders: poll, wallets: poll },
    },
  });
  const listening = gateway.notices$.subscribe((notice) => breaches.push(JSON.stringify(notice)));
  const listed = new Promise<number>((resolve) => {
    listening.add(
      gateway.feed$.subscribe((message) => {
        if (message.kind === 'market') resolve(message.market.index);
      }),
    );
  });
  const market = await listed;
  let made = 0;
  const end = wallClock.now() + seconds * 1000;
  while (wallClock.now() < end) {
    made += 1;
    const order = { client: made, strategy: 0, wallet: 0, market, outcome: 0, tick: tick(349), stake: STAKE };
    const request = { ...order, side: 'For', keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' } as const;
    const placed = await firstValueFrom(gateway.place([request]));
    const item = placed.kind === 'placed' ? placed.items[0] : undefined;
    if (item?.kind === 'accepted') {
      const cancelled = await firstValueFrom(gateway.cancel([item.report.order]));
      if (cancelled.kind !== 'cancelled')
        breaches.push(`order ${made} was not cancelled: ${JSON.stringify(cancelled)}`);
    } else breaches.push(`order ${made} was not taken: ${JSON.stringify(placed)}`);
    await new Promise((resolve) => setTimeout(resolve, ORDER_EVERY_MS));
  }
  listening.unsubscribe();
  await client.close();
  const count = (kind: ClientEvent['kind']) => events.filter((event) => event.kind === kind).length;
  for (const event of events)
    if (event.kind === 'sessionRejected' || event.kind === 'sessionFailed') breaches.push(JSON.stringify(event));
  if (watched.pollGapMsMax > POLL_GAP_MS_MAX) breaches.push(`two price polls lay ${watched.pollGapMsMax} ms apart`);
  return {
    ...{ calls: watched.calls, ordersPlaced: made, pollGapMsMax: watched.pollGapMsMax },
    ...{ logins: count('sessionOpened'), refreshes: count('sessionRefreshed') },
    breaches: [...breaches, ...watched.failures],
  };
}

async function openMarket(sandbox: SandboxFacts): Promise<string> {
  const vendor = new VendorClient(sandbox.url);
  await vendor.login(sandbox.appId, sandbox.apiKey);
  const query = { statuses: ['Open'], inPlayStatuses: ['PrePlay'], published: true, size: 1 };
  const { body } = await vendor.call('GET /markets', { query });
  vendor.close();
  return defined<string>(body.markets[0]?.id, 'the sandbox has an open market');
}

/** Counts what goes through, and notes what fails. */
class WatchedCalls implements LenientCaller {
  readonly reading = 'lenient';
  calls = 0;
  pollGapMsMax = 0;
  readonly failures: string[] = [];
  readonly #client: LenientCaller;
  #polledAt: number | undefined;

  constructor(client: LenientCaller) {
    this.#client = client;
  }

  call<O extends Operation>(operation: O, input: CallInput<O>): Observable<CallOutcome<LenientAnswerOf<O>>> {
    return this.#client.call(operation, input).pipe(
      tap((outcome) => {
        this.calls += 1;
        if (outcome.kind !== 'answered') this.failures.push(`${operation}: ${JSON.stringify(outcome)}`);
        if (operation === 'listPrices') this.#polled();
      }),
    );
  }

  #polled(): void {
    const now = wallClock.now();
    if (this.#polledAt !== undefined) this.pollGapMsMax = Math.max(this.pollGapMsMax, now - this.#polledAt);
    this.#polledAt = now;
  }
}
