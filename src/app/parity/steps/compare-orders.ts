/** Compares the life of one order in a run with that of the same order in the replay: answer, fills, end. */

import { moneyToDecimal } from '../../../core/number/units.ts';
import type { Found, Tallies, Tolerance } from './found.ts';
import type { OrderStory } from './step.ts';

interface Into {
  readonly found: Found[];
  readonly tallies: Tallies;
}

type Pair = readonly [run: OrderStory, replay: OrderStory];

export function compareOrders(pair: Pair, tolerance: Tolerance, into: Into): void {
  compareReplies(pair, tolerance, into);
  compareFills(pair, tolerance, into);
  compareEnds(pair, into);
}

function compareReplies(pair: Pair, { replyMs }: Tolerance, { found, tallies }: Into): void {
  const [run, replay] = pair;
  const tally = tallies.reply;
  if (run.repliedAt !== undefined) tally.run += 1;
  if (replay.repliedAt !== undefined) tally.replay += 1;
  const how = replyDiffers(pair, replyMs);
  if (how !== undefined) {
    const at = Math.min(run.repliedAt ?? Number.POSITIVE_INFINITY, replay.repliedAt ?? Number.POSITIVE_INFINITY);
    found.push(orderDifference(pair, { at, step: 'reply', how, words: replyWords }));
  } else if (run.repliedAt !== undefined && replay.repliedAt !== undefined) tally.same += 1;
}

function replyDiffers([run, replay]: Pair, replyMs: number): Found['how'] | undefined {
  if (run.repliedAt === undefined && replay.repliedAt === undefined) return undefined;
  if (run.unknown !== replay.unknown) return 'lost';
  if (run.rejected !== replay.rejected) return 'code';
  if (run.repliedAt === undefined || replay.repliedAt === undefined) return 'lost';
  const later = run.repliedAt - run.sentAt - (replay.repliedAt - replay.sentAt);
  return Math.abs(later) > replyMs ? 'delay' : undefined;
}

function replyWords({ terms, sentAt, repliedAt, rejected, unknown }: OrderStory): string | undefined {
  if (repliedAt === undefined) return undefined;
  const what = rejected === undefined ? 'accepted' : `rejected ${rejected}`;
  const lost = unknown === undefined ? '' : `, unknown at first (${unknown})`;
  return `${terms.side} at tick ${terms.tick} on ${terms.outcome}: ${what} after ${repliedAt - sentAt} ms${lost}`;
}

/** What was matched, in all, from report to report. */
interface Fill {
  readonly at: number;
  readonly matched: number;
  readonly winnings: number;
}

function fillsOf({ reports }: OrderStory): readonly Fill[] {
  const fills: Fill[] = [];
  for (const { reportedAt: at, stakeMatched: matched, winningsMatched: winnings } of reports)
    if (matched > (fills.at(-1)?.matched ?? 0)) fills.push({ at, matched, winnings });
  return fills;
}

function compareFills(pair: Pair, { stepMs }: Tolerance, { found, tallies }: Into): void {
  const [run, replay] = pair.map(fillsOf);
  if (run === undefined || replay === undefined) return;
  const tally = tallies.fill;
  tally.run += run.length;
  tally.replay += replay.length;
  if (stepMs > 0 && isSameSum(run.at(-1), replay.at(-1))) {
    tally.same += Math.min(run.length, replay.length);
    return;
  }
  const first = firstUnequal(run, replay, stepMs);
  tally.same += first;
  if (first >= run.length && first >= replay.length) return;
  const at = Math.min(run[first]?.at ?? Number.POSITIVE_INFINITY, replay[first]?.at ?? Number.POSITIVE_INFINITY);
  found.push(
    orderDifference(pair, { at, step: 'fill', how: howFilled(pair, run[first], replay[first]), words: fillWords }),
  );
}

/** In a live run reports come by polls, which add fills up and are late, so only the sums are compared. */
function isSameSum(run: Fill | undefined, replay: Fill | undefined): boolean {
  return run?.matched === replay?.matched && run?.winnings === replay?.winnings;
}

function firstUnequal(run: readonly Fill[], replay: readonly Fill[], stepMs: number): number {
  const shorter = Math.min(run.length, replay.length);
  for (let i = 0; i < shorter; i += 1) {
    const [ours, theirs] = [run[i], replay[i]];
    if (ours === undefined || theirs === undefined) return i;
    if (!isSameSum(ours, theirs) || Math.abs(ours.at - theirs.at) > stepMs) return i;
  }
  return shorter;
}

/** Whether a fill took resting stake: an order does that when it arrives, and what is left of it rests then. */
function howFilled([run, replay]: Pair, ours: Fill | undefined, theirs: Fill | undefined): NonNullable<Found['how']> {
  if (
    ours !== undefined &&
    theirs !== undefined &&
    ours.matched === theirs.matched &&
    ours.winnings !== theirs.winnings
  )
    return 'price';
  const takes = run.terms.matchBehavior === 'CancelUnmatched' || tookOnArrival(run) !== tookOnArrival(replay);
  return takes ? 'taken' : 'rested';
}

function tookOnArrival({ reports }: OrderStory): number {
  return reports.find(({ status }) => status !== 'Pending')?.stakeMatched ?? 0;
}

function fillWords(order: OrderStory): string | undefined {
  const fills = fillsOf(order);
  const matched = moneyToDecimal(order.reports.at(-1)?.stakeMatched ?? order.terms.stake) || 0;
  if (order.reports.length === 0) return undefined;
  const when = fills.map(({ at }) => new Date(at).toISOString().slice(11, 23)).join(', ');
  return `${matched} of ${moneyToDecimal(order.terms.stake)} matched${fills.length === 0 ? '' : `, at ${when}`}`;
}

const ENDS: readonly string[] = ['Cancelled', 'Failed'];

function compareEnds(pair: Pair, { found, tallies }: Into): void {
  const [run, replay] = pair.map(endOf);
  const tally = tallies.end;
  if (run !== undefined) tally.run += 1;
  if (replay !== undefined) tally.replay += 1;
  if (run?.reason === replay?.reason) {
    if (run !== undefined) tally.same += 1;
    return;
  }
  const at = Math.min(run?.reportedAt ?? Number.POSITIVE_INFINITY, replay?.reportedAt ?? Number.POSITIVE_INFINITY);
  found.push(orderDifference(pair, { at, step: 'end', how: 'reason', words: endWords }));
}

/** When and why the rest of an order was voided. */
function endOf({ reports }: OrderStory): { readonly reportedAt: number; readonly reason: string } | undefined {
  const end = reports.find(({ status, reason }) => ENDS.includes(status) || reason !== undefined);
  return end === undefined ? undefined : { reportedAt: end.reportedAt, reason: end.reason ?? end.status };
}

function endWords(order: OrderStory): string | undefined {
  return endOf(order)?.reason;
}

function orderDifference(
  [runOrder, replayOrder]: Pair,
  parts: Pick<Found, 'at' | 'step' | 'how'> & { words: (order: OrderStory) => string | undefined },
): Found {
  const { words, at, step, how } = parts;
  const { strategy, market } = runOrder.lane;
  return {
    at,
    step,
    strategy,
    market,
    runOrder,
    replayOrder,
    sameBefore: 0,
    ...(how === undefined ? {} : { how }),
    run: words(runOrder),
    replay: words(replayOrder),
  };
}
