/** Texts of sweep configurations for tests, and what is read of them. */

import { parseConfig } from '../../../src/app/config/yaml/yaml-config.ts';
import type { LoadedConfig } from '../../../src/backtest/options/loaded-config.ts';
import { type ParamsSpec, param } from '../../../src/strategy/params.ts';
import { type ReadSpace, readSpace } from '../../../src/sweep/space/read/read-space.ts';
import { type SweepConfig, SweepConfigSchema } from '../../../src/sweep/space/read/sweep-schema.ts';

/** What the strategy of these texts declares. */
export const SPEC: ParamsSpec = {
  stake: param.stake({ default: 10, max: 1000 }),
  open: param.duration({ default: '5m', max: '30m' }),
  stop: param.number({ default: 4, min: 1, max: 50, integer: true }),
  target: param.number({ default: 2, min: 0.001, max: 20 }),
  odds: param.price({ default: 3 }),
  mode: param.choice({ default: 'calm', of: ['calm', 'wild'] }),
  hedge: param.flag({ default: false }),
  label: param.text(),
};

/** One strategy, one tape, and the lines of `sweep`, indented by two. The space begins at line 4, the rest of the configuration follows. */
export function sweepText(
  space: readonly string[],
  sweep: readonly string[] = [],
  config: readonly string[] = [],
): string {
  return [
    'strategies: [{ file: s.ts, params: { label: x } }]',
    'sweep:',
    '  space:',
    ...space.map((line) => `    ${line}`),
    ...sweep.map((line) => `  ${line}`),
    'tapes: [a.tape]',
    ...config,
    '',
  ].join('\n');
}

export function loadedSweep(text: string): LoadedConfig<SweepConfig> {
  return parseConfig(text, 'sweep.yaml', SweepConfigSchema);
}

export function spaceOf(text: string, specs: readonly ParamsSpec[] = [SPEC]): ReadSpace {
  return readSpace(loadedSweep(text), specs);
}
