/** The bench of what our client does for an order before the network takes it: from the call to the bytes. */

import { firstValueFrom } from 'rxjs';
import { RestClient } from '../../src/betdex/client/rest-client.ts';
import { Random } from '../../src/core/number/random.ts';
import type { Sending, Transport, WireReply, WireRequest } from '../../src/exchange-live/connection/transport.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import { claim, compared, type Figure, type Measured, Stopwatch } from './figure.ts';
import { BATCH, OrderBatches, type OrderBody } from './order-batches.ts';
import { BUDGET } from './sandbox-stage.ts';
import type { BenchSize } from './size.ts';

const MARKET = { id: '7', outcomeId: '7-0', fair: 150 };
/** Orders of one pass; a turn passes over them again and again. */
const ORDERS = 2_000;

/** `orders` of one call: 1 goes to /orders, a batch to /orders/batch. */
export async function benchClientOrder(name: string, orders: 1 | typeof BATCH, size: BenchSize): Promise<Figure> {
  const batches = bodies(Math.min(ORDERS, size.clientOrders));
  const passes = Math.ceil(size.clientOrders / (batches.length * BATCH));
  const transport = new Deaf();
  const options = { baseUrl: 'http://127.0.0.1:9', credentials: { appId: 'bench', apiKey: 'bench-key' } };
  const client = new RestClient(
    { ...options, clock: wallClock, random: Random.fromSeed(1), budget: BUDGET },
    transport,
  );
  const access = await firstValueFrom(client.accessToken());
  claim(access.kind === 'granted', 'the session opens');
  const calls = orders === 1 ? singleCalls(client, batches) : batchCalls(client, batches);
  const own = passing({ orders: batches.length * BATCH, passes, calls, taken: () => transport.characters });
  let written = 0;
  const write = stringifyCalls(orders === 1 ? batches.flat() : batches.map((requests) => ({ requests })), (text) => {
    written += text.length;
  });
  const beside = passing({ orders: batches.length * BATCH, passes, calls: write, taken: () => written });
  own.run();
  beside.run();
  claim(transport.characters === written, 'the client sends other bytes than JSON.stringify makes');
  const { value, yardstick, ratio } = await compared(size.repetitions, own, beside);
  await client.close();
  return {
    ...{
      name,
      value,
      unit: 'orders/s',
      ratio,
      yardstick: { name: 'JSON.stringify of the same body', value: yardstick },
    },
    counts: { orders: own.operations, 'orders a call': orders, nsPerOrder: 1e9 / value, yardstickNs: 1e9 / yardstick },
    data: 'from the call to the bytes that the transport is given, then given up: session, budget and deadline included',
  };
}

/** Takes every request, and answers log-ins alone. */
class Deaf implements Transport {
  /** Of the bodies of all orders. */
  characters = 0;

  send({ path, body = '' }: WireRequest, hear: (reply: WireReply) => void): Sending {
    if (path === '/sessions') wallClock.schedule(() => hear({ kind: 'reply', status: 200, body: SESSION }));
    else this.characters += body.length;
    return { hasBegun: true, cancel: () => undefined };
  }

  async close(): Promise<void> {}
}

const EXPIRY = { accessExpiresAt: '2099-01-01T00:00:00.000Z', refreshExpiresAt: '2099-01-01T00:00:00.000Z' };
const SESSION = JSON.stringify({
  _meta: { _primary_document: 'sessions', _count: 1 },
  sessions: [{ accessToken: 'access-token', refreshToken: 'refresh-token', ...EXPIRY }],
});

function bodies(orders: number): readonly (readonly OrderBody[])[] {
  const batches = new OrderBatches('8', [MARKET]);
  return Array.from({ length: Math.ceil(orders / BATCH) }, () => batches.next());
}

/** Each does one pass. */
type Pass = () => void;

function singleCalls(client: RestClient, batches: readonly (readonly OrderBody[])[]): Pass {
  const orders = batches.flat();
  return () => {
    for (const body of orders) client.call('createOrder', { body }).subscribe().unsubscribe();
  };
}

function batchCalls(client: RestClient, batches: readonly (readonly OrderBody[])[]): Pass {
  const requested = batches.map((requests) => ({ requests: [...requests] }));
  return () => {
    for (const body of requested) client.call('createOrders', { body }).subscribe().unsubscribe();
  };
}

function stringifyCalls(written: readonly unknown[], take: (text: string) => void): Pass {
  return () => {
    for (const body of written) take(JSON.stringify(body));
  };
}

interface Passing {
  readonly orders: number;
  readonly passes: number;
  readonly calls: Pass;
  readonly taken: () => number;
}

function passing({ orders, passes, calls, taken }: Passing): Measured {
  return {
    operations: orders * passes,
    run() {
      const before = taken();
      const watch = new Stopwatch();
      for (let pass = 0; pass < passes; pass += 1) calls();
      const seconds = watch.seconds();
      claim(taken() > before, 'nothing was written');
      return seconds;
    },
  };
}
