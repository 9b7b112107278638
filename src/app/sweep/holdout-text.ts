/** What is known of the events that a sweep holds out: how often they were looked at, and who has seen them before. */

import { holdoutInstant } from '../../sweep/space/read/read-holdout.ts';
import type { SweepConfig } from '../../sweep/space/read/sweep-schema.ts';
import type { HoldoutOpening, TrialStore } from '../../sweep/store/trial-store.ts';
import type { SweepPlan } from '../../sweep/sweep-plan.ts';
import { CliError } from '../cli/cli-error.ts';

export interface Openings {
  readonly heldFrom: string;
  readonly openings: readonly { readonly at: string; readonly configuration: number; readonly trial: number }[];
  /** Trials of this directory that were searched on events that are held out now. */
  readonly searchedBefore: number;
}

export function openingsOf(store: TrialStore, heldFrom: number): Openings {
  const openings = store.openings().map(({ at, configuration, trial }) => ({
    ...{ at: new Date(at).toISOString(), configuration, trial },
  }));
  const seeing = store.configurations().filter(({ description }) => {
    const { holdout } = (description as { readonly config: SweepConfig }).config.sweep;
    return holdout === undefined || (holdoutInstant(holdout.from) ?? 0) > heldFrom;
  });
  const searchedBefore = store.countDifferent(seeing.map(({ id }) => id));
  return { heldFrom: new Date(heldFrom).toISOString(), openings, searchedBefore };
}

/** `configuration`: trials of another one are named with theirs. */
export function holdoutText(store: TrialStore, configuration: number, heldFrom: number): string {
  const { openings, searchedBefore, heldFrom: from } = openingsOf(store, heldFrom);
  const held = `Events from ${from} on are held out`;
  const seen =
    searchedBefore === 0
      ? ''
      : `\n${searchedBefore} trials of this directory were searched on them before: to whoever saw those, nothing is held out.`;
  const [first] = openings;
  if (first === undefined) return `${held}, and were not opened.${seen}`;
  const trials = openings.map((each) =>
    each.configuration === configuration ? String(each.trial) : `${each.trial} of configuration ${each.configuration}`,
  );
  if (openings.length === 1) {
    return `${held}, and were opened once, for trial ${trials.join('')} at ${first.at}.${seen}`;
  }
  const times = `opened ${openings.length} times, for trials ${trials.join(', ')} (first at ${first.at})`;
  return `${held}, and were ${times}: what they show is worth less each time.${seen}`;
}

/** What was looked at can no longer be held out, nor be searched on. @throws CliError HOLDOUT_OPENED */
export function checkHoldout({ holdoutFrom }: SweepPlan, store: TrialStore): void {
  const moved = store.openings().find(({ heldFrom }: HoldoutOpening) => heldFrom !== holdoutFrom);
  if (moved === undefined) return;
  const [was, is] = [moved.heldFrom, holdoutFrom].map((at) => at && new Date(at).toISOString());
  throw new CliError({
    code: 'HOLDOUT_OPENED',
    what: 'What the sweep holds out cannot be changed any more.',
    why: `Events from ${was} on were opened for trial ${moved.trial} at ${new Date(moved.at).toISOString()}; now ${is === undefined ? 'none would be held out' : `it would be those from ${is} on`}.`,
    next: 'Put the date back; or give the sweep another name, and know that those events are no hold-out for it.',
  });
}
