/** The stream client on the wall clock, on which it runs live: each of its timers fires. */

import { of } from 'rxjs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StreamClient } from '../../../src/betdex/stream/stream-client.ts';
import type { StreamEvent } from '../../../src/betdex/stream/stream-event.ts';
import { Random } from '../../../src/core/number/random.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { GOOD_TOKEN, StubExchange } from '../../support/stream/stub-exchange.ts';

let exchange: StubExchange;
let client: StreamClient;
const events: StreamEvent[] = [];

beforeEach(async () => {
  exchange = await StubExchange.listen();
});

afterEach(() => client.close());

/** The next event of a kind, after those received already. */
function next(kind: StreamEvent['kind']): Promise<StreamEvent> {
  return new Promise((resolve) => {
    const listening = client.events$.subscribe((event) => {
      if (event.kind !== kind) return;
      listening.unsubscribe();
      resolve(event);
    });
  });
}

/** Expired tokens until one is refused, as from a session that does not know that its token has expired. */
let token = 'stale';

test('authenticates at the second try, pings, rotates, and comes back after a fall', async () => {
  client = new StreamClient({
    url: exchange.url,
    clock: wallClock,
    random: Random.fromSeed(1),
    token: (refused) => {
      if (refused) token = GOOD_TOKEN;
      return of(token);
    },
    limits: {
      authenticationTimeoutMs: 40,
      retryFirstMs: 20,
      retryMaxMs: 20,
      pingAfterMs: 30,
      pongTimeoutMs: 200,
      rotateAfterMs: 150,
    },
  });
  client.events$.subscribe((event) => events.push(event));
  client.subscribe('WalletUpdate', ['*']);
  client.start();
  expect(events).toEqual([]);
  expect(await next('down')).toMatchObject({ code: 'NOT_AUTHENTICATED' });
  expect(await next('resync')).toMatchObject({ reason: 'connected' });
  const first = exchange.last;
  expect(await next('resync')).toMatchObject({ reason: 'rotated' });
  expect(first.pings).toBeGreaterThan(1);
  exchange.script = { ...exchange.script, pongs: false };
  const down = next('down');
  exchange.last.socket.terminate();
  expect(await down).toMatchObject({ code: 'CUT' });
  exchange.token = 'another';
  expect(await next('down')).toMatchObject({ code: 'NOT_AUTHENTICATED' });
});
