/** Decides which markets' prices are read now, and in which calls: a pure function, evaluated anew at each check. */

import { type CallLimits, packIds } from '../connection/pack-ids.ts';

/** A market as the plan needs it. */
export interface PlannedMarket {
  readonly id: string;
  readonly isUrgent: boolean;
  /** When its prices were last requested, ms; minus infinity if never. */
  readonly askedAt: number;
}

/** The longest times between two readings of a market, ms. */
export interface Pace {
  readonly everyMs: number;
  readonly urgentMs: number;
}

/** The calls to make now, each as a list of market ids. */
export interface PricePlan {
  readonly calls: readonly (readonly string[])[];
  /**
   * When the next market is due, ms; not later than now if the allowed calls did not suffice, infinity if there is no market.
   */
  readonly dueAt: number;
}

/** A market is due before its time is over, by at most this part of it, because it may have to wait for its call. */
const EARLY = 5 / 16;
/** The part of the budget that markets which are not urgent always get. */
const LEAST_SHARE = 1 / 8;
/** Stretched times grow in steps of this factor, so that small changes make no difference. */
const STEP = 1.25;

/** How long after its last request a market that is to be read every `ms` is due, ms. */
export function dueAfterMs(ms: number): number {
  return ms * (1 - EARLY);
}

/** The number of calls that read all urgent markets once, and all others once. */
export interface CallsNeeded {
  readonly urgent: number;
  readonly others: number;
}

/**
 * How often markets can be read with `callsPerMs`. If the desired pace is not possible, the markets that are not urgent are
 * read less often until an eighth of the budget is left to them, and only then the urgent ones.
 */
export function paceFor(desired: Pace, { urgent, others }: CallsNeeded, callsPerMs: number): Pace {
  const everyMs = dueAfterMs(desired.everyMs);
  const urgentMs = dueAfterMs(desired.urgentMs);
  const forUrgent = urgent / urgentMs;
  if (forUrgent + others / everyMs <= callsPerMs) return desired;
  const forOthers = Math.max(callsPerMs - forUrgent, callsPerMs * LEAST_SHARE);
  const stretched = others / forOthers;
  const left = callsPerMs - others / Math.max(everyMs, stretched);
  return {
    everyMs: stepped(desired.everyMs, stretched / (1 - EARLY)),
    urgentMs: urgent === 0 ? desired.urgentMs : stepped(desired.urgentMs, urgent / left / (1 - EARLY)),
  };
}

/**
 * The longest wait that a pace guarantees, even if all markets are due at once. An urgent market waits for each other market at
 * most once. Any other market also waits for urgent ones that come again meanwhile, until its own time is over.
 */
export function boundFor(pace: Pace, { urgent, others }: CallsNeeded, callsPerMs: number): Pace {
  const calls = urgent + others + 1;
  const forOthers = callsPerMs - urgent / dueAfterMs(pace.urgentMs);
  const waitMs = forOthers > 0 ? calls / forOthers : Number.POSITIVE_INFINITY;
  const everyMs = Math.min(dueAfterMs(pace.everyMs) + waitMs, pace.everyMs + calls / callsPerMs);
  const urgentMs = dueAfterMs(pace.urgentMs) + calls / callsPerMs;
  return {
    everyMs: others === 0 ? pace.everyMs : stepped(pace.everyMs, everyMs),
    urgentMs: urgent === 0 ? pace.urgentMs : stepped(pace.urgentMs, urgentMs),
  };
}

/** The number of calls that all these markets take. */
export function callsFor(markets: readonly PlannedMarket[], limits: CallLimits): CallsNeeded {
  const count = (isUrgent: boolean): number =>
    packIds(
      markets.filter((market) => market.isUrgent === isUrgent).map(({ id }) => id),
      limits,
    ).length;
  return { urgent: count(true), others: count(false) };
}

/**
 * The markets whose time ends first go first, so that each waits only for those whose time ended before its own. Room left in
 * the last call is filled with markets that would be due soon: markets read together stay together, which saves calls.
 */
export function planPrices(
  markets: readonly PlannedMarket[],
  { pace, limits, now, callsMax }: { pace: Pace; limits: CallLimits; now: number; callsMax: number },
): PricePlan {
  const timed = markets.map(({ id, isUrgent, askedAt }) => {
    const ms = isUrgent ? pace.urgentMs : pace.everyMs;
    return { id, endsAt: askedAt + ms, dueAt: askedAt + dueAfterMs(ms) };
  });
  timed.sort((a, b) => (a.endsAt === b.endsAt ? 0 : a.endsAt - b.endsAt));
  const due = timed.filter(({ dueAt }) => dueAt <= now);
  const soon = timed.filter(({ dueAt, endsAt }) => dueAt > now && dueAt - (endsAt - dueAt) <= now);
  const needed = packIds(
    due.map(({ id }) => id),
    limits,
  ).length;
  const wanted = needed === 0 ? [] : [...due, ...soon];
  const calls = packIds(
    wanted.map(({ id }) => id),
    limits,
  ).slice(0, Math.max(0, Math.min(needed, callsMax)));
  const asked = new Set(calls.flat());
  const left = timed.filter(({ id }) => !asked.has(id));
  return { calls, dueAt: left.reduce((first, { dueAt }) => Math.min(first, dueAt), Number.POSITIVE_INFINITY) };
}

/** The desired time if it is possible, otherwise the first step above it that is long enough. */
function stepped(desiredMs: number, neededMs: number): number {
  if (neededMs <= desiredMs) return desiredMs;
  return desiredMs * STEP ** Math.ceil(Math.log(neededMs / desiredMs) / Math.log(STEP) - 1e-9);
}
