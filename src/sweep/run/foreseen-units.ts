/** Counts the trials and units of a sweep before the first unit is played. */

import type { SweepPlan } from '../sweep-plan.ts';
import type { TrialInputs } from '../unit/trial-inputs.ts';
import { foldPartsOf } from './fold-parts.ts';
import { newSweepSearch, type SweepSearch, type SweepTrial } from './sweep-search.ts';

/** Nobody knows the later trials of a search that learns before the first ones are played: only its first generation is yielded. */
export function* foreseenTrials(
  { isForeseeable }: SweepPlan,
  search: SweepSearch,
): Generator<SweepTrial & { readonly events: number | undefined }> {
  let count = 0;
  const next = () => search.next(() => count++);
  for (let each = next(); each !== undefined; each = isForeseeable ? next() : undefined)
    for (const trial of each.trials) yield { ...trial, events: each.events };
}

export interface ForeseenUnits {
  readonly trials: number;
  /** Units that are known already count too, and so do units that several trials share. */
  readonly units: number;
}

/** The units of all searches, also those of folds. @throws OddsmithError CONFIG_…, NO_MARKETS */
export function foreseenUnits(plan: SweepPlan, inputs: TrialInputs): ForeseenUnits {
  const choosesMarkets = plan.space.dimensions.some(({ path }) => path[0] === 'markets');
  let [trials, units] = [0, 0];
  for (const fold of [undefined, ...foldPartsOf(plan, inputs)]) {
    for (const { assignment, events } of foreseenTrials(plan, newSweepSearch(plan, inputs, fold))) {
      const choice = choosesMarkets ? plan.optionsOf(assignment) : plan.config;
      trials += 1;
      units += Math.min(events ?? Number.POSITIVE_INFINITY, inputs.countUnits(choice, fold?.inSample));
    }
  }
  return { trials, units };
}
