/** Finds the cause of a difference in what is known of a run besides its steps: tapes, restarts, strategies, delays. */

import type { RefusalCode } from '../../core/refusal.ts';
import type { ParityCause } from '../../result/parity.ts';
import type { Excess, RateProof, RateWindows } from './rate-windows.ts';
import { type BothSides, ordersApart, type RefusalDispute, scopeOf } from './refusal-dispute.ts';
import { ON_LOSSES, REFUSAL_ORIGINS } from './refusal-origins.ts';
import type { Found } from './steps/found.ts';
import { AGAIN } from './steps/intent-outcomes.ts';
import type { OrderStory, Step } from './steps/step.ts';
import { laneName, termsText } from './steps/step-sequence.ts';

export interface Named {
  readonly cause: ParityCause;
  readonly details: string;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Stop extends Span {
  /** Absent: all markets, or all strategies. */
  readonly market?: string;
  readonly strategy?: string;
  /** Orders were stopped because prices were old, which the run may have missed; else by an operator or a guard. */
  readonly isFreshness?: boolean;
  readonly why: string;
}

export interface EvidenceParts {
  readonly mode: 'live' | 'paper';
  readonly stepMs: number;
  /** Whether the tapes have an update of the market in the span, ends included. */
  readonly hasUpdate: (market: string, span: Span) => boolean;
  /** When the first update of the market is on the tapes; undefined for a market that is on none. */
  readonly firstUpdate: (market: string) => number | undefined;
  /** Spans of which the tapes do not have what happened in the market, with the reason. */
  readonly gaps: (market: string) => readonly (Span & { readonly why: string })[];
  /** Spans in which no strategy was called: from the last record of one process until the next one trades. */
  readonly downs: readonly Span[];
  /** When something other than strategies stopped orders: a halt, a lapse, a market put off limits. */
  readonly stops: readonly Stop[];
  /** When the limit of orders a second was changed; absent: never. */
  readonly rateMoves?: readonly number[];
  /** Spans of the run in which an older version measured limits on money by the funds that the exchange asks for; absent: none. */
  readonly olderLimits?: readonly (Span & { readonly version: string })[];
  /** Strategies whose code is not the one that ran. */
  readonly changed: ReadonlySet<string>;
  /** The longest delay of a reply that the latency model draws, or nearly. */
  readonly delayMaxMs: number;
  /** The orders of a strategy in a market that both sides sent. */
  readonly pairsOf: (strategy: string, market: string) => readonly OrderPair[];
  /** Orders of all strategies of the run in a market. */
  readonly ordersOf: (market: string) => readonly OrderStory[];
  /** All orders of both sides. */
  readonly orders: BothSides;
  readonly rates: RateWindows;
  /** Strategies and markets in which two replays of the same tapes decided differently; absent if there was one replay. */
  readonly nonDeterministic?: ReadonlySet<string>;
}

type OrderPair = readonly [run: OrderStory, replay: OrderStory];

/** Margin around a gap: the first reading after it shows what was missed. */
const GAP_MARGIN_MS = 1_000;
/** How long after a stop its cancellations may be reported. */
const STOP_ECHO_MS = 2_000;
/** How long after a gap the changes missed in it may show, in prices that did not change since. */
const GAP_ECHO_MS = 60_000;

export class Evidence {
  readonly #parts: EvidenceParts;

  constructor(parts: EvidenceParts) {
    this.#parts = parts;
  }

  /** In a paper run answers and fills come from the simulated exchange: they differ only where something before them does, or the fill model. */
  get isModelled(): boolean {
    return this.#parts.mode === 'paper';
  }

