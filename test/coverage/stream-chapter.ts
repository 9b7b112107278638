/** Every message of the stream in both directions, between the stream client and the sandbox. */

import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { StreamClient } from '../../src/betdex/stream/stream-client.ts';
import type { StreamEvent } from '../../src/betdex/stream/stream-event.ts';
import { SUBSCRIPTION_TYPES } from '../../src/betdex/wire/basics/enums.ts';
import { Random } from '../../src/core/number/random.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import type { Floor } from '../support/coverage/floor.ts';
import { noteMessage, StreamSeam } from '../support/coverage/stream-seam.ts';

const QUICK = { retryFirstMs: 20, retryMaxMs: 50 };
const PATIENCE = { timeout: 60_000, interval: 5 };

export function streamChapter(floorOf: () => Floor): void {
  describe('stream', () => {
    test('every message, sent and read', async () => {
      const floor = floorOf();
      const listening = await listen(floor);
      const { client, seam, events } = listening;
      for (const type of SUBSCRIPTION_TYPES) client.subscribe(type, ['*']);
      const count = (is: (event: StreamEvent) => boolean) => expect.poll(() => events.filter(is).length, PATIENCE);
      await count(({ kind }) => kind === 'confirmed').toBe(SUBSCRIPTION_TYPES.length);
      await happenings(floor);
      for (const type of SUBSCRIPTION_TYPES)
        await count((event) => event.kind === 'message' && event.message.type === type).toBeGreaterThan(0);
      client.unsubscribe('EventUpdate', ['*']);
      await count(({ kind }) => kind === 'unsubscribed').toBe(1);
      seam.inject('no JSON');
      await count((event) => event.kind === 'trouble' && event.code === 'PROBLEM').toBe(1);
      seam.before = JSON.stringify({ action: 'subscribe', subscriptionType: 'OrderUpdate', subscriptionIds: ['*'] });
      await floor.stage.control.call('POST', '/stream/cut', {});
      await count((event) => event.kind === 'down' && event.code === 'NOT_AUTHENTICATED').toBe(1);
      listening.close();
    });
  });
}

/** Something of every kind: an event, a market's whole life, orders that match and end, money. */
async function happenings(floor: Floor): Promise<void> {
  const { alpha, beta, stage } = floor;
  const market = await floor.market({ inPlayDelay: 1 });
  await stage.control.call('POST', `/events/${floor.eventId}/active`, { active: true });
  const expectedStartTime = new Date(Date.now() + 7_200_000).toISOString();
  await stage.control.call('POST', `/events/${floor.eventId}/times`, { expectedStartTime });
  await floor.place(alpha, market);
  await floor.place(beta, market, { side: 'Against', stake: 4 });
  const cancelled = await floor.place(alpha, market, { price: 900 });
  await alpha.client.ask('cancelOrders', { body: { orderIds: [cancelled.id] } });
  await floor.move(market, 'in-play');
  await floor.move(market, 'lock');
  await floor.move(market, 'settle', { winners: [market.home] });
}

async function listen({ alpha, stage }: Floor) {
  const { notes, sandbox } = stage;
  const seam = await StreamSeam.open(sandbox.streamUrl, notes);
  const client = new StreamClient({
    ...{ url: seam.url, clock: wallClock, random: Random.fromSeed(1), limits: QUICK },
    token: () =>
      alpha.client.rest.accessToken().pipe(
        map((outcome) => {
          if (outcome.kind === 'failed') throw new Error(outcome.code);
          return outcome.token.reveal();
        }),
      ),
  });
  const events: StreamEvent[] = [];
  client.events$.subscribe((event) => {
    events.push(event);
    const message = heard(event);
    if (message !== undefined) noteMessage(notes, 'client', message);
  });
  client.start();
  const close = () => {
    client.close();
    seam.close();
  };
  return { client, seam, events, close };
}

/** The message that an event of the client's stands for: what it could not have told without having read it. */
function heard(event: StreamEvent): { readonly type?: string } | undefined {
  switch (event.kind) {
    case 'message':
      return event.message;
    case 'up':
      return said({ type: 'AuthenticationUpdate', connectionId: event.connectionId });
    case 'confirmed':
      return said({ type: 'SubscribeUpdate', subscriptionType: event.type, subscriptionId: event.id });
    case 'unsubscribed':
      return said({ type: 'UnsubscribeUpdate', subscriptionType: event.type, subscriptionId: event.id });
    case 'down':
      return event.code === 'NOT_AUTHENTICATED' && event.details.includes('subscription')
        ? said({ type: 'SubscribeNotAuthenticatedUpdate', connectionId: 'required by its reader' })
        : undefined;
    case 'trouble':
      return event.code === 'PROBLEM'
        ? said({ message: event.details, connectionId: 'required by its reader', requestId: event.details })
        : undefined;
    case 'resync':
    case 'refused':
      return undefined;
  }
}

function said(message: Readonly<Record<string, string>>): { readonly type?: string } {
  return message;
}
