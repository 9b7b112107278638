/** `oddsmith sweep --dry-run`: counts trials and units, and tells by a short measured probe how long the sweep would take. */

import { existsSync } from 'node:fs';
import { packageVersion } from '../../loader/running-package.ts';
import type { SweepEngine } from '../../sweep/engine/engine.ts';
import { inOrderOfSearch } from '../../sweep/run/group-order.ts';
import { signedRanks } from '../../sweep/run/paired-test.ts';
import { UnitCosts } from '../../sweep/run/unit-costs.ts';
import { jobOf, type QueuedUnit } from '../../sweep/run/unit-queue.ts';
import type { SweepPlan } from '../../sweep/sweep-plan.ts';
import { buildSha256 } from '../../sweep/unit/build-sha256.ts';
import { TrialInputs } from '../../sweep/unit/trial-inputs.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { duration } from '../cli/progress.ts';
import { openStore, openTapes, storeFile, threadEngine } from './open-sweep.ts';

/** A probe plays no longer than this. */
const PROBE_MS = 10_000;
/** Units that it plays at most. */
const PROBES = 12;

export interface DryRunChoices {
  readonly jobs: number;
  readonly json: boolean;
}

/** Writes nothing, and makes no directory. */
export async function dryRun(context: CommandContext, plan: SweepPlan, { jobs, json }: DryRunChoices): Promise<void> {
  using opened = openTapes(plan.config.tapes);
  const inputs = new TrialInputs(opened.tapes, buildSha256(), { before: plan.holdoutFrom });
  const isKnown = knownIn(plan.directory);
  const left = new Map<string, QueuedUnit>();
  let [trials, units] = [0, 0];
  // A search that learns names its later trials by the values of the first ones: it is counted as far as it is known beforehand.
  const search = plan.search({ events: inputs.countGroups(plan.config), test: signedRanks });
  const generation = search.next(new Map());
  for (let each = generation; each !== undefined; each = plan.isForeseeable ? search.next(new Map()) : undefined) {
    for (const trial of each.trials) {
      const played = await inputs.unitsOf(plan.optionsOf(trial.assignment));
      trials += 1;
      for (const group of inOrderOfSearch(played.groups).slice(0, each.events)) {
        const key = played.keyOf(group);
        units += 1;
        if (!isKnown(key)) left.set(key, { key, trial: played, group });
      }
    }
  }
  const costs = new UnitCosts();
  await probe(plan.config.tapes, { units: [...left.values()], costs, signal: context.terminal.signal });
  const expectedMs = [...left.values()].reduce((sum, { group }) => sum + costs.expectedMs(group), 0) / jobs;
  const facts = { trials, units, known: units - left.size, left: left.size, isWhole: plan.isForeseeable };
  tell(context, { ...facts, jobs, json, expectedMs: costs.isMeasured ? Math.round(expectedMs) : undefined });
}

function knownIn(directory: string): (key: string) => boolean {
  if (!existsSync(storeFile(directory))) return () => false;
  using opened = openStore(directory);
  const keys = opened.store.keys();
  return (key) => keys.has(key);
}

interface Probe {
  readonly units: readonly QueuedUnit[];
  readonly costs: UnitCosts;
  readonly signal: AbortSignal;
}

/** Plays some of the units, from all over, one after the other. */
async function probe(tapes: readonly string[], { units, costs, signal }: Probe): Promise<void> {
  if (units.length === 0) return;
  const step = Math.max(1, Math.floor(units.length / PROBES));
  const chosen = new Map(units.filter((_, index) => index % step === 0).map((unit) => [unit.key, unit]));
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
  readonly left: number;
  readonly isWhole: boolean;
  readonly jobs: number;
  readonly json: boolean;
  readonly expectedMs: number | undefined;
}

function tell({ terminal }: CommandContext, { json, ...facts }: Told): void {
  if (json) {
    terminal.out(`${JSON.stringify({ command: 'sweep', version: packageVersion(), dryRun: true, ...facts })}\n`);
    return;
  }
  const { trials, units, known, left, isWhole, jobs, expectedMs } = facts;
  const time =
    expectedMs === undefined ? 'not known: no unit of the probe came to its end' : duration(expectedMs / 1000);
  const lines = [
    `trials      ${trials}${isWhole ? '' : ' in the first generation; later ones depend on its figures'}`,
    `units       ${units}, of which ${known} are known`,
    `left        ${left}`,
    `time        ${left === 0 ? 'none' : `${time} with ${jobs} ${jobs === 1 ? 'job' : 'jobs'}`}`,
  ];
  terminal.out(`${lines.join('\n')}\n`);
}