  /** What begins a chain of its own although another is open: nothing that the strategies did can cause it. */
  interrupts(found: Found): Named | undefined {
    const restart = this.#restart(found, 'during');
    // That other code decides otherwise needs no further cause.
    if (restart !== undefined || this.#parts.changed.has(found.strategy)) return restart;
    return this.#missed(found) ?? this.#stopped(found);
  }

  ofStep(found: Found): Named {
    return (
      this.interrupts(found) ??
      this.#changed(found) ??
      this.#refused(found) ??
      this.#restart(found, 'after') ??
      this.#late(found) ??
      this.#unanswered(found) ??
      this.#otherwise(found)
    );
  }

  /** A fill that may come from what the tape is missing while the order rested, or shortly before it came. */
  ofOrder(found: Found, how: NonNullable<Found['how']>): Named {
    const isFilled = how === 'taken' || how === 'rested' || how === 'price';
    const gap = isFilled ? this.#gapBefore(found) : undefined;
    if (gap !== undefined) return gap;
    switch (how) {
      case 'delay':
        return this.#delay(found);
      case 'lost':
        return { cause: 'latency', details: 'the answer was lost, or came too late to count' };
      case 'code':
        return { cause: 'rule', details: 'the one refuses what the other accepts' };
      case 'taken':
        return { cause: 'liquidity', details: 'other stake was there when the order arrived' };
      case 'rested':
        return { cause: 'queue', details: 'the order rested, and what traded reached another place of the queue' };
      case 'price':
        return { cause: 'liquidity', details: 'the same stake at another price' };
      case 'reason':
        return this.#ended(found);
    }
  }

  /** The cancellations of a stop are reported a little after it. */
  #ended({ at, market, strategy, run }: Found): Named {
    const stop = this.#parts.stops.findLast(({ from, to, ...of }) => {
      const isOfIt = (of.market ?? market) === market && (of.strategy ?? strategy) === strategy;
      return isOfIt && from <= at && at <= to + STOP_ECHO_MS;
    });
    if (stop !== undefined && run !== undefined) return named('operator', stop.why);
    if (run === 'HeartbeatLapsed') return named('operator', 'the heartbeat lapsed, and the exchange cancelled');
    return named('rule', 'the rest of the order was voided for another reason');
  }

  ofSettlement({ run, replay }: Found): Named {
    if (run === undefined || replay === undefined) return named('unexplained', 'settled in the one alone');
    return named('rule', 'the same bets, settled or charged otherwise');
  }

  #restart({ at, market }: Found, when: 'during' | 'after'): Named | undefined {
    const { downs, firstUpdate } = this.#parts;
    for (const { from, to } of downs) {
      if (at >= from && at <= to) return named('restart', `nothing was decided from ${utc(from)} to ${utc(to)}`);
      const updatedAts = firstUpdate(market) ?? Number.POSITIVE_INFINITY;
      if (when === 'after' && at > to && updatedAts < from)
        return named('restart', `what the strategy remembered of the market was lost at ${utc(from)}`);
    }
    return undefined;
  }

  /** The run acted on prices that are not on its tape, or the replay on prices of a time the run may have missed. */
  #missed({ at, market, runStep, replayStep }: Found): Named | undefined {
    const { hasUpdate, gaps, stepMs } = this.#parts;
    const gap = gaps(market).find(({ from, to }) => at >= from && at <= to + GAP_MARGIN_MS);
    if (gap !== undefined) return named('missedPoll', `${gap.why}, from ${utc(gap.from)} to ${utc(gap.to)}`);
    if (runStep === undefined || replayStep !== undefined) return undefined;
    if (runStep.why !== 'prices' && runStep.why !== 'status') return undefined;
    if (hasUpdate(market, { from: at - stepMs, to: at + stepMs })) return undefined;
    return named('missedPoll', 'the run acted on an update that is not on its tapes');
  }

  /** Orders and cancellations that the bot itself did or did not send; the decisions of a strategy are its own. */
  #stopped({ at, market, strategy, step, runStep, replayStep }: Found): Named | undefined {
    if (step === 'decision' && (runStep ?? replayStep)?.why !== 'stale') return undefined;
    const stop = this.#parts.stops.find(({ from, to, ...of }) => {
      return at >= from && at <= to && (of.market ?? market) === market && (of.strategy ?? strategy) === strategy;
    });
    if (stop === undefined) return undefined;
    return named(stop.isFreshness === true ? 'missedPoll' : 'operator', stop.why);
  }

  #changed({ strategy }: Found): Named | undefined {
    if (!this.#parts.changed.has(strategy)) return undefined;
    return named('strategyChanged', 'the file of the strategy is not the one that ran');
  }

  /** A refusal of which it is not known what the other side made of the same intent. */
  #refused({ at, runStep, replayStep }: Found): Named | undefined {
    const code = (runStep ?? replayStep)?.code;
    if (code === undefined) return undefined;
    if (REFUSAL_ORIGINS[code] === 'rate') return named('unexplained', `${code}, and the other did not decide the same`);
    return this.#refusedBy(runStep === undefined ? 'replay' : 'run', code, at);
  }

  /** A refusal by a guard, by the market's state, or by the strategy's own orders, while the other side had none. */
  ofDispute(found: Found, dispute: RefusalDispute): Named {
    const { refusal, who } = dispute;
    const { code = 'HALTED' } = refusal;
    const own =
      (REFUSAL_ORIGINS[code] === 'guard' ? this.interrupts(found) : undefined) ??
      this.movedBetween(found, dispute) ??
      this.#movedMarket(found, dispute) ??
      (REFUSAL_ORIGINS[code] === 'orders' ? this.#unanswered(found, dispute) : undefined);
    return own ?? refusedBy(who, code);
  }

  /** The two judged at other times, and in between an operator or a guard stopped orders, or let them go on. */
  movedBetween({ market, strategy }: Found, dispute: RefusalDispute): Named | undefined {
    const stop = this.#parts.stops.find(({ from, to, ...of }) => {
      const isOfIt = (of.market ?? market) === market && (of.strategy ?? strategy) === strategy;
      return isOfIt && (isBetween(from, dispute) || isBetween(to, dispute));
    });
    return stop && named(stop.isFreshness === true ? 'missedPoll' : 'operator', stop.why);
  }

  /** The rate itself was another one when the other side judged. */
  rateMovedBetween(dispute: RefusalDispute): Named | undefined {
    const isMoved = this.#parts.rateMoves?.some((at) => isBetween(at, dispute)) === true;
    return isMoved ? named('operator', 'the limit of orders a second was changed between the two') : undefined;
  }

  /** Two that were called for the same update see the same market, whatever their clocks say. */
  #movedMarket({ market }: Found, { refusal, passed, runAt, replayAt }: RefusalDispute): Named | undefined {
    if (refusal.code === undefined || REFUSAL_ORIGINS[refusal.code] !== 'alone') return undefined;
    if ([refusal, passed].every((step) => ['prices', 'status'].includes(whyOf(step) ?? ''))) return undefined;
    const [from, to] = [Math.min(runAt, replayAt) + 1, Math.max(runAt, replayAt)];
    if (from > to || !this.#parts.hasUpdate(market, { from, to })) return undefined;
    return named('latency', `judged ${to - from + 1} ms apart, and the market changed in between`);
  }

  /** Orders that a limit counts, and that were not in the same state on both sides when these judged. */
  ordersApart(found: Found, dispute: RefusalDispute): readonly OrderStory[] {
    return ordersApart(this.#parts.orders, dispute, scopeOf(dispute, found));
  }

  /** A limit on all orders; `apart` is an order in another state that has no cause of its own. */
  ofTogether({ refusal, who, runAt }: RefusalDispute, apart: OrderStory | undefined): Named {
    const { code = 'LIMIT_ORDER' } = refusal;
    if (apart === undefined || !this.#parts.orders.partners.has(apart)) return this.#refusedBy(who, code, runAt);
    return named(
      'latency',
      `${code} of the ${who} alone: the state of ${termsText(apart.terms)} was known to one only`,
    );
  }

  /** Limits on money may have been measured otherwise when the run judged. */
  #refusedBy(who: 'run' | 'replay', code: RefusalCode, at: number): Named {
    const older = this.#parts.olderLimits?.find(({ from, to }) => at >= from && at <= to);
    if (older === undefined || !ON_LOSSES.has(code)) return refusedBy(who, code);
    const how = 'measured its limits on money by the funds that the exchange asks for, and not by what can be lost';
    return named('version', `${code} of the ${who} alone: oddsmith ${older.version} ran it, and ${how}`);
  }

  rateProof(dispute: RefusalDispute): RateProof {
    return this.#parts.rates.proof(dispute);
  }

  /** With the evidence: how many orders both seconds held, and which of them the other did not hold. */
  rateCause(cause: ParityCause, dispute: RefusalDispute, excess: readonly Excess[]): Named {
    const { limit, counted, countedThere } = this.rateProof(dispute);
    const { refusal, who } = dispute;
    const counts = `the second before held ${counted} of ${limit} orders, ${countedThere} in the ${who === 'run' ? 'replay' : 'run'}`;
    const [first] = excess;
    const more = excess.length > 1 ? `, and ${excess.length - 1} more` : '';
    return named(
      cause,
      `${refusal.code} of the ${who} alone: ${counts}${first === undefined ? '' : `: ${first.words}${more}`}`,
    );
  }

  /** A step that both sides did at different times, because a reply or a timer came at different times. */
  #late({ runStep, replayStep }: Found): Named | undefined {
    if (runStep === undefined || replayStep === undefined) return undefined;
    if (runStep.why !== replayStep.why && (runStep.why === 'order' || replayStep.why === 'order'))
      return named('latency', 'the one decided on an answer, the other before or after it');
    if (runStep.key !== replayStep.key) return undefined;
    if (whyOf(runStep) !== 'order' && whyOf(replayStep) !== 'order') return undefined;
    return named('latency', `${Math.abs(runStep.at - replayStep.at)} ms apart, after an answer`);
  }

  /** What the strategy knew of its own orders: a reply or a fill that only one side had received by then. */
  #unanswered({ at, strategy, market }: Found, { runAt, replayAt } = { runAt: at, replayAt: at }): Named | undefined {
    for (const [run, replay] of this.#parts.pairsOf(strategy, market)) {
      if (run.sentAt > runAt) continue;
      if (isAnswered(run, runAt) !== isAnswered(replay, replayAt))
        return named('latency', 'the one had the answer to an order, the other had not yet');
      if (matchedBy(run, runAt) !== matchedBy(replay, replayAt))
        return named('latency', 'the one knew of a fill, the other did not yet');
      if (isVoided(run, runAt) !== isVoided(replay, replayAt))
        return named('latency', 'the one knew of a cancellation, the other did not yet');
    }
    return undefined;
  }

  #gapBefore({ market, at }: Found): Named | undefined {
    const gap = this.#parts.gaps(market).findLast(({ from, to }) => from <= at && at <= to + GAP_ECHO_MS);
    return gap && named('missedPoll', `${gap.why}, until ${utc(gap.to)}`);
  }

  #otherwise(found: Found): Named {
    const { step, market, at, runStep, replayStep } = found;
    if (step !== 'decision') return named('unexplained', 'no decision differs that would explain it');
    const { hasUpdate, stepMs } = this.#parts;
    const why = (runStep ?? replayStep)?.why;
    if (why === 'stale') return named('missedPoll', 'the run found its prices too old');
    const gap = this.#gapBefore(found);
    if (gap !== undefined) return gap;
    const isMet =
      why === 'prices' || why === 'status' ? hasUpdate(market, { from: at - stepMs, to: at + stepMs }) : true;
    return isMet ? this.#onTheSame(found) : named('unexplained', 'no update is on the tapes at that time');
  }

  /** Only proof makes it the strategy's fault: equal inputs bit for bit, or two replays that differ. */
  #onTheSame({ strategy, market, at }: Found): Named {
    if (this.#parts.nonDeterministic?.has(laneName(strategy, market)) === true)
      return named('nonDeterminism', 'two replays of the same tapes decided otherwise');
    if (this.isModelled) return named('nonDeterminism', 'both saw the same until then, and decided otherwise');
    const resting = this.#parts.ordersOf(market).filter((order) => rested(order, at));
    const [first] = resting;
    if (first === undefined)
      return named('unexplained', 'both saw the same until then; in a live run that proves nothing of the strategy');
    const others = resting.length === 1 ? '' : `, and ${resting.length - 1} more`;
    return named('ownStake', `the recorded prices held our own ${termsText(first.terms)}${others}`);
  }

  #delay({ runOrder, replayOrder }: Found): Named {
    const run = (runOrder?.repliedAt ?? 0) - (runOrder?.sentAt ?? 0);
    const replay = (replayOrder?.repliedAt ?? 0) - (replayOrder?.sentAt ?? 0);
    const { delayMaxMs } = this.#parts;
    const where = run > delayMaxMs ? `beyond the ${delayMaxMs} ms of the model` : 'within the model';
    return named('latency', `the answer took ${run} ms, not ${replay} ms: ${where}`);
  }
}

