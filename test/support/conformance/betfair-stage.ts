/** The Betfair face as a stage: the gateway before it without sockets, in simulated time. */

import { map } from 'rxjs';
import { BetfairClient } from '../../../src/betfair/client/betfair-client.ts';
import { betfairGateway } from '../../../src/betfair/gateway/betfair-gateway.ts';
import { BetfairStream } from '../../../src/betfair/stream/betfair-stream.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { RunState } from '../../../src/core/run/run-state.ts';
import type { FeedMessage } from '../../../src/exchange/gateway.ts';
import type { ExchangeGateway } from '../../../src/exchange-live/adapter/exchange.ts';
import type { WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { GatewayNotice } from '../../../src/exchange-live/notice.ts';
import type { FeedChoice } from '../../../src/exchange-live/settings.ts';
import { PENNY } from '../../../src/sandbox-betfair/names/amounts.ts';
import { referencesIn } from '../../../src/sandbox-betfair/state/bet-references.ts';
import { factsOfRecord } from '../../../src/sandbox-betfair/state/market-facts.ts';
import { FaceTransport, type Struck } from '../betfair/face-transport.ts';
import { HurtLine } from '../betfair/stream-rig.ts';
import { ordersOfWallet } from '../exchange-orders.ts';
import { FaceClient } from '../sandbox-betfair/face-stage.ts';
import { StreamStage } from '../sandbox-betfair/stream-stage.ts';
import { BetfairWire } from './betfair-wire.ts';
import { SandboxWorld } from './sandbox-world.ts';
import { type MarketControl, type MarketTerms, STRATEGIES, type Stage } from './stage.ts';

const BALANCE = 1_000;
const COMMISSION = 5;
const CURRENCY = 'GBP';
const PASSWORD = 'secret-word';
const USERNAME = 'conform1-1';
const PREFIX = 'conformance-1';
/** A condition that does not hold within this much simulated time, ms, counts as failed. */
const PATIENCE_MS = 120_000;
const LAPSE_MS = 10_000;

const TIMEOUTS = {
  placeTimeoutMs: 2_500,
  absenceMs: 20_000,
  lookUpEveryMs: 500,
  absentEveryMs: 1_000,
  resultEveryMs: 300,
  commissionMs: 200,
};
const POLLED: FeedChoice = { kind: 'poll', everyMs: 200 };
/** Readings beside the stream are rare, so that what is told comes by the stream. */
const STREAMED: FeedChoice = { kind: 'stream', rereadMs: 5_000 };

export function betfairStage(mode: 'polled' | 'streamed'): () => Promise<Stage> {
  return async () => new BetfairStage(mode === 'polled' ? POLLED : STREAMED);
}

export class BetfairStage implements Stage {
  readonly face = new StreamStage({ authenticationsPerSecond: 1_000 });
  readonly clock = this.face.builder.clock;
  readonly said: FeedMessage[] = [];
  readonly notices: GatewayNotice[] = [];
  readonly balance = BALANCE;
  readonly commission = COMMISSION;
  readonly lapseBlocks = false;
  readonly traits = {
    isBatchWhole: true,
    stakeStep: 0.01,
    answersAfterDelay: true,
    paysAtMatch: false,
    referenceMax: 32,
  };
  readonly wire: BetfairWire;
  readonly gateway: ExchangeGateway;
  readonly #world: SandboxWorld;
  readonly line = new HurtLine(this.clock, () => this.face.stream);
  readonly client: BetfairClient;
  readonly transport: FaceTransport;
  readonly #stream: BetfairStream;
  readonly #choice: FeedChoice;
  readonly #more: { readonly countsOthers?: boolean };
  readonly #sandboxIds = new Map<string, string>();

  /** `strike`: what becomes of a request, before the faults of `wire`. */
  constructor(
    choice: FeedChoice,
    strike?: (request: WireRequest) => Struck | undefined,
    more: { readonly countsOthers?: boolean } = {},
  ) {
    const { clock } = this;
    const number = 1;
    const username = USERNAME;
    this.#world = new SandboxWorld(this.face.builder, {
      ...{ number, balance: BALANCE, commission: COMMISSION, currency: CURRENCY },
      apiKey: `${username}\n${PASSWORD}`,
      moneyStep: PENNY,
    });
    this.wire = new BetfairWire({
      ...{ world: this.#world, prefix: PREFIX, notices: this.notices, sandboxIds: this.#sandboxIds },
      cutStream: choice.kind === 'stream' ? () => this.line.cut() : undefined,
      sent: () => this.transport.sent,
      proofMs: TIMEOUTS.placeTimeoutMs + TIMEOUTS.absenceMs + 4 * TIMEOUTS.lookUpEveryMs,
    });
    this.transport = new FaceTransport({
      face: this.face.face,
      clock,
      strike: (request) => strike?.(request) ?? this.wire.strike(request),
    });
    this.client = new BetfairClient(
      {
        credentials: { appKey: 'an-app-key', username, password: PASSWORD },
        ...{ clock, random: Random.fromSeed(1), budget: { perSecond: 2_000, burst: 2_000 }, retry: { delayMs: 20 } },
      },
      this.transport,
    );
    this.#stream = new BetfairStream({
      ...{ openCarrier: this.line.open, clock, random: Random.fromSeed(1), skewMs: () => this.client.skewMs },
      session: (isRefused) => this.client.token(isRefused).pipe(map((token) => ({ appKey: 'an-app-key', token }))),
    });
    this.#choice = choice;
    this.#more = more;
    this.gateway = this.gatewayOf();
    this.gateway.notices$.subscribe((notice) => this.notices.push(notice));
  }

  /** The gateway, or the one of a later process of the run, with what this one left. */
  gatewayOf(resume?: RunState): ExchangeGateway {
    const choice = this.#choice;
    return betfairGateway({
      stream: this.#stream,
      ...{ clock: this.clock, calls: this.client, skewMs: () => this.client.skewMs, resume },
      settings: {
        ...{ wallets: ['main'], currency: CURRENCY, watch: { marketTypeIds: ['CONFORMANCE'] } },
        ...{ referencePrefix: PREFIX, strategies: STRATEGIES, timeouts: TIMEOUTS },
        feeds: { markets: choice, prices: choice, orders: choice, wallets: POLLED },
        ...this.#more,
      },
    });
  }

  async market(terms: Partial<MarketTerms> = {}): Promise<MarketControl> {
    const control = this.#world.market(terms);
    const { world } = this.face.builder;
    const record = [...world.catalogue.markets.values()].find(({ id }) => id === control.id);
    const id = record === undefined ? undefined : factsOfRecord(world, record)?.id;
    if (id === undefined) throw new Error('the market is not shown');
    this.#sandboxIds.set(id, control.id);
    return Object.assign(control, { id });
  }

  /** Our orders as the exchange has them. */
  ownOrders() {
    const { exchange, wallet } = this.#world;
    return ordersOfWallet(exchange, wallet).map((each) => ({
      ...each,
      reference: referencesIn(each.reference).order ?? '',
    }));
  }

  /** All that our wallet has. */
  ownBalance(): number {
    return this.#world.balance;
  }

  /** Our account, as another program has it. */
  elsewhere(): FaceClient {
    const body = new URLSearchParams({ username: USERNAME, password: PASSWORD }).toString();
    const { token } = this.face.ask({ path: '/api/login', body }) as { readonly token: string };
    return new FaceClient(this.face, token);
  }

  listen(): void {
    this.#stream.start();
    this.gateway.feed$.subscribe((message) => this.said.push(message));
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    const limit = this.clock.now() + PATIENCE_MS;
    while (!condition()) {
      if (this.clock.nextDue > limit)
        throw new Error(`no ${what} after ${PATIENCE_MS} simulated ms: ${JSON.stringify(this.notices.slice(-3))}`);
      this.clock.runNext();
    }
  }

  async pass(ms: number): Promise<void> {
    this.clock.runUntil(this.clock.now() + ms);
  }

  async lapse(): Promise<void> {
    this.gateway.heartbeat(LAPSE_MS).subscribe();
    await this.pass(LAPSE_MS + 1_000);
  }

  /** Fails if the exchange's accounts do not balance. */
  async close(): Promise<void> {
    this.#stream.close();
    await this.client.close();
    const broken = this.face.builder.world.exchange.brokenLaws();
    if (broken.length > 0) throw new Error(broken.join('; '));
  }
}
