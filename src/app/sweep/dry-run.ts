/** `oddsmith sweep --dry-run`: counts trials and units, and tells by a short measured probe how long the sweep would take. */

import { existsSync } from 'node:fs';
import { DigestSet } from '../../core/collections/digest-set.ts';
import { packageVersion } from '../../package/running-package.ts';
import type { SweepEngine } from '../../sweep/engine/engine.ts';
import { foldPartsOf } from '../../sweep/run/fold-parts.ts';
import { foreseenTrials } from '../../sweep/run/foreseen-units.ts';
import { inOrderOfSearch } from '../../sweep/run/group-order.ts';
import { newSweepSearch } from '../../sweep/run/sweep-search.ts';
import { UnitCosts } from '../../sweep/run/unit-costs.ts';
import { jobOf, type QueuedUnit } from '../../sweep/run/unit-queue.ts';
import type { SweepPlan } from '../../sweep/sweep-plan.ts';
import { buildSha256 } from '../../sweep/unit/build-sha256.ts';
import type { UnitGroup } from '../../sweep/unit/market-groups.ts';
import { TrialInputs } from '../../sweep/unit/trial-inputs.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { duration } from '../cli/progress.ts';
import { openStore, openTapes, storeFile, threadEngine } from './open-sweep.ts';

/** A probe plays no longer than this. */
const PROBE_MS = 10_000;
/** Units that it plays, at most twice as many. */
const PROBES = 12;

export interface DryRunChoices {
  readonly jobs: number;
  readonly json: boolean;
}

/** Writes nothing, and makes no directory. */
export async function dryRun(context: CommandContext, plan: SweepPlan, { jobs, json }: DryRunChoices): Promise<void> {
  using opened = openTapes(plan.config.tapes);
  const inputs = new TrialInputs(opened.tapes, buildSha256(), { before: plan.holdoutFrom });
  using known = knownIn(plan.directory);
  const left = new UnitsLeft();
  let [trials, units, unitsKnown] = [0, 0, 0];
  const folds = foldPartsOf(plan, inputs);
  for (const fold of [undefined, ...folds]) {
    for (const { assignment, events } of foreseenTrials(plan, newSweepSearch(plan, inputs, fold))) {
      const played = await inputs.unitsOf(plan.trialOf(assignment), fold?.inSample);
      trials += 1;
      for (const group of inOrderOfSearch(played.groups).slice(0, events)) {
        const key = played.keyOf(group);
        units += 1;
        if (known.has(key)) unitsKnown += 1;
        else left.add({ key, trial: played, group });
      }
    }
  }
  const costs = new UnitCosts();
  await probe(plan.config.tapes, { units: left.sample, costs, signal: context.terminal.signal });
  const expectedMs = left.expectedMs(costs) / jobs;
  const shared = units - unitsKnown - left.size;
  const counted = { trials, units, known: unitsKnown, shared, left: left.size, isWhole: plan.isForeseeable };
  const judging = folds.reduce((sum, { outOfSample }) => sum + inputs.countGroupsIn(outOfSample, plan.config), 0);
  const facts = { ...counted, folds: folds.length === 0 ? undefined : { searches: folds.length, judging } };
  tell(context, { ...facts, jobs, json, expectedMs: costs.isMeasured ? Math.round(expectedMs) : undefined });
}

interface KnownUnits extends Disposable {
  has(key: string): boolean;
}

function knownIn(directory: string): KnownUnits {
  if (!existsSync(storeFile(directory))) return { has: () => false, [Symbol.dispose]: () => undefined };
  const opened = openStore(directory);
  return { has: (key) => opened.store.row(key) !== undefined, [Symbol.dispose]: () => opened[Symbol.dispose]() };
}

/** The units that are to be played, each once: how many of each group, and some of them, from all over. A million take no more memory than a hundred but for their digests. */
class UnitsLeft {
  readonly #seen = new DigestSet();
  readonly #byGroup = new Map<UnitGroup, number>();
  #kept: QueuedUnit[] = [];
  /** One of this many units is kept. */
  #step = 1;

