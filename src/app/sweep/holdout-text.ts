/** What is known of the events that a sweep holds out: how often they were looked at, and who has seen them before. */

import { printable } from '../../report/text/printable.ts';
import { type OpenedElsewhere, openedElsewhere, searchedFrom } from '../../sweep/statistics/tried-trials.ts';
import type { HoldoutOpening, TrialStore } from '../../sweep/store/trial-store.ts';
import type { SweepPlan } from '../../sweep/sweep-plan.ts';
import { CliError } from '../cli/cli-error.ts';

export interface Openings {
  readonly heldFrom: string;
  readonly openings: readonly { readonly at: string; readonly configuration: number; readonly trial: number }[];
  /** Trials of the strategy that were searched on events that are held out now. */
  readonly searchedBefore: ReturnType<typeof searchedFrom>;
  /** In the directories beside this one, by sweeps of the same strategy. */
  readonly elsewhere: readonly OpenedElsewhere[];
}

/** A sweep that holds events out. */
export interface HeldOut {
  readonly directory: string;
  readonly store: TrialStore;
  readonly config: unknown;
  readonly heldFrom: number;
}

export function openingsOf({ directory, store, config, heldFrom }: HeldOut): Openings {
  const openings = store
    .openings()
    .map(({ at, configuration, trial }) => ({ at: new Date(at).toISOString(), configuration, trial }));
  const description = { config };
  const searchedBefore = searchedFrom({ directory, store, description }, heldFrom);
  const elsewhere = openedElsewhere(directory, description);
  return { heldFrom: new Date(heldFrom).toISOString(), openings, searchedBefore, elsewhere };
}

/** `configuration`: trials of another one are named with theirs. */
export function holdoutText(held: HeldOut, configuration: number): string {
  const { openings, searchedBefore, elsewhere, heldFrom: from } = openingsOf(held);
  const words = `Events from ${from} on are held out`;
  const others = elsewhere.map(
    ({ directory, openings: count }) =>
      `\nThe sweep in ${printable(directory)} opened what it holds out ${count} times.`,
  );
  const before = [
    ...(searchedBefore.here > 0 ? [`${searchedBefore.here} trials of this directory`] : []),
    ...searchedBefore.others.map((other) => `${other.trials} trials in ${printable(other.directory)}`),
  ].map((trials) => `\n${trials} were searched on them as well: to whoever saw those, nothing is held out.`);
  const seen = [...before, ...others].join('');
  const [first] = openings;
  if (first === undefined) return `${words}, and were not opened.${seen}`;
  const trials = openings.map((each) =>
    each.configuration === configuration ? String(each.trial) : `${each.trial} of configuration ${each.configuration}`,
  );
  if (openings.length === 1) {
    return `${words}, and were opened once, for trial ${trials.join('')} at ${first.at}.${seen}`;
  }
  const times = `opened ${openings.length} times, for trials ${trials.join(', ')} (first at ${first.at})`;
  return `${words}, and were ${times}: what they show is worth less each time.${seen}`;
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
