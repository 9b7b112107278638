/** Whether the strategies of a configuration load with their params, and its tapes open and are whole. */

import { statSync } from 'node:fs';
import type { StrategyChoice } from '../../../../backtest/options/backtest-options.ts';
import { loadStrategy } from '../../../../loader/strategy-loader.ts';
import { strategyError } from '../../../../loader/strategy-loader-fault.ts';
import { Tape } from '../../../../recording/tape/tape.ts';
import { verifyTape } from '../../../../recording/verify.ts';
import { plural } from '../../../../words/numbers.ts';
import type { ConfigKind } from '../../../config/yaml/config-kind.ts';
import { withPlaces } from '../../../config/yaml/named-paths.ts';
import { type Check, failed, ok, tried } from './check.ts';

/** Larger tapes are opened and not read whole: that would take longer than a moment. */
const QUICK_BYTES = 64 * 2 ** 20;

/** A sweep may give params that a strategy needs, so that they are not judged there. */
export function strategyChecks(
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

export function tapeChecks(paths: readonly string[], config: string): Promise<readonly Check[]> {
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
