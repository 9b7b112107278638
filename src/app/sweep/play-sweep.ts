/** `oddsmith sweep CONFIG`: plays a sweep from wherever it stands, with progress, and prints its best trials. */

import { createHash } from 'node:crypto';
import { canonical } from '../../core/collections/canonical.ts';
import { packageVersion } from '../../package/running-package.ts';
import { fitted } from '../../report/text/fitted.ts';
import { FIGURES } from '../../sweep/result/figures.ts';
import { topTrials } from '../../sweep/result/top-trials.ts';
import { type ForeseenUnits, foreseenUnits } from '../../sweep/run/foreseen-units.ts';
import { runSweep, type SweepOutcome, type SweepProgress } from '../../sweep/run/sweep-run.ts';
import type { TrialStore } from '../../sweep/store/trial-store.ts';
import type { SweepPlan } from '../../sweep/sweep-plan.ts';
import { buildSha256 } from '../../sweep/unit/build-sha256.ts';
import { TrialInputs } from '../../sweep/unit/trial-inputs.ts';
import { plural } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';
import { EXIT, errorBlock } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { ownCommand } from '../cli/own-command.ts';
import { type Progress, startProgress } from '../cli/progress.ts';
import { loadSweep } from '../config/resolve/load-sweep.ts';
import { checkHoldout, holdoutText, openingsOf } from './holdout-text.ts';
import { lockedStore, openEngine, openTapes, statisticsOf, writtenKeys } from './open-sweep.ts';
import { headlineText, statisticsJson, statisticsText } from './statistics-text.ts';
import { topText } from './sweep-text.ts';

export interface SweepChoices {
  readonly jobs: number;
  /** The Redis server from which workers on other machines take the jobs; absent: they are played here. */
  readonly redis: string | undefined;
  readonly json: boolean;
  /** Units that were set aside get another chance. */
  readonly retry: boolean;
  /** Counts and measures only. */
  readonly isDry: boolean;
}

/** Trials that are printed at the end. */
const SHOWN = 10;
/** Errors that `--json` prints: where a strategy cannot be loaded there is one for each unit. */
const FAILURES_MAX = 1_000;

export async function playSweep(context: CommandContext, config: string, choices: SweepChoices): Promise<void> {
  const { terminal } = context;
  const plan = await loadSweep(config, Object.keys(FIGURES));
  const { directory } = plan;
  const { tapes } = plan.config;
  if (choices.isDry) {
    const { dryRun } = await import('./dry-run.ts');
    return await dryRun(context, plan, choices);
  }
  using opened = openTapes(tapes);
  using locked = lockedStore(directory);
  const { store } = locked;
  checkHoldout(plan, store);
  if (choices.retry) store.forgetFailures();
  const build = buildSha256();
  const inputs = new TrialInputs(opened.tapes, build, { before: plan.holdoutFrom });
  const say = (line: string): void => terminal.note(`${line}\n`);
  if (!choices.json) say(sizeWords(plan, foreseenUnits(plan, inputs)));
  const engine = await openEngine({ ...choices, tapes, directory, build, say });
  // Jobs at play end when the engine is closed: an interrupted sweep waits for none of them.
  const onAbort = (): void => void engine.close();
  terminal.signal.addEventListener('abort', onAbort, { once: true });
  const progress = startProgress(terminal, { unit: 'units', silent: choices.json, now: () => performance.now() });
  let outcome: SweepOutcome;
  try {
    outcome = await runSweep({
      plan,
      engine,
      store,
      inputs,
      signal: terminal.signal,
      onProgress: (at) => tell(progress, at),
    });
  } finally {
    progress.stop();
    terminal.signal.removeEventListener('abort', onAbort);
    await engine.close();
  }
  report(context, { plan, build, outcome, json: choices.json, store });
}

/** What the sweep asks for: units that it has already are not played again. */
function sizeWords({ isForeseeable, folds }: SweepPlan, { trials, units }: ForeseenUnits): string {
  const size = `${plural(trials, 'trial')} with ${plural(units, 'unit')}`;
  const scope = folds === undefined ? '' : ` of ${1 + folds.choice.count} searches`;
  const more = isForeseeable ? '' : ` in the first generation${scope}; later trials depend on its figures`;
  return `Plays ${size}${isForeseeable ? scope : more}. Units that are known already are not played again.`;
}

