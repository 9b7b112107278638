/** All that the doctor looks at, in the order in which one thing rests on another. */

import type { Clock } from '../../../../time/clock.ts';
import type { Environment } from '../../../config/yaml/environment.ts';
import { type Check, failedBy, ok } from './check.ts';
import { strategyChecks, tapeChecks } from './data-checks.ts';
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
    ...(await exchangeChecks(known, { clock, signal, config: config.file })),
  ];
}

const KINDS = { backtest: 'of a backtest', sweep: 'of a sweep', record: 'of a recording', run: 'of a run' } as const;
const WRITTEN = { backtest: 'results', sweep: 'results', record: 'tapes', run: 'journal and tapes' } as const;
