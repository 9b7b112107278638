/** What goes wrong outside the wire to Betfair: pauses of the process, outages, its sessions, its stream, and programs beside the bot. */

import type { Random } from '../../../../src/core/number/random.ts';
import type { FaultAction } from '../../../../src/sandbox/context/injected-faults.ts';
import type { SimulatedClock } from '../../../../src/time/simulated-clock.ts';
import type { BotProcess } from '../bot-process.ts';
import type { MarketLife } from '../market-life.ts';
import type { Story } from '../story.ts';
import { OUTAGES, strangersName } from '../world-faults.ts';
import type { FaceExchange } from './face-exchange.ts';
import { FACE_WORLD_FAULTS, type FaceWorldFault, STREAM_FAULTS } from './face-faults.ts';
import type { FaceLine } from './face-line.ts';
import { type FaceScenario, isStreamed } from './face-scenario.ts';
import type { FaceWeather } from './face-weather.ts';

export interface TroubleParts {
  readonly time: SimulatedClock;
  readonly scenario: FaceScenario;
  readonly exchange: FaceExchange;
  readonly weather: FaceWeather;
  readonly life: MarketLife;
  readonly story: Story;
  readonly run: string;
  readonly process: () => BotProcess | undefined;
  readonly line: () => FaceLine | undefined;
}

/** Sets a timer for each; what was begun ends by itself. Kills are not among them. */
export function scheduleTroubles(parts: TroubleParts, random: Random): void {
  const { time, scenario } = parts;
  for (const fault of FACE_WORLD_FAULTS) {
    if (fault === 'kill' || (STREAM_FAULTS.has(fault) && !isStreamed(scenario))) continue;
    for (let i = 0; i < scenario.faults.world[fault]; i += 1) {
      const own = random.fork();
      time.at(time.now() + own.below(scenario.chaosMs), () => befall(parts, fault, own));
    }
  }
}

function befall(parts: TroubleParts, fault: FaceWorldFault, random: Random): void {
  const { time, weather, story, life, exchange, run } = parts;
  const outage = OUTAGES[fault];
  // Longer than any heartbeat, or short.
  const ms = random.chance(0.4) ? 12_000 + random.below(5_000) : 500 + random.below(6_000);
  story.tell(() => `## ${fault} for ${ms} ms`);
  if (outage !== undefined) weather.outages.set(outage, time.now() + ms);
  else if (STREAM_FAULTS.has(fault)) return streamTrouble(parts, fault, { random, ms });
  else if (fault === 'suspensionStorm') return life.suspensionStorm();
  else if (fault === 'stray') {
    if (life.foreignOrder(strangersName(run, random)) === undefined) return;
  } else if (fault === 'sessionsEnded') exchange.state.sessions.endAll(exchange.app);
  else if (fault === 'banned') {
    strike(parts, { kind: 'error', code: 'TEMPORARY_BAN_TOO_MANY_REQUESTS', actsAfterMs: undefined }, LOGINS, ms);
    exchange.state.sessions.endAll(exchange.app);
  } else if (fault === 'slowReplies') {
    const [leastMs, spreadMs] = [500 + random.below(6_500), 1 + random.below(2_500)];
    weather.slow = { until: time.now() + 4_000 + random.below(12_000), leastMs, spreadMs };
  } else if (fault === 'stall') parts.process()?.stall(ms);
  story.count(`world ${fault}`);
}

const LOGINS = ['login', 'certlogin'];
const MESSAGES = ['mcm', 'ocm'];
const CLOCKED = ['marketResubscription', 'orderResubscription'];

function streamTrouble(
  parts: TroubleParts,
  fault: FaceWorldFault,
  { random, ms }: { readonly random: Random; readonly ms: number },
): void {
  const { time, weather, story } = parts;
  const line = parts.line();
  if (line === undefined) return;
  story.count(`world ${fault}`);
  switch (fault) {
    case 'streamCut':
      weather.streamDownUntil = time.now() + random.below(4_000);
      return line.cut();
    case 'streamFailed':
      return line.fail();
    case 'streamSilent':
      return line.hold('silent', ms);
    case 'streamBehind':
      return line.hold('behind', ms);
    case 'streamSlow':
      return line.late(500 + random.below(5_000), ms);
    case 'streamLate':
      return strike(parts, { kind: 'latency', delayMsMin: 200, delayMsMax: 3_000 }, MESSAGES, ms);
    case 'stream503':
      return strike(parts, { kind: 'status', status: 503, retryAfterS: undefined }, MESSAGES, ms);
    case 'streamMute':
      return strike(parts, { kind: 'silence' }, MESSAGES, ms);
    case 'invalidClock':
      strike(parts, { kind: 'error', code: 'INVALID_CLOCK', actsAfterMs: undefined }, CLOCKED, ms);
      return line.cut();
    case 'tooManyConnections': {
      const action = { kind: 'error', code: 'MAX_CONNECTION_LIMIT_EXCEEDED', actsAfterMs: undefined } as const;
      strike(parts, action, ['authentication'], ms);
      return line.cut();
    }
    default:
      return undefined;
  }
}

function strike(
  { exchange, time }: TroubleParts,
  action: FaultAction,
  operations: readonly string[],
  ms: number,
): void {
  const match = { operations, path: undefined, app: undefined };
  exchange.faults.add({ action, match, probability: 1, seed: 1, count: undefined, until: time.now() + ms });
}
