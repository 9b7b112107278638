/** What one seed stands for at Betfair: the bot and its settings, the markets, the faults, and when it is killed. */

import type { BetfairClientOptions } from '../../../../src/betfair/client/client-options.ts';
import type { StreamLimits } from '../../../../src/betfair/stream/connection/stream-settings.ts';
import { Random } from '../../../../src/core/number/random.ts';
import type { FeedChoice, TradingSettings } from '../../../../src/exchange-live/settings.ts';
import {
  acts,
  botSettings,
  HASTY,
  killPoint,
  limits,
  PATIENT,
  type Scenario,
  strategies,
  WAIT_MS,
} from '../scenario.ts';
import { type FaceFaultPlan, faceFaultPlan } from './face-faults.ts';

export interface FaceScenario
  extends Pick<
    Scenario,
    | 'seed'
    | 'chaosMs'
    | 'life'
    | 'balance'
    | 'strategies'
    | 'limits'
    | 'bot'
    | 'kills'
    | 'acts'
    | 'stops'
    | 'skewMs'
    | 'dark'
  > {
  readonly faults: FaceFaultPlan;
  readonly sessionMs: number;
  readonly client: Pick<BetfairClientOptions, 'budget' | 'retry'> & Required<Pick<BetfairClientOptions, 'timeouts'>>;
  readonly feeds: TradingSettings['feeds'];
  readonly streamLimits: Partial<StreamLimits>;
}

/** As short as lives are. */
const STREAM_LIMITS = {
  ...{ connectTimeoutMs: 2_000, answerTimeoutMs: 2_500, heartbeatMs: 700 },
  ...{ retryFirstMs: 200, retryMaxMs: 2_000, busyFirstMs: 1_000, busyMaxMs: 3_000, stableMs: 5_000 },
};

export function faceScenario(seed: number): FaceScenario {
  const random = Random.fromSeed(seed).fork();
  const faults = faceFaultPlan(random.fork());
  const chaosMs = 12_000 + random.below(15_000);
  const everyMs = 700 + random.below(700);
  const isStreamed = random.chance(0.6);
  const poll: FeedChoice = { kind: 'poll', everyMs };
  // Read again often, or so seldom that only what the stream proves is fresh.
  const told: FeedChoice = isStreamed ? { kind: 'stream', rereadMs: random.chance(0.5) ? everyMs * 2 : 20_000 } : poll;
  const isPatient = faults.world.slowReplies > 0;
  return {
    ...{ seed, faults, chaosMs, dark: undefined },
    life: {
      events: 1 + random.below(2),
      markets: 1 + random.below(4),
      marketsMax: 8,
      crowdMs: 350 + random.below(700),
      changeMs: 2_500 + random.below(9_000),
    },
    balance: random.chance(0.2) ? 40 + random.below(60) : 1_000,
    sessionMs: random.chance(0.2) ? 8_000 + random.below(10_000) : 24 * 3_600_000,
    strategies: strategies(random, 1),
    limits: limits(random),
    bot: botSettings(random, everyMs),
    client: {
      timeouts: { ...(isPatient ? PATIENT : HASTY), waitMs: WAIT_MS },
      budget: random.chance(0.2) ? { perSecond: 15 + random.below(8), burst: 12 } : { perSecond: 100, burst: 100 },
      retry: { attemptsMax: 3, delayMs: 80, delayMaxMs: 400, pauseMaxMs: 3_000 },
    },
    feeds: {
      markets: isStreamed ? told : { kind: 'poll', everyMs: everyMs * 2 },
      prices: isStreamed && random.chance(0.8) ? told : poll,
      orders: told,
      wallets: { kind: 'poll', everyMs: everyMs * 2 },
    },
    streamLimits: STREAM_LIMITS,
    kills: Array.from({ length: faults.world.kill }, () => killPoint(random)),
    acts: acts(random, chaosMs),
    stops: random.chance(0.5),
    skewMs: random.chance(0.15) ? random.below(8_000) - 4_000 : 0,
  };
}

export function isStreamed({ feeds }: Pick<FaceScenario, 'feeds'>): boolean {
  return Object.values(feeds).some(({ kind }) => kind === 'stream');
}

/** A client that meets a ban waits for twenty minutes. */
export function isBanned({ faults }: Pick<FaceScenario, 'faults'>): boolean {
  return faults.world.banned > 0;
}
