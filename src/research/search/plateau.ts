/** The plateau score: whether the neighbours of a trial in the space of parameters do as well as it does. */

import type { Meaning } from '../figure/meaning.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';

export interface Plateau extends Meaning {
  readonly kind: 'plateau';
  /** The share of neighbours whose value lies within one standard error of the trial's, 0 to 1. */
  readonly score: number;
  readonly neighbours: number;
}

const PLATEAU_MEANING: Meaning = {
  says:
    'The plateau score says how many neighbours of a trial, at most a step away in each parameter, have nearly its value: ' +
    'near 1 its parameters need not be exactly right.',
  doesNotSay:
    'It does not say that the value is good, nor that it will last: a plateau of luck is one too where neighbours place ' +
    'nearly the same bets.',
};

/** Neighbours without a value (nothing was matched) count as not near. */
export function plateauOf({
  value,
  standardError,
  neighbours,
}: {
  readonly value: number;
  /** The standard error of the trial's value, in its unit, as `Interval.standardError`. */
  readonly standardError: number;
  readonly neighbours: readonly (number | undefined)[];
}): Plateau | NotKnown {
  if (neighbours.length === 0) return notKnown('No neighbour of the trial was played.');
  if (!(standardError > 0 && Number.isFinite(standardError))) {
    return notKnown('The standard error of the trial is not known: there is no measure of what is near.');
  }
  const near = neighbours.filter((each) => each !== undefined && Math.abs(each - value) <= standardError).length;
  return { kind: 'plateau', score: near / neighbours.length, neighbours: neighbours.length, ...PLATEAU_MEANING };
}