  get size(): number {
    return this.#seen.size;
  }

  /** Evenly spread, `PROBES` to twice as many where there are so many. */
  get sample(): readonly QueuedUnit[] {
    return this.#kept;
  }

  add(unit: QueuedUnit): void {
    const number = this.#seen.size;
    if (!this.#seen.add(unit.key)) return;
    this.#byGroup.set(unit.group, (this.#byGroup.get(unit.group) ?? 0) + 1);
    if (number % this.#step !== 0) return;
    this.#kept.push(unit);
    if (this.#kept.length < 2 * PROBES) return;
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
    this.#step *= 2;
  }

  expectedMs(costs: UnitCosts): number {
    return [...this.#byGroup].reduce((sum, [group, count]) => sum + count * costs.expectedMs(group), 0);
  }
}

interface Probe {
  readonly units: readonly QueuedUnit[];
  readonly costs: UnitCosts;
  readonly signal: AbortSignal;
}

/** Plays the units one after the other. */
async function probe(tapes: readonly string[], { units, costs, signal }: Probe): Promise<void> {
  if (units.length === 0) return;
  const chosen = new Map(units.map((unit) => [unit.key, unit]));
  const engine: SweepEngine = threadEngine(tapes, 1);
  const end = (): void => void engine.close();
  const timeout = setTimeout(end, PROBE_MS);
  signal.addEventListener('abort', end, { once: true });
  try {
    let isWarm = false;
    await engine.play(jobOf(1, [...chosen.values()]), async (result) => {
      const unit = chosen.get(result.key);
      // The first unit pays for what is compiled and opened once.
      if (isWarm && unit !== undefined && result.kind === 'played') costs.add(unit.group, result.elapsedMs);
      isWarm = true;
    });
  } finally {
    clearTimeout(timeout);
    signal.removeEventListener('abort', end);
    await engine.close();
  }
}

interface Told {
  readonly trials: number;
  readonly units: number;
  readonly known: number;
  /** Asked for again, by another trial: each is played once. */
  readonly shared: number;
  readonly left: number;
  readonly isWhole: boolean;
  /** Those with searches of their own, and how many units their best trials are played on at most. */
  readonly folds: { readonly searches: number; readonly judging: number } | undefined;
  readonly jobs: number;
  readonly json: boolean;
  readonly expectedMs: number | undefined;
}

function tell({ terminal }: CommandContext, { json, ...facts }: Told): void {
  if (json) {
    terminal.out(`${JSON.stringify({ command: 'sweep', version: packageVersion(), dryRun: true, ...facts })}\n`);
    return;
  }
  const { left, jobs, expectedMs } = facts;
  const time =
    expectedMs === undefined ? 'not known: no unit of the probe came to its end' : duration(expectedMs / 1000);
  const lines = [
    ...countLines(facts),
    `time        ${left === 0 ? 'none' : `${time} with ${jobs} ${jobs === 1 ? 'job' : 'jobs'}`}`,
  ];
  terminal.out(`${lines.join('\n')}\n`);
}

function countLines({ trials, units, known, shared, left, isWhole, folds }: Omit<Told, 'json'>): readonly string[] {
  const searches = folds === undefined ? '' : ` of ${1 + folds.searches} searches, over all events and for each fold`;
  const later = `; later ones depend on ${folds === undefined ? 'its' : 'their'} figures`;
  return [
    `trials      ${trials}${isWhole ? searches : ` in the first generation${searches}${later}`}`,
    `units       ${units}, of which ${known} are known${shared === 0 ? '' : ` and ${shared} asked for more than once`}`,
    `left        ${left}`,
    ...(folds === undefined
      ? []
      : [
          `out         ${folds.judging} more at most: the best trial of each fold, not known yet, on its events out of sample`,
        ]),
  ];
}
