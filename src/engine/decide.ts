/** Calls each strategy that the step concerns, and halts those that throw. */

import type { Subject } from 'rxjs';
import type { Intent } from '../core/intent.ts';
import type { DecideInput } from '../strategy/contract.ts';
import { readDecision } from '../strategy/decision/read-decision.ts';
import { INTENTS_READ_MAX, IntentsUnreadable, readIntents } from '../strategy/decision/read-intents.ts';
import { beginCall, endCall, isAskedToEnd } from './guest/decision-mark.ts';
import { BadResult, failureOf, type StrategyFailure } from './guest/guest.ts';
import { checkComesBack } from './guest/stuck-call.ts';
import { haltInstance } from './halt.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Step } from './ledger/step.ts';
import type { StrategyInMarket, StrategyInstance } from './ledger/strategy-in-market.ts';
import type { RunLog } from './log/run-log.ts';

/** What deciding needs of the outside: timers, and a way in for what streams emit between calls. */
export interface DecideLinks {
  /** Calls the strategy again at `due`, ms UTC. */
  wakeAt(inMarket: StrategyInMarket, due: number): void;
  /** A strategy of the stream form emitted intents while it was not being called. */
  onEmitted(inMarket: StrategyInMarket, intents: readonly Intent[]): void;
  /** The stream of a strategy failed while it was not being called. */
  onFailed(instance: StrategyInstance, failure: StrategyFailure): void;
}

/**
 * A strategy that gives more intents in one step, all markets together, is in a loop and is halted; and so is one that gives more in one
 * market at one instant, over all steps: where requests take no time, what it sends may call it again before time goes on.
 */
export const INTENTS_A_STEP_MAX = 10_000;
/** A strategy that asks to be called at a time already past is called so much later: at once would be an endless loop. */
export const PAST_WAKE_MS = 100;

const NONE: readonly Intent[] = [];

/**
 * Returns how many strategies were called. Views can be read during each call only. A strategy that throws is halted and its
 * orders are cancelled; the others go on.
 */
export function decide(ledger: Ledger, step: Step, log: RunLog, links: DecideLinks): number {
  const { mark } = ledger;
  let decisions = 0;
  for (let i = 0; i < step.calls.length; i += 1) {
    const inMarket = step.calls.firsts[i];
    const why = step.calls.seconds[i];
    if (inMarket === undefined || why === undefined || inMarket.instance.halted) continue;
    if (inMarket.isOver && why !== 'windowEnd') continue;
    if (isAskedToEnd(mark)) {
      ledger.leaveUnasked(step.at);
      break;
    }
    decisions += 1;
    inMarket.why = why;
    inMarket.now = step.at;
    beginCall(mark, inMarket.instance, inMarket.entry.state.index);
    const { instance, entry } = inMarket;
    let intents = NONE;
    try {
      // All strategies that are called in a step see the same moment.
      if (decisions === 1) ledger.gate.open(instance.index);
      else ledger.gate.openAgain(instance.index);
      intents = call(ledger, inMarket, links);
    } catch (error) {
      haltInstance({ ledger, step, log }, { instance, market: entry.state.facts.id, ...failureOf(error) });
    }
    endCall(mark);
    if (intents.length === 0) continue;
    // An error of the log is none of the strategy's.
    log.logEvent({ kind: 'decided', at: step.at, strategy: instance.index, market: entry.state.index, why, intents });
    step.propose(inMarket, intents);
  }
  return decisions;
}

function call(ledger: Ledger, inMarket: StrategyInMarket, links: DecideLinks): readonly Intent[] {
  const { plugin, stuckCall } = inMarket.instance;
  try {
    checkComesBack(ledger.mark, stuckCall);
    const intents =
      plugin.decide === undefined
        ? callStream(inMarket, links)
        : readAnswer(inMarket, plugin.decide(inMarket.input), links);
    if (intents.length > 0) countProposed(inMarket, intents.length);
    return intents;
  } finally {
    ledger.gate.close();
  }
}