function tell(progress: Progress, { total, known, computed, best, failures }: SweepProgress): void {
  const words = best?.value === undefined ? [] : [`best ${Math.abs(best.value).toPrecision(4)} by trial ${best.trial}`];
  if (failures > 0) words.push(`${failures} failed`);
  progress.update(computed, total - known, words.join(', '));
}

interface Report {
  readonly plan: SweepPlan;
  readonly build: string;
  readonly outcome: SweepOutcome;
  readonly json: boolean;
  readonly store: TrialStore;
}

function report(context: CommandContext, { plan, build, outcome, json, store }: Report): void {
  const { terminal } = context;
  const { configuration, units, trials, isInterrupted, elapsedMs } = outcome;
  const errors = store.failures(FAILURES_MAX).flatMap(({ error, isAside }) => (isAside ? [error] : []));
  const sha256 = trialsSha256(store, configuration);
  const { objective, directory } = plan;
  const top = topTrials(store, { configuration, objective, count: SHOWN });
  context.exitCode = isInterrupted ? EXIT.interrupted : units.failed > 0 ? EXIT.usage : EXIT.done;
  const tried = store.tried();
  const { config, holdoutFrom: heldFrom } = plan;
  const heldOut = heldFrom === undefined ? undefined : { directory, store, config, heldFrom };
  // Whoever interrupts a sweep waits for nothing: top and show have them.
  const statistics = isInterrupted
    ? undefined
    : statisticsOf(directory, store, { id: configuration, objective, config: plan.config });
  if (json) {
    const figures = { directory, build, objective, trials, tried, units, interrupted: isInterrupted };
    const line = {
      command: 'sweep',
      version: packageVersion(),
      ...figures,
      failures: errors,
      top,
      holdout: heldOut && openingsOf(heldOut),
      statistics: statistics && statisticsJson(statistics, objective),
      trialsSha256: sha256,
      elapsedMs,
    };
    terminal.out(`${JSON.stringify(line)}\n`);
    return;
  }
  const columns = terminal.columnsOut;
  if (statistics !== undefined) terminal.out(`${headlineText(statistics, objective, columns)}\n`);
  terminal.out(topText(top, objective, { keys: writtenKeys(directory, plan), room: columns }));
  if (statistics !== undefined) terminal.out(`\n${statisticsText(statistics, objective, { isLong: false, columns })}`);
  for (const error of errors.slice(0, SHOWN)) terminal.note(`\n${fitted(errorBlock(error), terminal.columnsNote)}`);
  const { total, known, computed, failed } = units;
  const inFolds = plan.folds === undefined ? '' : ` by ${1 + plan.folds.choice.count} searches`;
  const numbers = `${trials} trials${inFolds}, ${total} units: ${computed} computed, ${known} known before, ${failed} failed`;
  if (heldOut !== undefined) terminal.note(`\n${holdoutText(heldOut, configuration)}\n`);
  terminal.note(
    `\n${numbers}\nHash of trials: ${sha256}\nKept in ${printable(directory)}: the same command goes on from there.\n`,
  );
  const best = top[0];
  if (best !== undefined && !isInterrupted) terminal.note(nextWords(printable(directory), best.trial));
}

function nextWords(directory: string, trial: number): string {
  const oddsmith = ownCommand();
  return `
Next:
  ${oddsmith} report ${directory}
    a page over all trials
  ${oddsmith} sweep show ${directory} --trial ${trial}
    figures and markets of the trial
  ${oddsmith} sweep rerun ${directory} --trial ${trial}
    the trial as a whole backtest, with its report
`;
}

/**
 * Says whether two sweeps computed the same, whatever played them: SHA-256 over the trials in order of number, with what each assigns and
 * the rows of its units in the order of the event groups; then, for each fold that has a search of its own, the trial that it chose and the
 * rows out of sample.
 */
export function trialsSha256(store: TrialStore, configuration: number): string {
  const hash = createHash('sha256');
  const addRows = (keys: readonly string[]): void => {
    for (const key of keys) hash.update(store.row(key) ?? `${store.failure(key)?.error.code ?? 'missing'}\n`);
  };
  for (const { number, assignment, keys, fold } of store.trials(configuration)) {
    hash.update(`${number} ${canonical(assignment)} ${keys.length}${fold === undefined ? '' : ` fold ${fold}`}\n`);
    addRows(keys);
  }
  for (const { fold, trial, keys } of store.folds(configuration)) {
    hash.update(`fold ${fold} ${trial ?? 'none'} ${keys.length}\n`);
    addRows(keys);
  }
  return hash.digest('hex');
}
