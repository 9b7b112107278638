/** What is known of the events that a sweep holds out: how often they were looked at, and who has seen them before. */

import { TapeFailure } from '../../recording/tape/tape-failure.ts';
import { type NotKnown, notKnown } from '../../research/figure/not-known.ts';
import type { SweepConfig } from '../../sweep/space/read/sweep-schema.ts';
import { type OpenedElsewhere, openedElsewhere, searchedOn } from '../../sweep/statistics/tried-trials.ts';
import type { HoldoutOpening, TrialStore } from '../../sweep/store/trial-store.ts';
import type { SweepPlan } from '../../sweep/sweep-plan.ts';
import { eventsFrom } from '../../sweep/unit/market-groups.ts';
import { printable } from '../../words/printable.ts';
import { CliError } from '../cli/cli-error.ts';
import { openTapes } from './open-sweep.ts';

export interface Openings {
  readonly heldFrom: string;
  readonly openings: readonly { readonly at: string; readonly configuration: number; readonly trial: number }[];
  /** Trials of the strategy that were searched on events that are held out now; not known where the tapes cannot be read. */
  readonly searchedBefore: ReturnType<typeof searchedOn> | NotKnown;
  /** The results of holdouts that sweeps of the same strategy opened in the directories beside this one. */
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
  const events = heldEvents((config as SweepConfig).tapes, heldFrom);
  const searchedBefore = 'kind' in events ? events : searchedOn({ directory, store, description, events });
  const elsewhere = openedElsewhere(directory, description);
  return { heldFrom: new Date(heldFrom).toISOString(), openings, searchedBefore, elsewhere };
}

/** What a tape of another day holds is another event, whatever its date. */
function heldEvents(tapes: readonly string[], heldFrom: number): ReadonlySet<string> | NotKnown {
  try {
    using opened = openTapes(tapes);
    return eventsFrom(opened.tapes, heldFrom);
  } catch (error) {
    if (error instanceof TapeFailure) return notKnown(error.message);
    throw error;
  }
}

/** `configuration`: trials of another one are named with theirs. */
export function holdoutText(held: HeldOut, configuration: number): string {
  const { openings, searchedBefore, elsewhere, heldFrom: from } = openingsOf(held);
  const words = `Events from ${from} on are held out`;
  const others = elsewhere.map(
    ({ directory, openings: count }) =>
      `\nThe sweep in ${printable(directory)} opened what it holds out ${count} times.`,
  );
  const seen = [...beforeText(searchedBefore), ...others].join('');
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

function beforeText(searched: Openings['searchedBefore']): readonly string[] {
  if ('kind' in searched) {
    return [`\nWhether trials were searched on them before is not known: ${printable(searched.reason)}`];
  }
  return [
    ...(searched.here > 0 ? [`${searched.here} trials of this directory`] : []),
    ...searched.others.map((other) => `${other.trials} trials in ${printable(other.directory)}`),
  ].map((trials) => `\n${trials} were searched on them as well: to whoever saw those, nothing is held out.`);
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