/** Reads the strategy's answer into objects of our own; its own objects are not looked at again. */
function readAnswer(inMarket: StrategyInMarket, returned: unknown, links: DecideLinks): readonly Intent[] {
  // Nearly every answer is a list, and nearly every list is empty: no decision is made of it.
  if (Array.isArray(returned)) return returned.length === 0 ? NONE : readList(returned);
  const decision = readDecision(returned);
  if (decision.kind === 'bad') throw new BadResult(decision.why);
  if ('state' in decision) inMarket.state = decision.state;
  if (decision.wakeAt !== undefined) links.wakeAt(inMarket, dueAt(decision.wakeAt, inMarket.now));
  return decision.intents ?? NONE;
}

function dueAt(wakeAt: number, now: number): number {
  return wakeAt > now ? Math.ceil(wakeAt) : now + PAST_WAKE_MS;
}

/** A strategy that proposes without end is halted. */
function countProposed(inMarket: StrategyInMarket, count: number): void {
  const { instance, calledIn } = inMarket;
  if (instance.proposedIn !== calledIn) instance.proposed = 0;
  instance.proposedIn = calledIn;
  instance.proposed += count;
  if (instance.proposed > INTENTS_A_STEP_MAX)
    throw new BadResult(`It gave more than ${INTENTS_A_STEP_MAX} intents at one moment, all markets together.`);
  if (inMarket.proposedAt !== inMarket.now) inMarket.proposed = 0;
  inMarket.proposedAt = inMarket.now;
  inMarket.proposed += count;
  if (inMarket.proposed > INTENTS_A_STEP_MAX)
    throw new BadResult(
      `It gave more than ${INTENTS_A_STEP_MAX} intents at one moment in one market: it answers what becomes of its orders with orders, without end.`,
    );
}

/** Calls a strategy of the stream form: what it emits meanwhile is its answer, and what it emits later is an input of its own. */
function callStream(inMarket: StrategyInMarket, links: DecideLinks): readonly Intent[] {
  const { instance } = inMarket;
  const inputs$ = instance.inputs$ ?? connectStream(instance, links);
  instance.answered = [];
  instance.asked = inMarket;
  inputs$.next(inMarket.input);
  const { answered, failure } = instance;
  instance.answered = undefined;
  if (failure !== undefined) throw failure.error;
  return answered;
}

function connectStream(instance: StrategyInstance, links: DecideLinks): Subject<DecideInput> {
  const { windows } = instance.guest;
  const inputs$ = windows.inputs();
  instance.inputs$ = inputs$;
  const fail = (error: unknown): void => {
    instance.failure = { error };
    // Its next call may be far off: its orders must not wait until then to be cancelled.
    if (instance.answered === undefined) links.onFailed(instance, failureOf(error));
  };
  const next = (emitted: unknown): void => {
    // What an observer throws does not reach its caller: RxJS reports it to the process.
    try {
      onEmitted(instance, emittedIntents(instance, emitted), links);
    } catch (error) {
      fail(error);
    }
  };
  // Not the subject itself, through which the strategy could emit inputs and reach the subscribers.
  instance.plugin.run?.(windows.shown(inputs$)).subscribe(windows.observer(next, fail));
  return inputs$;
}

function emittedIntents(instance: StrategyInstance, emitted: unknown): readonly Intent[] {
  if (instance.halted || instance.failure !== undefined) return NONE;
  if (!Array.isArray(emitted)) throw new BadResult('run must emit lists of intents.');
  return readList(emitted);
}

function readList(list: readonly unknown[]): readonly Intent[] {
  try {
    return readIntents(list);
  } catch (error) {
    throw IntentsUnreadable.is(error) ? new BadResult(error.message) : error;
  }
}

/** Adds intents to the answer of the call that goes on, or makes them an input of their own. */
function onEmitted(instance: StrategyInstance, intents: readonly Intent[], links: DecideLinks): void {
  const { answered, asked } = instance;
  if (answered === undefined) {
    if (asked !== undefined && intents.length > 0) links.onEmitted(asked, intents);
    return;
  }
  if (answered.length + intents.length > INTENTS_READ_MAX)
    throw new BadResult(`It emitted more than ${INTENTS_READ_MAX} intents while it was reported one input.`);
  for (const intent of intents) answered.push(intent);
}
