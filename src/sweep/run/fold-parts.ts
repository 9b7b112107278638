/** The folds of a sweep whose folds have searches of their own: which events of the tapes each one searches, and on which it is judged. */

import { defined } from '../../core/checks/assert.ts';
import type { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { spaceError } from '../space/read/space-error.ts';
import { foldsOf } from '../statistics/folds.ts';
import type { StoredFold, StoredTrial } from '../store/trial-store.ts';
import type { SweepPlan } from '../sweep-plan.ts';
import type { EventPart, EventSpan } from '../unit/market-groups.ts';
import type { TrialInputs } from '../unit/trial-inputs.ts';

export interface FoldParts {
  /** The number of the fold, from 1. */
  readonly fold: number;
  readonly inSample: EventPart;
  readonly outOfSample: EventPart;
  /** The facts of the fold before its search has begun. */
  readonly facts: StoredFold;
}

/** Empty where no fold has a search of its own. @throws OddsmithError CONFIG_INVALID where a fold has no events on one of its sides */
export function foldPartsOf({ folds, marketChoices }: SweepPlan, inputs: TrialInputs): readonly FoldParts[] {
  if (folds === undefined) return [];
  const events = inputs.events(marketChoices);
  return foldsOf(events, folds.choice).map((places, index): FoldParts => {
    const fold = index + 1;
    const inSample = places.inSample.flatMap((place) => events[place] ?? []);
    const outOfSample = places.outOfSample.flatMap((place) => events[place] ?? []);
    if (outOfSample.length === 0) throw bareFold('judged', { fold, events: events.length, where: folds.where });
    if (inSample.length === 0) throw bareFold('chosen', { fold, events: events.length, where: folds.where });
    const facts: StoredFold = {
      fold,
      ...spanOf(outOfSample),
      inSample: inSample.length,
      outOfSample: outOfSample.length,
      leftOut: events.length - inSample.length - outOfSample.length,
      isSearched: false,
      trial: undefined,
      keys: [],
    };
    return { fold, inSample: partOf(inSample), outOfSample: partOf(outOfSample), facts };
  });
}

/** The fold whose search proposed a trial; undefined: the search over all events did. */
export function partOfTrial(plan: SweepPlan, inputs: TrialInputs, { fold }: StoredTrial): FoldParts | undefined {
  if (fold === undefined) return undefined;
  return defined(foldPartsOf(plan, inputs)[fold - 1], 'a trial of a fold is of a configuration that has the fold');
}

function spanOf(events: readonly EventSpan[]): Pick<StoredFold, 'from' | 'to'> {
  const from = events.reduce((first, { startsAt }) => Math.min(first, startsAt), Number.POSITIVE_INFINITY);
  return { from, to: events.reduce((last, { endsAt }) => Math.max(last, endsAt), from) };
}

function partOf(events: readonly EventSpan[]): EventPart {
  return new Set(events.map(({ name }) => name));
}

interface BareFold {
  readonly fold: number;
  readonly events: number;
  readonly where: string;
}

function bareFold(side: 'chosen' | 'judged', { fold, events, where }: BareFold): OddsmithError {
  return spaceError({
    what: `Fold ${fold} has no event that a trial is ${side} on.`,
    where,
    why:
      `The tapes have ${events} ${events === 1 ? 'event' : 'events'}` +
      `${side === 'chosen' ? ', and purge, embargo and train leave none of them in sample' : ', which are fewer than the folds need'}.`,
    next: side === 'chosen' ? 'Shorten purge and embargo, lengthen train, or add tapes.' : 'Lower count, or add tapes.',
  });
}
