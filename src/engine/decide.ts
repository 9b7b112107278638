/** Calls each strategy that the turn concerns, and halts the one that throws. */

import { Observable, Subject } from 'rxjs';
import type { Intent } from '../core/intent.ts';
import type { DecideInput } from '../strategy/contract.ts';
import { readDecision } from '../strategy/decision/read-decision.ts';
import { INTENTS_READ_MAX, IntentsUnreadable, readIntents } from '../strategy/decision/read-intents.ts';
import { beginCall, endCall, isAskedToEnd } from './guest/decision-mark.ts';
import { BadResult, failureOf, type StrategyFailure } from './guest/guest.ts';
import { haltInstance } from './halt.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Step } from './ledger/step.ts';
import type { StrategyInMarket, StrategyInstance } from './ledger/strategy-in-market.ts';
import type { RunLog } from './log/run-log.ts';

/** What deciding needs of the outside: timers, and a way in for what streams emit between calls. */
export interface DecideLinks {
  wakeAt(inMarket: StrategyInMarket, due: number): void;
  emitted(inMarket: StrategyInMarket, intents: readonly Intent[]): void;
  failed(instance: StrategyInstance, failure: StrategyFailure): void;
}

/** All markets together, in one turn: a strategy that wants more of them is in a loop. */
export const INTENTS_A_TURN_MAX = 10_000;
/** A wish to be called at a time that is past is granted so much later: granted at once, it would be an endless loop. */
export const PAST_WAKE_MS = 100;

/** Views are open during each call only. A strategy that throws is halted, its orders cancelled; the others go on. */
export function decide(ledger: Ledger, step: Step, log: RunLog, links: DecideLinks): number {
  const { mark } = ledger;
  let decisions = 0;
  for (let i = 0; i < step.callCount; i += 1) {
    const inMarket = step.calls[i];
    const why = step.whys[i];
    if (inMarket === undefined || why === undefined || inMarket.instance.halted) continue;
    if (isAskedToEnd(mark)) {
      ledger.unasked = { unaskedSince: step.at, ...ledger.unasked };
      break;
    }
    decisions += 1;
    inMarket.why = why;
    inMarket.now = step.at;
    beginCall(mark, inMarket.instance.index, inMarket.entry.state.index);
    try {
      // All strategies of a turn see the same moment.
      if (decisions === 1) ledger.gate.open();
      else ledger.gate.openAgain();
      call(ledger, inMarket, step, log, links);
    } catch (error) {
      const { instance, entry } = inMarket;
      haltInstance({ ledger, step, log }, { instance, market: entry.state.facts.id, ...failureOf(error) });
    }
    endCall(mark);
  }
  return decisions;
}

function call(ledger: Ledger, inMarket: StrategyInMarket, step: Step, log: RunLog, links: DecideLinks): void {
  const { instance, entry } = inMarket;
  let intents: readonly Intent[];
  try {
    intents =
      instance.plugin.decide === undefined
        ? ask(inMarket, links)
        : follow(inMarket, instance.plugin.decide(inMarket.input), links);
  } finally {
    ledger.gate.close();
  }
  if (intents.length === 0) return;
  countWishes(inMarket, intents.length);
  log.decision(step.at, instance.index, entry.state.index, inMarket.why, intents);
  step.propose(inMarket, intents);
}

/** What was read of the strategy's answer; afterwards nothing asks its objects again. */
function follow(inMarket: StrategyInMarket, returned: unknown, links: DecideLinks): readonly Intent[] {
  // By far the most answers: no object is made of them.
  if (Array.isArray(returned) && returned.length === 0) return NONE;
  const decision = readDecision(returned);
  if (decision.kind === 'bad') throw new BadResult(decision.why);
  if ('state' in decision) inMarket.state = decision.state;
  if (decision.wakeAt !== undefined) links.wakeAt(inMarket, dueAt(decision.wakeAt, inMarket.now));
  return decision.intents ?? NONE;
}

const NONE: readonly Intent[] = [];

function dueAt(wakeAt: number, now: number): number {
  return wakeAt > now ? Math.ceil(wakeAt) : now + PAST_WAKE_MS;
}

function countWishes(inMarket: StrategyInMarket, count: number): void {
  const { instance, calledIn } = inMarket;
  if (instance.proposedIn !== calledIn) instance.proposed = 0;
  instance.proposedIn = calledIn;
  instance.proposed += count;
  if (instance.proposed > INTENTS_A_TURN_MAX)
    throw new BadResult(`It gave more than ${INTENTS_A_TURN_MAX} intents at one moment, all markets together.`);
}

/** The stream form: what it emits while it is told counts as its answer; what comes later enters by itself. */
function ask(inMarket: StrategyInMarket, links: DecideLinks): readonly Intent[] {
  const { instance } = inMarket;
  const inputs$ = instance.inputs$ ?? connect(instance, links);
  instance.answered = [];
  instance.asked = inMarket;
  inputs$.next(inMarket.input);
  const { answered, failure } = instance;
  instance.answered = undefined;
  if (failure !== undefined) throw failure.error;
  return answered;
}

function connect(instance: StrategyInstance, links: DecideLinks): Subject<DecideInput> {
  const inputs$ = new Subject<DecideInput>();
  instance.inputs$ = inputs$;
  const fail = (error: unknown): void => {
    instance.failure = { error };
    // Nobody may ask it for a long time: its orders must not wait for that.
    if (instance.answered === undefined) links.failed(instance, failureOf(error));
  };
  // Not the subject itself, to which anybody could say something, and which knows who listens.
  const told$ = Object.freeze(new Observable<DecideInput>((listener) => inputs$.subscribe(listener)));
  instance.plugin.run?.(told$).subscribe({
    next: (emitted) => {
      // Thrown here it would reach nobody: RxJS tells the process of an observer that throws, not its caller.
      try {
        take(instance, emittedIntents(instance, emitted), links);
      } catch (error) {
        fail(error);
      }
    },
    error: fail,
  });
  return inputs$;
}

function emittedIntents(instance: StrategyInstance, emitted: unknown): readonly Intent[] {
  if (instance.halted || instance.failure !== undefined) return NONE;
  if (!Array.isArray(emitted)) throw new BadResult('run must emit lists of intents.');
  try {
    return readIntents(emitted);
  } catch (error) {
    throw IntentsUnreadable.is(error) ? new BadResult(error.message) : error;
  }
}

function take(instance: StrategyInstance, intents: readonly Intent[], links: DecideLinks): void {
  const { answered, asked } = instance;
  if (answered === undefined) {
    if (asked !== undefined && intents.length > 0) links.emitted(asked, intents);
    return;
  }
  if (answered.length + intents.length > INTENTS_READ_MAX)
    throw new BadResult(`It emitted more than ${INTENTS_READ_MAX} intents while it was told of one input.`);
  for (const intent of intents) answered.push(intent);
}
