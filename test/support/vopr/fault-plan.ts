/** Which faults befall one simulated life, how often, and when they storm: drawn from its seed. */

import type { Random } from '../../../src/core/number/random.ts';
import { isOn } from './hardships.ts';

/** What can happen to a request on its way, or to its answer. */
export const WIRE_FAULTS = [
  /** Not one byte left. */
  'unsent',
  /** The connection broke, or went silent, before the exchange saw the request; or after it had acted. */
  'brokenBefore',
  'silentBefore',
  'brokenAfter',
  'silentAfter',
  /** It reaches the exchange when the client has given up. */
  'lateRequest',
  /** It is carried out at once, and its answer comes when the client has given up. */
  'lateReply',
  'tooMany',
  'tooManyFor',
  'serverErrorBefore',
  'serverErrorAfter',
  'gatewayBefore',
  'gatewayAfter',
  'unavailable',
  /** Orders are answered INTERRUPTED: some exist, some do not. */
  'interruptedCreated',
  'interruptedAbsent',
  /** A proxy sent it twice: the answer is that of the first, or of the second. */
  'duplicatedFirst',
  'duplicatedSecond',
  /** An earlier answer to the same question. */
  'stale',
  /** Small pages, between which things happen. */
  'shortPages',
  'garbled',
  /** The session's token is not known any more. */
  'sessionLost',
  /** Something before the exchange answers with a page of its own: in place of passing the request on, or after. */
  'pageBefore',
  'pageAfter',
  /** A cancellation is answered with 200, and some of the orders live on. */
  'cancelIgnored',
] as const;
export type WireFault = (typeof WIRE_FAULTS)[number];

/** What befalls the bot's process, the exchange's markets, and the bot's wallet. */
export const WORLD_FAULTS = [
  'clockForward',
  'clockBack',
  'stall',
  'sleep',
  'outageAll',
  'outageReads',
  'outageHeartbeat',
  'outageOrders',
  'outageCancels',
  'suspensionStorm',
  'streamCut',
  'stray',
  /** For a while answers come seconds after they were made. */
  'slowReplies',
  /** For a while every list of orders says that those that live have ended. */
  'falseEndings',
  'kill',
] as const;
export type WorldFault = (typeof WORLD_FAULTS)[number];

export interface FaultPlan {
  /** Chance per request. */
  readonly wire: Readonly<Record<WireFault, number>>;
  /** How often in a life. */
  readonly world: Readonly<Record<WorldFault, number>>;
  /** Round trips: least, and mean of what comes on top, ms. */
  readonly delayMs: { readonly least: number; readonly mean: number };
}

/** A request is never later than this after the client gave up: what the margins of the gateway promise to outwait. */
export const LATE_MS = 2_000;
/** No older answer is ever given again. */
export const STALE_MS = 1_000;

export function faultPlan(random: Random): FaultPlan {
  const mood = random.uniform();
  // A tenth of all lives is calm, most have a few kinds of faults, some have all of them at once.
  const share = mood < 0.1 ? 0 : mood < 0.75 ? 0.25 : mood < 0.93 ? 0.6 : 1;
  const strength = mood < 0.93 ? 0.02 : 0.012;
  const wire = {} as Record<WireFault, number>;
  for (const fault of WIRE_FAULTS) wire[fault] = random.chance(share) ? random.exponential() * strength : 0;
  // Orders are rare among all the reading, and these happen to them alone.
  wire.interruptedAbsent *= 5;
  wire.interruptedCreated *= 5;
  wire.duplicatedFirst *= 5;
  wire.duplicatedSecond *= 5;
  wire.lateRequest *= 2;
  wire.sessionLost *= 0.3;
  wire.cancelIgnored *= 20;
  wire.pageAfter *= 3;
  if (!isOn('pages')) wire.pageBefore = wire.pageAfter = 0;
  if (!isOn('halting')) wire.cancelIgnored = 0;
  const world = {} as Record<WorldFault, number>;
  for (const fault of WORLD_FAULTS) world[fault] = random.chance(share * 0.7) ? 1 + random.below(2) : 0;
  if (!isOn('slow')) world.slowReplies = 0;
  if (!isOn('falseEndings')) world.falseEndings = 0;
  if (random.chance(0.6)) world.kill = 1 + random.below(random.chance(0.2) ? 6 : 3);
  return { wire, world, delayMs: { least: 1 + random.below(30), mean: 5 + random.below(60) } };
}

export const NO_FAULTS: FaultPlan = {
  wire: Object.fromEntries(WIRE_FAULTS.map((fault) => [fault, 0])) as FaultPlan['wire'],
  world: Object.fromEntries(WORLD_FAULTS.map((fault) => [fault, 0])) as FaultPlan['world'],
  delayMs: { least: 5, mean: 10 },
};
