/** A process of the bot on the simulated BetDEX: its client and gateway over the wire, and over the stream where the life has one. */

import { RestClient } from '../../../src/betdex/client/rest-client.ts';
import { heartbeatFor } from '../../../src/betdex/gateway/base/heartbeat-owner.ts';
import { restGateway } from '../../../src/betdex/gateway/rest-gateway.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import type { Connected, Connecting } from './bot-life.ts';
import { FaultyWire, type Weather, type WireTap } from './faulty-wire.ts';
import { MARGINS, PLACE_TIMEOUT_MS, type Scenario } from './scenario.ts';
import { CURRENCY, type SimulatedExchange } from './simulated-exchange.ts';
import { SimulatedLink } from './simulated-link.ts';
import type { Story } from './story.ts';

export interface BetdexConnectionParts {
  readonly run: string;
  readonly time: SimulatedClock;
  readonly scenario: Scenario;
  readonly exchange: SimulatedExchange;
  readonly weather: Weather;
  readonly story: Story;
  readonly tap: WireTap;
  readonly eventIds: readonly string[];
  /** The machine's numbers. */
  readonly wallets: readonly number[];
}

export function betdexConnection(
  { run, time, scenario, exchange, weather, story, tap, eventIds, wallets }: BetdexConnectionParts,
  { process, restored, random }: Connecting,
): Connected & { readonly stream: SimulatedLink | undefined } {
  const { clock } = process;
  const wire = new FaultyWire({ ...{ time, process, exchange, weather, story, tap }, patienceMs: PLACE_TIMEOUT_MS });
  const { appId, apiKey } = exchange;
  const client = new RestClient(
    {
      ...{ baseUrl: 'http://exchange.invalid', clock, random: random.fork() },
      ...scenario.client,
      credentials: { appId, apiKey },
    },
    wire,
  );
  const walletIds = exchange.idsOf(wallets);
  const isStreamed = scenario.feeds.orders.kind === 'stream';
  const stream = isStreamed ? new SimulatedLink({ time, process, exchange, weather, story, wallets }) : undefined;
  const gateway = restGateway({
    ...{ clock, client: client.lenient, skewMs: () => client.skewMs },
    settings: {
      ...{ appId, wallets: walletIds, currency: CURRENCY, referencePrefix: run },
      ...{ watch: { eventIds }, feeds: scenario.feeds, timeouts: MARGINS, pollsPerSecond: 40 },
      strategies: scenario.strategies.map(({ name }) => name),
    },
    ...(stream === undefined ? {} : { stream }),
    ...(restored === undefined ? {} : { resume: restored }),
  });
  return {
    ...{ gateway, stream },
    heartbeat$: heartbeatFor({
      ...{ calls: client.lenient, clock, appId, wallets: walletIds },
      before: restored?.heartbeat,
    }),
    close: () => stream?.close(),
  };
}
