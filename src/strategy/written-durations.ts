/** Durations among the parameters of a strategy, as people write them. */

import { writtenDuration } from '../core/number/duration.ts';
import type { ParamsSpec } from './params.ts';

/** `{ hold: 300000 }` → `{ hold: '5m' }`: of the parameters that are durations; undefined where there are none. */
export function writtenDurations(
  spec: ParamsSpec,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> | undefined {
  const names = Object.keys(params).filter((name) => spec[name]?.kind === 'duration');
  return names.length === 0
    ? undefined
    : Object.fromEntries(names.map((name) => [name, writtenDuration(Number(params[name]))]));
}
