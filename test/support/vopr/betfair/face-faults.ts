/** Which faults befall one simulated life at Betfair, how often, and when: drawn from its seed. */

import { OPERATIONS, type Operation } from '../../../../src/betfair/wire/operations.ts';
import type { Random } from '../../../../src/core/number/random.ts';
import type { OwnAnswer } from '../../../../src/sandbox/context/injected-faults.ts';
import { codeOf } from '../../../../src/sandbox-betfair/face/struck-call.ts';

/** Answers of Betfair's own that say nothing of what was done: `Absent`: nothing was; `There`: all was; `Later`: it will be. */
const OWN_ANSWERS = [
  'reportTimeoutAbsent',
  'reportTimeoutThere',
  'reportTimeoutLater',
  'matcherAbsent',
  'matcherThere',
  'matcherLater',
  'inProgressThere',
  'busyAbsent',
  'busyThere',
  'tooManyAbsent',
  'timeoutErrorAbsent',
  'timeoutErrorThere',
  'timeoutErrorLater',
  'unexpectedAbsent',
  'unexpectedThere',
] as const;
type OwnAnswerFault = (typeof OWN_ANSWERS)[number];

/** What can happen to a request on its way, or to its answer; the words are those of fault-plan.ts. */
export const FACE_FAULTS = [
  'unsent',
  'brokenBefore',
  'silentBefore',
  'brokenAfter',
  'silentAfter',
  'lateRequest',
  'lateReply',
  'status429',
  'status503Before',
  'status503After',
  'garbled',
  'pageBefore',
  'pageAfter',
  'sessionEnded',
  'duplicatedFirst',
  'duplicatedSecond',
  /** The first order of several fails, and the others are placed. */
  'partlyPlaced',
  'stale',
  'shortPages',
  ...OWN_ANSWERS,
] as const;
export type FaceFault = (typeof FACE_FAULTS)[number];

/** What befalls the process, the stream, and the account. */
export const FACE_WORLD_FAULTS = [
  'stall',
  'outageAll',
  'outageReads',
  'outageHeartbeat',
  'outageOrders',
  'outageCancels',
  'suspensionStorm',
  'stray',
  'slowReplies',
  'sessionsEnded',
  'banned',
  'streamCut',
  'streamSilent',
  'streamSlow',
  'streamBehind',
  'streamFailed',
  'streamLate',
  'stream503',
  'streamMute',
  'invalidClock',
  'tooManyConnections',
  'kill',
] as const;
export type FaceWorldFault = (typeof FACE_WORLD_FAULTS)[number];

export const STREAM_FAULTS: ReadonlySet<FaceWorldFault> = new Set(
  FACE_WORLD_FAULTS.filter(
    (fault) => fault.startsWith('stream') || fault === 'invalidClock' || fault === 'tooManyConnections',
  ),
);

export interface FaceFaultPlan {
  /** Chance per request. */
  readonly wire: Readonly<Record<FaceFault, number>>;
  /** How often in a life. */
  readonly world: Readonly<Record<FaceWorldFault, number>>;
  /** Round trips: least, and mean of what comes on top, ms. */
  readonly delayMs: { readonly least: number; readonly mean: number };
}

const ORDERS_ONLY: ReadonlySet<FaceFault> = new Set(['partlyPlaced']);
/** Reports are of requests that change orders. */
const REPORTS: ReadonlySet<FaceFault> = new Set(OWN_ANSWERS.slice(0, 7));
const READS_ONLY: ReadonlySet<FaceFault> = new Set(['stale', 'shortPages']);

export function canStrike(fault: FaceFault, operation: string): boolean {
  if (ORDERS_ONLY.has(fault)) return operation === 'placeOrders';
  if (REPORTS.has(fault)) return operation === 'placeOrders' || operation === 'cancelOrders';
  if (READS_ONLY.has(fault)) return operation.startsWith('list');
  const own = ownAnswerOf(fault);
  if (own?.kind === 'error') return isCall(operation) && codeOf(operation, own.code) !== undefined;
  // A login is no call of an API.
  if (fault.startsWith('duplicated') || fault === 'sessionEnded') return !operation.startsWith('/');
  return true;
}

function isCall(operation: string): operation is Operation {
  return Object.hasOwn(OPERATIONS, operation);
}

/** A `Later` request is carried out so much later: within what the gateway promises to outwait. */
export const ACTS_LATER_MS = 1_800;

const CODES: Readonly<Record<OwnAnswerFault, string | undefined>> = {
  reportTimeoutAbsent: undefined,
  reportTimeoutThere: undefined,
  reportTimeoutLater: undefined,
  matcherAbsent: 'ERROR_IN_MATCHER',
  matcherThere: 'ERROR_IN_MATCHER',
  matcherLater: 'ERROR_IN_MATCHER',
  inProgressThere: 'BET_IN_PROGRESS',
  busyAbsent: 'SERVICE_BUSY',
  busyThere: 'SERVICE_BUSY',
  tooManyAbsent: 'TOO_MANY_REQUESTS',
  timeoutErrorAbsent: 'TIMEOUT_ERROR',
  timeoutErrorThere: 'TIMEOUT_ERROR',
  timeoutErrorLater: 'TIMEOUT_ERROR',
  unexpectedAbsent: 'UNEXPECTED_ERROR',
  unexpectedThere: 'UNEXPECTED_ERROR',
};

/** Undefined for a fault of another kind. */
export function ownAnswerOf(fault: FaceFault | undefined): OwnAnswer | undefined {
  if (fault === undefined || !isOwnAnswer(fault)) return undefined;
  const actsAfterMs = fault.endsWith('Absent') ? undefined : fault.endsWith('There') ? 0 : ACTS_LATER_MS;
  const code = CODES[fault];
  if (!REPORTS.has(fault)) return { kind: 'error', code: code ?? '', actsAfterMs };
  return { kind: 'report', reportStatus: code === undefined ? 'TIMEOUT' : 'FAILURE', code, actsAfterMs };
}

function isOwnAnswer(fault: FaceFault): fault is OwnAnswerFault {
  return Object.hasOwn(CODES, fault);
}

export function faceFaultPlan(random: Random): FaceFaultPlan {
  const mood = random.uniform();
  // A tenth of all lives is calm, most have a few kinds of faults, some have all of them at once.
  const share = mood < 0.1 ? 0 : mood < 0.75 ? 0.25 : mood < 0.93 ? 0.6 : 1;
  const strength = mood < 0.93 ? 0.02 : 0.01;
  const wire = {} as Record<FaceFault, number>;
  for (const fault of FACE_FAULTS) {
    // What happens to orders alone is rare among all the reading.
    const often = ORDERS_ONLY.has(fault) || REPORTS.has(fault) || fault.startsWith('duplicated') ? 4 : 1;
    wire[fault] = random.chance(share) ? random.exponential() * strength * often : 0;
  }
  wire.sessionEnded *= 0.3;
  const world = {} as Record<FaceWorldFault, number>;
  for (const fault of FACE_WORLD_FAULTS) world[fault] = random.chance(share * 0.6) ? 1 + random.below(2) : 0;
  // A ban lasts twenty minutes for a client that obeys it.
  if (!random.chance(0.06)) world.banned = 0;
  if (random.chance(0.6)) world.kill = 1 + random.below(random.chance(0.2) ? 6 : 3);
  return { wire, world, delayMs: { least: 1 + random.below(30), mean: 5 + random.below(60) } };
}

export const NO_FACE_FAULTS: FaceFaultPlan['wire'] = Object.fromEntries(
  FACE_FAULTS.map((fault) => [fault, 0]),
) as FaceFaultPlan['wire'];
