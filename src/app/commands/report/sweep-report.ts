/** The report of a sweep, from what its directory keeps. */

import { basename, resolve } from 'node:path';
import { packageVersion } from '../../../package/running-package.ts';
import type { SurfaceTable, SweepFacts } from '../../../pages/report/sweep-facts.ts';
import { shellWord } from '../../../recording/tape/recording-hint.ts';
import { sweepPage } from '../../../report/html/sweep-page.ts';
import { FIGURES, type Figure } from '../../../sweep/result/figures.ts';
import { topTrials } from '../../../sweep/result/top-trials.ts';
import type { Assignment } from '../../../sweep/space/dimension.ts';
import type { SweepConfig } from '../../../sweep/space/read/sweep-schema.ts';
import type { SurfaceValue } from '../../../sweep/statistics/surface.ts';
import { ownCommand } from '../../cli/own-command.ts';
import { latestOf, openStore, statisticsOf } from '../../sweep/open-sweep.ts';
import { countedText, foldRows, linesOf } from '../../sweep/statistics-text.ts';
import { objectiveText } from '../../sweep/sweep-text.ts';
import { webBundle } from '../../web/web-bundle.ts';

/** @throws OddsmithError SWEEP_… */
export function sweepReport(directory: string): string {
  using opened = openStore(directory);
  const { store } = opened;
  const latest = latestOf(directory, store);
  const { objective } = latest;
  const statistics = statisticsOf(directory, store, latest);
  const config = latest.config as SweepConfig;
  const isOne = config.strategies?.length === 1;
  const trials = topTrials(store, { configuration: latest.id, objective }).map((trial) => ({
    ...trial,
    state: trial.unmet.length > 0 ? 'unmet' : trial.state,
    assignment: shortKeys(trial.assignment, isOne),
  }));
  const facts: SweepFacts = {
    name: config.sweep.name ?? basename(resolve(directory)),
    version: packageVersion(),
    objective: objectiveText(objective),
    currency: Object.values(config.wallets ?? {})[0]?.currency ?? 'USDC',
    rerun: `${ownCommand()} sweep rerun ${shellWord(directory)} --trial`,
    goal: objective.goal,
    strategies: (config.strategies ?? []).map(({ file }) => file),
    verdict: statistics.verdict.sentences,
    counted: countedText(statistics, objective),
    figures: linesOf(statistics),
    surface: statistics.surface.map(({ key, values }) => ({ key, values: values.map(surfaceRow) })),
    folds: statistics.folds && foldRows(statistics.folds),
    keys: [...new Set(trials.flatMap(({ assignment }) => Object.keys(assignment)))].sort(),
    meanings: Object.fromEntries(Object.entries(FIGURES).map(([name, { says }]: [string, Figure]) => [name, says])),
    units: Object.fromEntries(Object.entries(FIGURES).map(([name, { unit }]: [string, Figure]) => [name, unit])),
    best: statistics.best,
    trials: trials.length,
  };
  return sweepPage(facts, trials, webBundle('sweep'));
}

/** The keys that the configuration may use where there is one strategy. */
function shortKeys(assignment: Assignment, isOne: boolean): Assignment {
  if (!isOne) return assignment;
  const entries = Object.entries(assignment).map(([key, value]) => [key.replace(/^strategies\[0\]\./, ''), value]);
  return Object.fromEntries(entries);
}

function surfaceRow({ from, to, trials, best, median }: SurfaceValue): SurfaceTable['values'][number] {
  return { value: from === to ? String(from) : `${from} to ${to}`, trials, best, median };
}
