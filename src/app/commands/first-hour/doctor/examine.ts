/** All that the doctor looks at, in the order in which one thing rests on another. */

import { statSync } from 'node:fs';
import type { StrategyChoice } from '../../../../backtest/options/backtest-options.ts';
import { loadStrategy } from '../../../../loader/strategy-loader.ts';
import { strategyError } from '../../../../loader/strategy-loader-fault.ts';
import { Tape } from '../../../../recording/tape/tape.ts';
import { verifyTape } from '../../../../recording/verify.ts';
import type { Clock } from '../../../../time/clock.ts';
import { plural } from '../../../../words/numbers.ts';
import type { ConfigKind } from '../../../config/yaml/config-kind.ts';
import type { Environment } from '../../../config/yaml/environment.ts';
import { withPlaces } from '../../../config/yaml/named-paths.ts';
import { type Check, failed, failedBy, ok, tried } from './check.ts';
import { exchangeChecks, keysCheck } from './exchange-checks.ts';
import { type KnownConfig, knownConfig } from './known-config.ts';
import { diskCheck, nodeCheck, packagesCheck, sampleCheck } from './machine-checks.ts';
import { alertsCheck, portChecks } from './serving-checks.ts';
import { stateChecks } from './state-checks.ts';

export interface Examination {
  /** Absent where no configuration was named. */
  readonly config: { readonly text: string; readonly file: string } | undefined;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export async function examine({ config, environment, clock, signal }: Examination): Promise<readonly Check[]> {
  const machine = [nodeCheck(), await packagesCheck(), await sampleCheck()];
  if (config === undefined) return [...machine, await diskCheck('runs', 'results')];
  let known: KnownConfig;
  try {
    known = knownConfig(config.text, config.file, environment);
  } catch (error) {
    return [...machine, failedBy('configuration', error)];
  }
  const { kind, directory, strategies, tapes } = known;
  const checks = [
    ...machine,
    ok('configuration', `${config.file} is ${KINDS[kind]}`),
    await diskCheck(directory, WRITTEN[kind]),
    ...(await strategyChecks(strategies, { kind, config: config.file })),
    ...(await tapeChecks(tapes, config.file)),
  ];
  if (known.url === undefined) return checks;
  const state = kind === 'run' ? await stateChecks(known.run, directory, clock) : { checks: [], isAtWork: false };
  const { run } = known;
  const serving = run === undefined ? [] : [...(await portChecks(run, state.isAtWork)), alertsCheck(run)];
  return [
    ...checks,
    ...state.checks,
    ...serving,
    keysCheck(known),
    ...(await exchangeChecks(known, { clock, signal, config: config.file, isAtWork: state.isAtWork })),
  ];
}

const KINDS = { backtest: 'of a backtest', sweep: 'of a sweep', record: 'of a recording', run: 'of a run' } as const;
const WRITTEN = { backtest: 'results', sweep: 'results', record: 'tapes', run: 'journal and tapes' } as const;

/** Larger tapes are opened and not read whole: that would take longer than a moment. */
const QUICK_BYTES = 64 * 2 ** 20;

/** A sweep may give params that a strategy needs, so that they are not judged there. */
function strategyChecks(
  choices: readonly StrategyChoice[],
  { kind, config }: { readonly kind: ConfigKind; readonly config: string },
): Promise<readonly Check[]> {
  const check = (choice: StrategyChoice) => withPlaces(config, () => strategyCheck(choice, kind));
  return Promise.all(choices.map((choice) => tried('strategy', () => check(choice))));
}

async function strategyCheck(choice: StrategyChoice, kind: ConfigKind): Promise<Check> {
  const { file, params, paramPlaces, files: paths = [] } = choice;
  const loaded = await loadStrategy(file, params, { paramPlaces, files: { paths }, anyParams: kind === 'sweep' });
  if (loaded.kind === 'fault') throw strategyError(loaded.fault);
  const signals = plural(loaded.signals.length, 'signal');
  return ok('strategy', `${loaded.plugin.name} of ${file} loads, with its params and ${signals}`);
}

function tapeChecks(paths: readonly string[], config: string): Promise<readonly Check[]> {
  return Promise.all(paths.map((path) => tried('tape', () => withPlaces(config, () => tapeCheck(path)))));
}

function tapeCheck(path: string): Check {
  const tape = Tape.open(path);
  const held = `${path} holds ${plural(tape.markets.length, 'market')}`;
  tape.close();
  if (statSync(path).size > QUICK_BYTES)
    return ok('tape', `${held}; it opens, and \`oddsmith tape verify ${path}\` reads it whole`);
  const [first, ...more] = verifyTape(path);
  if (first === undefined) return ok('tape', `${held} and is whole`);
  const rest = more.length === 0 ? '' : `, and ${more.length} more`;
  return failed(
    'tape',
    `${held} and is damaged: ${first.what}${rest}`,
    'Import or record it again; oddsmith tape verify lists all of it.',
    5,
  );
}
