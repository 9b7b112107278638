/** The sandbox as a stage: the live gateway over HTTP, polled or streamed, with an app, a wallet and a crowd of its own. */

import { map, type Observable } from 'rxjs';
import { RestClient } from '../../../src/betdex/client/rest-client.ts';
import type { GatewaySettings } from '../../../src/betdex/gateway/base/gateway-settings.ts';
import { restGateway } from '../../../src/betdex/gateway/rest-gateway.ts';
import { StreamClient } from '../../../src/betdex/stream/stream-client.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { FeedMessage, Gateway } from '../../../src/exchange/gateway.ts';
import type { GatewayNotice } from '../../../src/exchange-live/notice.ts';
import type { FeedChoice } from '../../../src/exchange-live/settings.ts';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { ordersOfWallet } from '../exchange-orders.ts';
import { ControlClient } from '../vendor/control-client.ts';
import type { Json } from '../vendor/vendor-client.ts';
import { SandboxWorld } from './sandbox-world.ts';
import { type MarketControl, type MarketTerms, STRATEGIES, type Stage, type WireControl } from './stage.ts';

const BALANCE = 1_000;
const COMMISSION = 5;
const CURRENCY = 'USDC';
const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 3;
const HOUR_MS = 3_600_000;

/** Short, so that a lost order is proven absent within seconds. */
const SHORT_TIMEOUTS = {
  placeTimeoutMs: 2_500,
  absenceMs: 100,
  lookUpEveryMs: 150,
  absentEveryMs: 300,
  resultEveryMs: 300,
  commissionMs: 200,
};
const POLLED: FeedChoice = { kind: 'poll', everyMs: 40 };
/** REST readings are so rare that a case which passes must have received the changes by the stream. */
const STREAMED: FeedChoice = { kind: 'stream', rereadMs: HOUR_MS };

let sandbox: Promise<Sandbox> | undefined;
let stages = 0;

/** One sandbox for a test file; every stage has its own app, event and markets in it. */
export function sandboxStage(feeds: 'polled' | 'streamed'): () => Promise<Stage> {
  return async () => {
    sandbox ??= openSandbox({
      clock: wallClock,
      version: '0.0.0',
      checksAnswers: true,
      onBug: (error) => {
        throw error;
      },
    });
    const opened = await sandbox;
    stages += 1;
    return new SandboxStage(opened, feeds, stages);
  };
}

/** Fails if the exchange's accounts do not balance after the test file's actions. */
export async function closeSandbox(): Promise<void> {
  const opened = await sandbox;
  sandbox = undefined;
  const broken = opened?.context.world.exchange.brokenLaws() ?? [];
  await opened?.close();
  if (broken.length > 0) throw new Error(broken.join('; '));
}

class SandboxStage implements Stage {
  readonly clock = wallClock;
  readonly said: FeedMessage[] = [];
  readonly balance = BALANCE;
  readonly lapseBlocks = true;
  readonly commission = COMMISSION;
  readonly wire: WireControl;
  readonly world: SandboxWorld;
  readonly #client: RestClient;
  readonly #stream: StreamClient | undefined;
  readonly #notices: GatewayNotice[] = [];
  readonly #settings: GatewaySettings;
  readonly #gateway: ReturnType<typeof restGateway>;
  #listening: { unsubscribe(): void } | undefined;

