/** Calls each strategy that the turn concerns, and halts the one that throws. */

import { Observable, Subject } from 'rxjs';
import type { Intent } from '../core/intent.ts';
import type { DecideInput } from '../strategy/contract.ts';
import { readDecision } from '../strategy/decision/read-decision.ts';
import { INTENTS_READ_MAX, IntentsUnreadable, readIntents } from '../strategy/decision/read-intents.ts';
import { beginCall, endCall, isAskedToEnd } from './guest/decision-mark.ts';
import { BadResult, failureOf, type StrategyFailure } from './guest/guest.ts';
import { haltSeat } from './halt.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Runtime, StrategySeat } from './ledger/runtime.ts';
import type { Turn } from './ledger/turn.ts';
import type { RunLog } from './log/run-log.ts';

/** What deciding needs of the outside: timers, and a way in for what streams emit between calls. */
export interface DecideLinks {
  wakeAt(runtime: Runtime, due: number): void;
  emitted(runtime: Runtime, intents: readonly Intent[]): void;
  failed(seat: StrategySeat, failure: StrategyFailure): void;
}

/** All markets together, in one turn: a strategy that wants more of them is in a loop. */
export const INTENTS_A_TURN_MAX = 10_000;
/** A wish to be called at a time that is past is granted so much later: granted at once, it would be an endless loop. */
export const PAST_WAKE_MS = 100;

/** Views are open during each call only. A strategy that throws is halted, its orders cancelled; the others go on. */
export function decide(ledger: Ledger, turn: Turn, log: RunLog, links: DecideLinks): number {
  const { mark } = ledger;
  let decisions = 0;
  for (let i = 0; i < turn.callCount; i += 1) {
    const runtime = turn.calls[i];
    const why = turn.whys[i];
    if (runtime === undefined || why === undefined || runtime.seat.halted) continue;
    if (isAskedToEnd(mark)) {
      ledger.unasked = { unaskedSince: turn.at, ...ledger.unasked };
      break;
    }
    decisions += 1;
    runtime.why = why;
    runtime.now = turn.at;
    beginCall(mark, runtime.seat.index, runtime.desk.state.index);
    try {
      // All strategies of a turn see the same moment.
      if (decisions === 1) ledger.gate.open();
      else ledger.gate.openAgain();
      call(ledger, runtime, turn, log, links);
    } catch (error) {
      const { seat, desk } = runtime;
      haltSeat({ ledger, turn, log }, { seat, market: desk.state.facts.id, ...failureOf(error) });
    }
    endCall(mark);
  }
  return decisions;
}

function call(ledger: Ledger, runtime: Runtime, turn: Turn, log: RunLog, links: DecideLinks): void {
  const { seat, desk } = runtime;
  let intents: readonly Intent[];
  try {
    intents =
      seat.plugin.decide === undefined
        ? ask(runtime, links)
        : follow(runtime, seat.plugin.decide(runtime.input), links);
  } finally {
    ledger.gate.close();
  }
  if (intents.length === 0) return;
  countWishes(runtime, intents.length);
  log.decision(turn.at, seat.index, desk.state.index, runtime.why, intents);
  turn.wish(runtime, intents);
}

/** What was read of the strategy's answer; afterwards nothing asks its objects again. */
function follow(runtime: Runtime, returned: unknown, links: DecideLinks): readonly Intent[] {
  // By far the most answers: no object is made of them.
  if (Array.isArray(returned) && returned.length === 0) return NONE;
  const decision = readDecision(returned);
  if (decision.kind === 'bad') throw new BadResult(decision.why);
  if ('state' in decision) runtime.state = decision.state;
  if (decision.wakeAt !== undefined) links.wakeAt(runtime, dueAt(decision.wakeAt, runtime.now));
  return decision.intents ?? NONE;
}

const NONE: readonly Intent[] = [];

function dueAt(wakeAt: number, now: number): number {
  return wakeAt > now ? Math.ceil(wakeAt) : now + PAST_WAKE_MS;
}

function countWishes(runtime: Runtime, count: number): void {
  const { seat, calledIn } = runtime;
  if (seat.wishedIn !== calledIn) seat.wished = 0;
  seat.wishedIn = calledIn;
  seat.wished += count;
  if (seat.wished > INTENTS_A_TURN_MAX)
    throw new BadResult(`It gave more than ${INTENTS_A_TURN_MAX} intents at one moment, all markets together.`);
}

/** The stream form: what it emits while it is told counts as its answer; what comes later enters by itself. */
function ask(runtime: Runtime, links: DecideLinks): readonly Intent[] {
  const { seat } = runtime;
  const inputs$ = seat.inputs$ ?? connect(seat, links);
  seat.answered = [];
  seat.asked = runtime;
  inputs$.next(runtime.input);
  const { answered, failure } = seat;
  seat.answered = undefined;
  if (failure !== undefined) throw failure.error;
  return answered;
}

function connect(seat: StrategySeat, links: DecideLinks): Subject<DecideInput> {
  const inputs$ = new Subject<DecideInput>();
  seat.inputs$ = inputs$;
  const fail = (error: unknown): void => {
    seat.failure = { error };
    // Nobody may ask it for a long time: its orders must not wait for that.
    if (seat.answered === undefined) links.failed(seat, failureOf(error));
  };
  // Not the subject itself, to which anybody could say something, and which knows who listens.
  const told$ = Object.freeze(new Observable<DecideInput>((listener) => inputs$.subscribe(listener)));
  seat.plugin.run?.(told$).subscribe({
    next: (emitted) => {
      // Thrown here it would reach nobody: RxJS tells the process of an observer that throws, not its caller.
      try {
        take(seat, emittedIntents(seat, emitted), links);
      } catch (error) {
        fail(error);
      }
    },
    error: fail,
  });
  return inputs$;
}

function emittedIntents(seat: StrategySeat, emitted: unknown): readonly Intent[] {
  if (seat.halted || seat.failure !== undefined) return NONE;
  if (!Array.isArray(emitted)) throw new BadResult('run must emit lists of intents.');
  try {
    return readIntents(emitted);
  } catch (error) {
    throw IntentsUnreadable.is(error) ? new BadResult(error.message) : error;
  }
}

function take(seat: StrategySeat, intents: readonly Intent[], links: DecideLinks): void {
  const { answered, asked } = seat;
  if (answered === undefined) {
    if (asked !== undefined && intents.length > 0) links.emitted(asked, intents);
    return;
  }
  if (answered.length + intents.length > INTENTS_READ_MAX)
    throw new BadResult(`It emitted more than ${INTENTS_READ_MAX} intents while it was told of one input.`);
  for (const intent of intents) answered.push(intent);
}