/** Orders at rest at the exchange, as far as the run knew; one that ended just now may still be in the prices read before. */
function rested({ reports }: OrderStory, at: number): boolean {
  return reports.some(({ reportedAt, stakeUnmatched }, index) => {
    const endedAt = reports[index + 1]?.reportedAt ?? Number.POSITIVE_INFINITY;
    return stakeUnmatched > 0 && reportedAt <= at && at <= endedAt;
  });
}

function isBetween(at: number, { runAt, replayAt }: RefusalDispute): boolean {
  return Math.min(runAt, replayAt) <= at && at <= Math.max(runAt, replayAt);
}

function isAnswered({ repliedAt }: OrderStory, at: number): boolean {
  return repliedAt !== undefined && repliedAt <= at;
}

function isVoided({ reports }: OrderStory, at: number): boolean {
  return reports.some(({ reportedAt, stakeVoided }) => reportedAt <= at && stakeVoided > 0);
}

function matchedBy({ reports }: OrderStory, at: number): number {
  return reports.findLast(({ reportedAt }) => reportedAt <= at)?.stakeMatched ?? 0;
}

/** Why the strategy was called that led to the step; what replaces an order comes of that order's end. */
function whyOf({ why, origin }: Step): string | undefined {
  return origin?.name.endsWith(AGAIN) === true ? 'order' : (why ?? origin?.decision.why);
}

function refusedBy(who: 'run' | 'replay', code: RefusalCode): Named {
  if (who === 'run' && REFUSAL_ORIGINS[code] === 'guard')
    return named('operator', `a guard of the running bot: ${code}`);
  return named('rule', `the ${who} alone refuses: ${code}`);
}

function named(cause: ParityCause, details: string): Named {
  return { cause, details };
}

function utc(at: number): string {
  return new Date(at).toISOString().slice(0, 23).replace('T', ' ');
}
