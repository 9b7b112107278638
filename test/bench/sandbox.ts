/** The benches of the sandbox: our client and our server over loopback, beside bare fastify and undici's Pool. */

import { ENDPOINTS } from '../../src/betdex/wire/endpoints.ts';
import { queryToWire } from '../../src/codec/request-address.ts';
import { Echo, type EchoCall, recorded } from './echo.ts';
import { claim, compared, type Figure } from './figure.ts';
import { BATCH, OrderBatches, type OrderBody, PAIRS } from './order-batches.ts';
import { answered, MARKETS, SandboxStage } from './sandbox-stage.ts';
import { type CallsPlan, ServedCalls } from './served-calls.ts';
import type { BenchSize } from './size.ts';

const ECHO = "undici's Pool and bare fastify, the same bytes";

interface Setting {
  readonly name: string;
  readonly size: BenchSize;
  /** Calls under way at once. */
  readonly concurrency: number;
}

/** One kind of call: by our client, and as the yardstick sends it. */
interface Workload {
  readonly unit: string;
  readonly data: string;
  readonly plan: Omit<CallsPlan, 'concurrency' | 'server'>;
  readonly echo: EchoCall;
}

export function benchSandboxGet(name: string, concurrency: number, size: BenchSize): Promise<Figure> {
  const { path, query: schema } = ENDPOINTS.listPrices;
  return measured({ name, size, concurrency }, ({ client, marketIds }) => {
    const query = { marketIds: [...marketIds] };
    return {
      unit: 'GET/s',
      data: `prices of ${MARKETS} markets that nobody changes`,
      plan: {
        calls: size.sandboxGets,
        bodies: (calls) => Array.from({ length: calls }),
        async call() {
          const { prices } = await answered(client, 'listPrices', { query });
          claim(prices.length === MARKETS, 'an answer lacks a market');
        },
        tidy: async () => undefined,
      },
      echo: { method: 'GET', path, address: `${path}?${queryToWire(schema, query)}` },
    };
  });
}

export function benchSandboxBatch(name: string, concurrency: number, size: BenchSize): Promise<Figure> {
  const { path } = ENDPOINTS.createOrders;
  return measured({ name, size, concurrency }, ({ client, markets, marketIds, server }) => {
    const batches = new OrderBatches(server.access.walletId, markets);
    return {
      unit: 'batches/s',
      data: `${BATCH} orders a batch, ${2 * PAIRS} of which match each other, all cancelled between the turns`,
      plan: {
        calls: size.sandboxBatches,
        bodies: (calls) => Array.from({ length: calls }, () => ({ requests: batches.next() })),
        async call(body) {
          // What `bodies` made.
          const input = { body: body as { requests: OrderBody[] } };
          const { orders, trades } = await answered(client, 'createOrders', input);
          claim(orders.length === BATCH && orders.every((order) => 'id' in order), 'an order was refused');
          claim(trades.length === 2 * PAIRS, `${trades.length} trades came of ${PAIRS} matches`);
        },
        async tidy() {
          await answered(client, 'cancelOrders', { body: { marketIds: [...marketIds] } });
        },
      },
      echo: { method: 'POST', path, address: path },
    };
  });
}

async function measured(setting: Setting, workloadOf: (stage: SandboxStage) => Workload): Promise<Figure> {
  const stage = await SandboxStage.open(setting.concurrency);
  try {
    const workload = workloadOf(stage);
    const [body] = workload.plan.bodies(1);
    const token = await stage.token();
    const answer = await recorded(stage.server.access.url, { ...workload.echo, token, body });
    await workload.plan.tidy();
    const echo = await Echo.open({ ...workload.echo, token, answer, connections: setting.concurrency });
    try {
      return await figureOf(setting, { stage, echo, workload, bytes: Buffer.byteLength(answer.text) });
    } finally {
      await echo.close();
    }
  } finally {
    await stage.close();
  }
}

interface Sides {
  readonly stage: SandboxStage;
  readonly echo: Echo;
  readonly workload: Workload;
  /** Of an answer's body. */
  readonly bytes: number;
}

async function figureOf({ name, size, concurrency }: Setting, sides: Sides): Promise<Figure> {
  const { stage, echo, workload, bytes } = sides;
  const own = new ServedCalls({ ...workload.plan, concurrency, server: stage.server });
  const call = (body: unknown) => echo.call(body);
  const untouched = async () => undefined;
  const beside = new ServedCalls({ ...workload.plan, concurrency, server: echo.server, call, tidy: untouched });
  for (let step = 0; step < size.sandboxWarmUps; step += 1) for (const each of [own, beside]) await each.warmUp();
  const { value, yardstick, ratio } = await compared(size.repetitions, own, beside);
  const spent = own.shares();
  const echoed = beside.shares();
  return {
    ...{ name, value, unit: workload.unit, yardstick: { name: ECHO, value: yardstick }, ratio },
    counts: {
      ...{ calls: own.operations, concurrency, bytes, ...spent },
      ...{ yardstickClientUs: echoed.clientUs, yardstickServerUs: echoed.serverUs },
      ...{ yardstickWallPerSecond: echoed.wallPerSecond },
    },
    data: `${workload.data}; per second of the processor time of client and server together`,
  };
}
