/** How many trials of a strategy were ever tried: in all sweeps that lie beside each other, whatever became of them. */

import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { canonical } from '../../core/collections/canonical.ts';
import { followed } from '../../recording/tape/path-kind.ts';
import { rowsOf } from '../result/top-trials.ts';
import { type StoredConfiguration, TrialStore } from '../store/trial-store.ts';
import { eventOf } from '../unit/unit-event.ts';

export interface TriedTrials {
  /** Those of this directory and of the others. */
  readonly total: number;
  /** The number of trials of this directory, over all its configurations; pruned and abandoned ones are among them. */
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

export interface SearchedOn {
  readonly directory: string;
  readonly store: TrialStore;
  readonly description: unknown;
  /** The events as rows name them (`eventOf`). */
  readonly events: ReadonlySet<string>;
}

/** Trials of the same strategy whose configuration was searched on one of these events: here, and in the directories beside it. */
export function searchedOn({ directory, store, description, events }: SearchedOn): {
  readonly here: number;
  readonly others: readonly TriedElsewhere[];
} {
  const names = strategiesOf(description);
  const countIn = (other: TrialStore): number => countOf(other, names, ({ id }) => hasPlayed(other, id, events));
  const others = sistersOf(directory).flatMap((sister): TriedElsewhere[] => {
    const trials = readIn(sister, countIn);
    return typeof trials === 'number' && trials > 0 ? [{ directory: sister, trials }] : [];
  });
  return { here: countIn(store), others };
}

/** Trials of a configuration that choose the same markets play the same events: one of them is read, as soon as it was played whole. */
function hasPlayed(store: TrialStore, configuration: number, events: ReadonlySet<string>): boolean {
  const read = new Set<string>();
  for (const { assignment, keys, fold } of store.trials(configuration)) {
    const markets = Object.entries(assignment).filter(([key]) => key.startsWith('markets.'));
    const kind = canonical([markets, keys.length, fold ?? 0]);
    if (read.has(kind)) continue;
    const rows = rowsOf(store, keys);
    if (rows.some((row) => row.markets.some((market) => events.has(eventOf(market))))) return true;
    if (rows.length === keys.length) read.add(kind);
  }
  return false;
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
    readonly sweep: { readonly folds?: unknown };
    readonly tapes: unknown;
    readonly strategies: readonly { readonly file: string }[];
  };
}

/** The names of the strategies' files, in order. */
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
