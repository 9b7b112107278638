/** A call from which a strategy did not come back, found when a run was played: played again, the strategy is halted there instead of being called. */

import { type DecisionMark, MARK } from './decision-mark.ts';

/** Plain data, which passes between threads. */
export interface StuckCall {
  /** Which call it is, by how many were begun in the piece, in all worlds and of all strategies. */
  readonly number: number;
  /** Index of the world in which it was called. */
  readonly world: number;
  /** Index of the strategy. */
  readonly instance: number;
  /** The place, cause and next step of the error that says so. */
  readonly where: string;
  readonly why: string;
  readonly next: string;
}

/** Thrown in place of such a call. */
export class NotComeBack extends Error {
  override readonly name = 'NotComeBack';
  readonly call: StuckCall;
  readonly #isOurs = true;

  constructor(call: StuckCall) {
    super('did not come back from the call');
    this.call = call;
  }

  /** Calls no code of the value, which may be a proxy of a strategy's. */
  static is(thrown: unknown): thrown is NotComeBack {
    return typeof thrown === 'object' && thrown !== null && #isOurs in thrown;
  }
}

/** Called when a call has begun. @throws NotComeBack */
export function checkComesBack(mark: DecisionMark, call: StuckCall | undefined): void {
  if (call !== undefined && mark[MARK.calls] === call.number) throw new NotComeBack(call);
}
