/** How many trials of a strategy were ever tried: in all sweeps that lie beside each other, whatever became of them. */

import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { canonical } from '../../core/collections/canonical.ts';
import { followed } from '../../recording/tape/path-kind.ts';
import { holdoutInstant } from '../space/read/read-holdout.ts';
import { type StoredConfiguration, TrialStore } from '../store/trial-store.ts';

export interface TriedTrials {
  /** Those of this directory and of the others. */
  readonly total: number;
  /** Of this directory, over all its configurations; pruned and abandoned ones among them. */
  readonly here: number;
  readonly others: readonly TriedElsewhere[];
  /** Directories whose trials could not be counted, with the reason. */
  readonly unread: readonly { readonly directory: string; readonly why: string }[];
}

export interface TriedElsewhere {
  readonly directory: string;
  readonly trials: number;
}

/** `directory` holds the store; `description` is that of the configuration whose strategies are counted. */
export function triedTrials(directory: string, store: TrialStore, description: unknown): TriedTrials {
  const names = strategiesOf(description);
  const others: TriedElsewhere[] = [];
  const unread: { directory: string; why: string }[] = [];
  for (const sister of sistersOf(directory)) {
    const trials = readIn(sister, (other) => countOf(other, names));
    if (typeof trials === 'string') unread.push({ directory: sister, why: trials });
    else if (trials > 0) others.push({ directory: sister, trials });
  }
  const here = countOf(store, names);
  return { total: others.reduce((sum, { trials }) => sum + trials, here), here, others, unread };
}

/** Trials of the same strategy that were searched on events from an instant on: here, and in the directories beside it. */
export function searchedFrom(
  {
    directory,
    store,
    description,
  }: { readonly directory: string; readonly store: TrialStore; readonly description: unknown },
  instant: number,
): { readonly here: number; readonly others: readonly TriedElsewhere[] } {
  const names = strategiesOf(description);
  const hasSeen = ({ description: other }: StoredConfiguration): boolean => {
    const { holdout } = (other as Described).config.sweep;
    return holdout === undefined || (holdoutInstant(holdout.from) ?? 0) > instant;
  };
  const others = sistersOf(directory).flatMap((sister): TriedElsewhere[] => {
    const trials = readIn(sister, (other) => countOf(other, names, hasSeen));
    return typeof trials === 'number' && trials > 0 ? [{ directory: sister, trials }] : [];
  });
  return { here: countOf(store, names, hasSeen), others };
}

export interface OpenedElsewhere {
  readonly directory: string;
  /** How often events were opened there. */
  readonly openings: number;
}

/** Openings of what the sweeps of the same strategy beside this one hold out; directories that cannot be read are named by `triedTrials`. */
export function openedElsewhere(directory: string, description: unknown): readonly OpenedElsewhere[] {
  const names = strategiesOf(description);
  return sistersOf(directory).flatMap((sister): OpenedElsewhere[] => {
    const openings = readIn(sister, (store) => openingsIn(store, names));
    return typeof openings === 'number' && openings > 0 ? [{ directory: sister, openings }] : [];
  });
}

function openingsIn(store: TrialStore, names: string): number {
  const same = store.configurations().filter(({ description }) => strategiesOf(description) === names);
  const ids = new Set(same.map(({ id }) => id));
  return store.openings().filter(({ configuration }) => ids.has(configuration)).length;
}

/** Directories with a store, in order of name. */
function sistersOf(directory: string): readonly string[] {
  const own = resolve(directory);
  const parent = dirname(own);
  return readdirSync(parent)
    .sort()
    .map((name) => join(parent, name))
    .filter((path) => path !== own && followed(join(path, STORE)).kind === 'file');
}

/** Name of the file in the directory of a sweep. */
export const STORE = 'trials.sqlite';

/** The reason where the store cannot be read. */
function readIn(directory: string, read: (store: TrialStore) => number): number | string {
  let store: TrialStore | undefined;
  try {
    store = TrialStore.open(join(directory, STORE), { isReadOnly: true });
    return read(store);
  } catch (error) {
    if (error instanceof OddsmithError) return error.message;
    throw error;
  } finally {
    store?.close();
  }
}

/**
 * The same assignment under another objective, or found by another search, is the same trial; under other settings it is not. Each
 * trial of a fold's own search is one more, since it had a chance of its own to be chosen.
 */
function countOf(
  store: TrialStore,
  names: string,
  isCounted: (each: StoredConfiguration) => boolean = () => true,
): number {
  const ofStrategy = store
    .configurations()
    .filter((each) => strategiesOf(each.description) === names && isCounted(each));
  const counted = (base: (each: StoredConfiguration) => string, inFolds: boolean): number =>
    [...Map.groupBy(ofStrategy, base).values()].reduce(
      (sum, alike) =>
        sum +
        store.countDifferent(
          alike.map(({ id }) => id),
          { inFolds },
        ),
      0,
    );
  return counted(baseOf, false) + counted(foldBaseOf, true);
}

interface Described {
  readonly config: {
    readonly sweep: { readonly holdout?: { readonly from: string }; readonly folds?: unknown };
    readonly tapes: unknown;
    readonly strategies: readonly { readonly file: string }[];
  };
}

/** By the names of their files, in order. */
function strategiesOf(description: unknown): string {
  const { strategies } = (description as Described).config;
  return strategies.map(({ file }) => basename(file, extname(file))).join(' ');
}

/** All that an assignment stands in, but tapes. */
function baseOf({ description }: StoredConfiguration): string {
  const { sweep: _sweep, tapes: _tapes, ...base } = (description as Described).config;
  return canonical(base);
}

/** A fold of the same number is another one where events are divided otherwise. */
function foldBaseOf(each: StoredConfiguration): string {
  const { sweep } = (each.description as Described).config;
  return `${baseOf(each)}\n${canonical(sweep.folds ?? null)}`;
}
