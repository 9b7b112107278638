/** The Betfair face as a stage: the gateway before it without sockets, in simulated time. */

import { BetfairClient } from '../../../src/betfair/client/betfair-client.ts';
import { betfairGateway } from '../../../src/betfair/gateway/betfair-gateway.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { FeedMessage } from '../../../src/exchange/gateway.ts';
import type { ExchangeGateway } from '../../../src/exchange-live/adapter/exchange.ts';
import type { GatewayNotice } from '../../../src/exchange-live/notice.ts';
import type { FeedChoice } from '../../../src/exchange-live/settings.ts';
import { factsOfRecord } from '../../../src/sandbox-betfair/state/market-facts.ts';
import { FaceTransport } from '../betfair/face-transport.ts';
import { FaceStage } from '../sandbox-betfair/face-stage.ts';
import { BetfairWire } from './betfair-wire.ts';
import { SandboxWorld } from './sandbox-world.ts';
import type { MarketControl, MarketTerms, Stage } from './stage.ts';

const BALANCE = 1_000;
const COMMISSION = 5;
const CURRENCY = 'GBP';
const PASSWORD = 'secret-word';
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

export function betfairStage(): () => Promise<Stage> {
  return async () => new BetfairStage();
}

class BetfairStage implements Stage {
  readonly face = new FaceStage();
  readonly clock = this.face.builder.clock;
  readonly said: FeedMessage[] = [];
  readonly notices: GatewayNotice[] = [];
  readonly balance = BALANCE;
  readonly commission = COMMISSION;
  readonly lapseBlocks = false;
  readonly traits = { isBatchWhole: true, stakeStep: 0.01, answersAfterDelay: true, paysAtMatch: false };
  readonly wire: BetfairWire;
  readonly gateway: ExchangeGateway;
  readonly #world: SandboxWorld;
  readonly #client: BetfairClient;
  readonly #sandboxIds = new Map<string, string>();

  constructor() {
    const { clock } = this;
    const number = 1;
    const username = `conform${number}-1`;
    this.#world = new SandboxWorld(this.face.builder, {
      ...{ number, balance: BALANCE, commission: COMMISSION, currency: CURRENCY },
      apiKey: `${username}\n${PASSWORD}`,
    });
    this.wire = new BetfairWire({
      ...{ world: this.#world, prefix: PREFIX, notices: this.notices, sandboxIds: this.#sandboxIds },
      proofMs: TIMEOUTS.placeTimeoutMs + TIMEOUTS.absenceMs + 4 * TIMEOUTS.lookUpEveryMs,
    });
    const transport = new FaceTransport({ face: this.face.face, clock, strike: this.wire.strike });
    this.#client = new BetfairClient(
      {
        credentials: { appKey: 'an-app-key', username, password: PASSWORD },
        ...{ clock, random: Random.fromSeed(1), budget: { perSecond: 2_000, burst: 2_000 }, retry: { delayMs: 20 } },
      },
      transport,
    );
    this.gateway = betfairGateway({
      ...{ clock, calls: this.#client, skewMs: () => this.#client.skewMs },
      settings: {
        ...{ wallets: ['main'], currency: CURRENCY, watch: { marketTypeIds: ['CONFORMANCE'] } },
        ...{ referencePrefix: PREFIX, strategies: ['case'], timeouts: TIMEOUTS },
        feeds: { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED },
      },
    });
    this.gateway.notices$.subscribe((notice) => this.notices.push(notice));
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

  listen(): void {
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
    await this.#client.close();
    const broken = this.face.builder.world.exchange.brokenLaws();
    if (broken.length > 0) throw new Error(broken.join('; '));
  }
}
