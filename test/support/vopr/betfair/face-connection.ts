/** A process of the bot on the simulated Betfair: its client, stream and gateway over the wire. */

import { map } from 'rxjs';
import { BetfairClient } from '../../../../src/betfair/client/betfair-client.ts';
import { betfairGateway } from '../../../../src/betfair/gateway/betfair-gateway.ts';
import { BetfairStream } from '../../../../src/betfair/stream/betfair-stream.ts';
import type { SimulatedClock } from '../../../../src/time/simulated-clock.ts';
import type { Connected, Connecting } from '../bot-life.ts';
import { MARGINS, PLACE_TIMEOUT_MS } from '../scenario.ts';
import type { Story } from '../story.ts';
import { type FaceExchange, PASSWORD, USERNAME } from './face-exchange.ts';
import { FaceLine } from './face-line.ts';
import { type FaceScenario, isStreamed } from './face-scenario.ts';
import type { FaceWeather } from './face-weather.ts';
import { type FaceTap, FaceWire } from './face-wire.ts';

export interface FaceConnectionParts {
  readonly run: string;
  readonly time: SimulatedClock;
  readonly scenario: FaceScenario;
  readonly exchange: FaceExchange;
  readonly weather: FaceWeather;
  readonly story: Story;
  readonly tap: FaceTap & { readonly heardLine: (line: string, sentAt: number) => void };
}

/** As openBetfair connects them, with the wire of the simulation in place of the network. */
export function faceConnection(
  { run, scenario, tap, ...way }: FaceConnectionParts,
  { process, restored, random }: Connecting,
): Connected & { readonly line: FaceLine | undefined } {
  const { clock } = process;
  const wire = new FaceWire({ ...way, process, tap, patienceMs: PLACE_TIMEOUT_MS });
  const appKey = 'an-app-key';
  const credentials = { appKey, username: USERNAME, password: PASSWORD };
  const client = new BetfairClient({ credentials, clock, random: random.fork(), ...scenario.client }, wire);
  const skewMs = () => client.skewMs;
  const line = isStreamed(scenario) ? new FaceLine({ ...way, process, heard: tap.heardLine }) : undefined;
  const stream =
    line &&
    new BetfairStream({
      ...{ openCarrier: line.open, clock, random: random.fork(), skewMs, limits: scenario.streamLimits },
      session: (isRefused) => client.token(isRefused).pipe(map((token) => ({ appKey, token }))),
    });
  stream?.news$.subscribe(({ kind }) => way.story.count(`stream ${kind}`));
  const gateway = betfairGateway({
    ...{ clock, calls: client, skewMs, stream },
    settings: {
      ...{ wallets: ['main'], currency: 'GBP', watch: { marketTypeIds: ['WINNER'] }, referencePrefix: run },
      ...{ feeds: scenario.feeds, timeouts: MARGINS, pollsPerSecond: 40, countsOthers: true },
      strategies: scenario.strategies.map(({ name }) => name),
    },
    ...(restored === undefined ? {} : { resume: restored }),
  });
  stream?.start();
  return { gateway, line, close: () => line?.close() };
}
