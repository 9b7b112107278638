/** Calls each strategy that the turn concerns, and halts the one that throws. */

import { Subject } from 'rxjs';
import type { Intent } from '../core/intent.ts';
import type { DecideInput } from '../strategy/contract.ts';
import { readDecision } from '../strategy/read-decision.ts';
import { haltSeat } from './halt.ts';
import type { Ledger } from './ledger.ts';
import type { RunLog } from './run-log.ts';
import type { Runtime, StrategySeat } from './runtime.ts';
import type { Turn } from './turn.ts';

/** What deciding needs of the outside: timers, and a way in for what streams emit between calls. */
export interface DecideLinks {
  wakeAt(runtime: Runtime, due: number): void;
  emitted(runtime: Runtime, intents: readonly Intent[]): void;
}

/** Views are open during each call only. A strategy that throws is halted, its orders cancelled; the others go on. */
export function decide(ledger: Ledger, turn: Turn, log: RunLog, links: DecideLinks): number {
  let decisions = 0;
  for (let i = 0; i < turn.callCount; i += 1) {
    const runtime = turn.calls[i];
    const why = turn.whys[i];
    if (runtime === undefined || why === undefined || runtime.seat.halted) continue;
    decisions += 1;
    runtime.why = why;
    runtime.now = turn.at;
    try {
      // All strategies of a turn see the same moment.
      if (decisions === 1) ledger.gate.open();
      else ledger.gate.openAgain();
      call(ledger, runtime, turn, log, links);
    } catch (error) {
      const code = error instanceof BadResult ? 'STRATEGY_BAD_RESULT' : 'STRATEGY_THROW';
      const { seat, desk } = runtime;
      haltSeat({ ledger, turn, log }, { seat, market: desk.state.facts.id, code, error });
    }
  }
  return decisions;
}

/** A strategy gave what is no decision: halted like one that throws. */
class BadResult extends Error {
  override readonly name = 'BadResult';
}

function call(ledger: Ledger, runtime: Runtime, turn: Turn, log: RunLog, links: DecideLinks): void {
  const { seat, desk } = runtime;
  let intents: readonly Intent[];
  try {
    intents =
      seat.plugin.decide === undefined ? ask(runtime, links) : follow(runtime, seat.plugin.decide(runtime), links);
  } finally {
    ledger.gate.close();
  }
  if (intents.length === 0) return;
  log.decision(turn.at, seat.index, desk.state.index, runtime.why, intents);
  turn.wish(runtime, intents);
}

const NONE: readonly Intent[] = [];

function follow(runtime: Runtime, returned: unknown, links: DecideLinks): readonly Intent[] {
  // By far the most answers: no object is made of them.
  if (Array.isArray(returned)) return returned;
  const decision = readDecision(returned);
  if (decision.kind === 'bad') throw new BadResult(decision.why);
  if ('state' in decision) runtime.state = decision.state;
  if (decision.wakeAt !== undefined) links.wakeAt(runtime, Math.max(Math.ceil(decision.wakeAt), runtime.now));
  return decision.intents ?? NONE;
}

/** The stream form: what it emits while it is told counts as its answer; what comes later enters by itself. */
function ask(runtime: Runtime, links: DecideLinks): readonly Intent[] {
  const { seat } = runtime;
  const inputs$ = seat.inputs$ ?? connect(seat, links);
  seat.answered = [];
  seat.asked = runtime;
  inputs$.next(runtime);
  const { answered, failure } = seat;
  seat.answered = undefined;
  if (failure !== undefined) throw failure.error;
  return answered;
}

function connect(seat: StrategySeat, links: DecideLinks): Subject<DecideInput> {
  const inputs$ = new Subject<DecideInput>();
  seat.inputs$ = inputs$;
  seat.plugin.run?.(inputs$).subscribe({
    next: (intents) => {
      // Thrown here it would reach nobody: RxJS tells the process of an observer that throws, not its caller.
      if (!Array.isArray(intents)) seat.failure = { error: new BadResult('run must emit lists of intents.') };
      else if (seat.answered !== undefined) seat.answered.push(...intents);
      else if (seat.asked !== undefined) links.emitted(seat.asked, intents);
    },
    error: (error: unknown) => {
      seat.failure = { error };
    },
  });
  return inputs$;
}