  constructor(opened: Sandbox, feeds: 'polled' | 'streamed', number: number) {
    this.world = new SandboxWorld(opened, { number, balance: BALANCE, commission: COMMISSION, currency: CURRENCY });
    const { appId, apiKey, walletId } = this.world;
    const random = Random.fromSeed(number);
    const budget = { perSecond: 2_000, burst: 2_000 };
    this.#client = new RestClient({
      ...{ baseUrl: opened.url, credentials: { appId, apiKey }, clock: wallClock, random, budget },
      retry: { delayMs: 20 },
    });
    const isStreamed = feeds === 'streamed';
    this.#stream = isStreamed
      ? new StreamClient({ url: opened.streamUrl, clock: wallClock, random, token: () => this.#token(), limits: QUICK })
      : undefined;
    const feed = isStreamed ? STREAMED : POLLED;
    this.#settings = {
      ...{ appId, wallets: [walletId], currency: CURRENCY, watch: { eventIds: [this.world.eventId] } },
      ...{ referencePrefix: `conformance-${number}`, strategies: STRATEGIES, timeouts: SHORT_TIMEOUTS },
      feeds: { markets: feed, prices: feed, orders: feed, wallets: feed },
    };
    this.#gateway = restGateway({
      ...{ clock: wallClock, client: this.#client.lenient, settings: this.#settings },
      ...(this.#stream === undefined ? {} : { stream: this.#stream }),
    });
    this.#gateway.notices$.subscribe((notice) => this.#notices.push(notice));
    this.wire = this.#wire(opened);
  }

  get gateway(): Gateway {
    return this.#gateway;
  }

  async market(terms: Partial<MarketTerms> = {}): Promise<MarketControl> {
    return this.world.market(terms);
  }

  listen(): void {
    this.#listening = this.#gateway.feed$.subscribe((message) => this.said.push(message));
    this.#stream?.start();
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    const limit = wallClock.now() + PATIENCE_MS;
    while (!condition()) {
      if (wallClock.now() > limit) throw new Error(`no ${what} after ${PATIENCE_MS} ms: ${this.#lately()}`);
      await this.pass(LOOK_EVERY_MS);
    }
  }

  async pass(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }

  async lapse(): Promise<void> {
    this.world.command({ kind: 'heartbeat', app: this.world.app, timeoutMs: 1 });
    await this.pass(20);
  }

  async close(): Promise<void> {
    this.#listening?.unsubscribe();
    this.#stream?.close();
    await this.wire.heal();
    await this.#client.close();
  }

  #token(): Observable<string> {
    return this.#client.accessToken().pipe(
      map((outcome) => {
        if (outcome.kind === 'failed') throw new Error(outcome.code);
        return outcome.token.reveal();
      }),
    );
  }

  #lately(): string {
    return JSON.stringify({ notices: this.#notices.slice(-3), said: this.said.slice(-3).map(({ kind }) => kind) });
  }

  #wire(opened: Sandbox): WireControl {
    const control = new ControlClient(opened);
    const { world } = this;
    /** Ids of what the control surface lists for our app: other stages use the sandbox at the same time. */
    const own = async (list: 'faults' | 'connections', path: string): Promise<readonly string[]> =>
      (await control.call('GET', path))[list]
        .filter(({ appId }: Json) => appId === world.appId)
        .map(({ id }: Json) => id);
    const cutStream = async (): Promise<void> => {
      for (const connectionId of await own('connections', '/stream/connections'))
        await control.call('POST', '/stream/cut', { connectionId });
    };
    return {
      fault: (body) => control.call('POST', '/faults', { ...body, appId: world.appId }),
      heal: async () => {
        // A fault that has struck as often as it should is gone by itself, perhaps just now.
        for (const id of await own('faults', '/faults'))
          await control.call('DELETE', `/faults/${id}`).catch(unlessGone);
      },
      cutStream: this.#stream === undefined ? undefined : cutStream,
      prefix: this.#settings.referencePrefix,
      references: () => ordersOfWallet(world.exchange, world.wallet).map(({ reference }) => reference ?? ''),
      placeAs: async (reference, market) => world.placeOwn(reference, market.id),
      foreignOrders: () => {
        const wallets = world.exchange.app(world.crowd)?.wallets ?? [];
        return wallets.flatMap((wallet) => ordersOfWallet(world.exchange, wallet).map(({ id }) => id));
      },
      notices: () => this.#notices,
    };
  }
}

/** A short wait before a reconnect. */
const QUICK = { retryFirstMs: 20, retryMaxMs: 50 };

function unlessGone(error: unknown): void {
  if (!(error instanceof Error && error.message.includes(': 404 '))) throw error;
}
