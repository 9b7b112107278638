/** The report of a sweep, from what its directory keeps. */

import { basename, resolve } from 'node:path';
import { packageVersion } from '../../../package/running-package.ts';
import type { SurfaceTable, SweepFacts } from '../../../pages/report/sweep-facts.ts';
import { shellWord } from '../../../recording/tape/recording-hint.ts';
import { sweepPage } from '../../../report/html/sweep-page.ts';
import { FIGURES, type Figure, isFigureName } from '../../../sweep/result/figures.ts';
import { topTrials } from '../../../sweep/result/top-trials.ts';
import type { Assignment } from '../../../sweep/space/dimension.ts';
import type { SweepConfig } from '../../../sweep/space/read/sweep-schema.ts';
import type { SurfaceValue } from '../../../sweep/statistics/surface.ts';
import { ownCommand } from '../../cli/own-command.ts';
import { latestOf, openStore, statisticsOf, type WrittenKeys, writtenKeys } from '../../sweep/open-sweep.ts';
import { countedText, foldRows, headlineOf, linesOf } from '../../sweep/statistics-text.ts';
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
  const keys = writtenKeys(directory, latest);
  const { figure, per } = objective;
  // The value of a trial is one of its figures, which needs no second column.
  const others = Object.entries(FIGURES).filter(([name]) => per === 'event' || name !== figure);
  const trials = topTrials(store, { configuration: latest.id, objective }).map((trial) => ({
    ...trial,
    state: trial.unmet.length > 0 ? 'unmet' : trial.state,
    assignment: byWrittenKey(trial.assignment, keys),
  }));
  const facts: SweepFacts = {
    name: config.sweep.name ?? basename(resolve(directory)),
    version: packageVersion(),
    objective: objectiveText(objective),
    currency: Object.values(config.wallets ?? {}).flatMap((wallet) => wallet.currency ?? [])[0],
    rerun: `${ownCommand()} sweep rerun ${shellWord(directory)} --trial`,
    goal: objective.goal,
    strategies: (config.strategies ?? []).map(({ file }) => file),
    headline: headlineOf(statistics, objective),
    verdict: statistics.verdict.sentences.slice(1),
    counted: countedText(statistics, objective),
    figures: linesOf(statistics),
    surface: statistics.surface.map(({ values, ...key }) => ({ ...key, values: values.map(surfaceRow) })),
    folds: statistics.folds && foldRows(statistics.folds, objective),
    keys: [...keys.values()],
    value: per === 'event' ? `${figure} per event` : figure,
    unit: isFigureName(figure) ? FIGURES[figure].unit : undefined,
    meanings: Object.fromEntries(others.map(([name, { says }]: [string, Figure]) => [name, says])),
    units: Object.fromEntries(others.map(([name, { unit }]: [string, Figure]) => [name, unit])),
    best: statistics.best,
    trials: trials.length,
  };
  return sweepPage(facts, trials, webBundle('sweep'));
}

function byWrittenKey(assignment: Assignment, keys: WrittenKeys): Assignment {
  return Object.fromEntries(Object.entries(assignment).map(([key, value]) => [keys.get(key) ?? key, value]));
}

function surfaceRow({ from, to, trials, best, median }: SurfaceValue): SurfaceTable['values'][number] {
  return { value: from === to ? String(from) : `${from} to ${to}`, trials, best, median };
}
