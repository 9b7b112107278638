/** A run that is cut off and started again over HTTP against a real sandbox: its account snapshot, its orders, its result. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RestClient } from '../../../src/betdex/client/rest-client.ts';
import { type RestGateway, restGateway } from '../../../src/betdex/gateway/rest-gateway.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { RunState } from '../../../src/core/run/run-state.ts';
import type { FeedMessage } from '../../../src/exchange/gateway.ts';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { restored, runState } from '../../support/betdex/served-orders.ts';
import { SandboxWorld } from '../../support/conformance/sandbox-world.ts';
import { order } from '../../support/conformance/stage.ts';

const POLLED = { kind: 'poll', everyMs: 40 } as const;
const ADAPTIVE = { kind: 'adaptive', everyMs: 200, urgentMs: 50, nearOffMs: 1_000 } as const;
const SHORT_TIMEOUTS = {
  ...{ placeTimeoutMs: 2_500, absenceMs: 100, lookUpEveryMs: 150, absentEveryMs: 300 },
  ...{ resultEveryMs: 100, commissionMs: 200 },
};

let sandbox: Sandbox;
const clients: RestClient[] = [];

beforeAll(async () => {
  const onBug = (error: unknown) => {
    throw error;
  };
  sandbox = await openSandbox({ clock: wallClock, version: '0.0.0', checksAnswers: true, onBug });
});

afterAll(async () => {
  for (const client of clients) await client.close();
  await sandbox.close();
});

/** One process of the run: its gateway, the messages it emitted, and a way to end it. */
function start(world: SandboxWorld, resume?: RunState) {
  const credentials = { appId: world.appId, apiKey: world.apiKey };
  const client = new RestClient({
    ...{ baseUrl: sandbox.url, credentials, clock: wallClock, random: Random.fromSeed(1) },
    budget: { perSecond: 2_000, burst: 2_000 },
  });
  clients.push(client);
  const gateway: RestGateway = restGateway({
    ...{ clock: wallClock, client: client.lenient },
    settings: {
      ...{ appId: world.appId, wallets: [world.walletId], currency: 'USDC', watch: { eventIds: [world.eventId] } },
      ...{ referencePrefix: 'restarted', strategies: ['Scalp it'], timeouts: SHORT_TIMEOUTS, pollsPerSecond: 500 },
      feeds: { markets: POLLED, prices: ADAPTIVE, orders: POLLED, wallets: POLLED },
    },
    ...(resume === undefined ? {} : { resume }),
  });
  const said: string[] = [];
  const listening = gateway.feed$.subscribe((message) => said.push(...words(message)));
  return { gateway, said, end: () => listening.unsubscribe() };
}

function words(message: FeedMessage): readonly string[] {
  if (message.kind === 'market') return message.cause === 'prices' ? [] : [`market ${message.market.status}`];
  if (message.kind === 'order') return [`order ${message.order.client} ${message.order.status}`];
  if (message.kind === 'settled') return [`settled ${message.profit / 1e6} ${message.commission / 1e6}`];
  return message.kind === 'absent' ? [`absent ${message.client}`] : [];
}

function until(condition: () => boolean): Promise<unknown> {
  return vi.waitUntil(condition, { timeout: 60_000, interval: 5 });
}

/** The first value that is emitted. */
function answer<T>(asked: { subscribe(next: (value: T) => void): unknown }): Promise<T> {
  return new Promise((resolve) => asked.subscribe(resolve));
}

describe('a run over HTTP that ends without a word', () => {
  it('knows at its next start what it has, what was settled meanwhile, and what never came to be', async () => {
    const world = new SandboxWorld(sandbox, { number: 71, balance: 1_000, commission: 5, currency: 'USDC' });
    const market = world.market({});
    const first = start(world);
    await until(() => first.said.includes('market Open'));
    await answer(first.gateway.place([order(1), order(2, { price: 5 })]));
    first.end();

    await market.take({ outcome: 0, side: 'For', price: 2, stake: 4 });
    world.placeOwn('of-somebody', market.id);
    const of = (client: number) => {
      const { terms } = restored(0);
      const mine = { ...terms, client, wallet: world.walletId, market: market.id };
      return restored(wallClock.now(), { terms: mine });
    };
    const second = start(world, runState([of(1), of(2), of(3)]));
    await until(() => second.said.includes('order 1 PartiallyMatched') && second.said.includes('order 2 Unmatched'));
    expect(second.said[0]).toBe('market Open');
    const reply = await answer(second.gateway.accountSnapshot());
    if (reply.kind !== 'books') throw new Error(reply.details);
    const { orders, positions, wallets } = reply.books;
    expect(orders.map(({ client, status }) => [client, status])).toEqual([
      [1, 'PartiallyMatched'],
      [2, 'Unmatched'],
      [0, 'Unmatched'],
    ]);
    expect(positions.map(({ marketId, profitIfWins }) => [marketId, [...profitIfWins.values()]])).toEqual([
      [market.id, [4e6, -4e6]],
    ]);
    // 10 and 10 For are at stake, and 1 in the foreign order.
    expect(wallets).toMatchObject([{ balanceAvailable: (1_000 - 21) * 1e6 }]);

    second.gateway.adopt(orders[2]?.order ?? 0, 4);
    await until(() => second.said.includes('order 4 Unmatched'));
    await until(() => second.said.includes('absent 3'));
    second.end();

    await market.settle(0);
    await market.close();
    const adopted = { ...of(4), fate: 'known' as const, foreignOrder: orders[2]?.order ?? 0 };
    const third = start(world, runState([of(1), of(2), adopted]));
    await until(() => third.said.includes('market Closed'));
    third.end();
    expect(third.said[0]).toBe('market Settled');
    expect([...third.said.slice(1, 4)].sort()).toEqual(['order 1 Won', 'order 2 Cancelled', 'order 4 Cancelled']);
    // 4 won at 2.0, less five percent commission.
    expect(third.said.slice(4)).toEqual(['settled 3.8 0.2', 'market Closed']);
  });
});
