/** A strategy that a program gives as an object: checked as one from a file is, and run where it was made. */

import { resolve } from 'node:path';
import { describeThrown } from '../core/checks/thrown.ts';
import { NOBODY } from '../engine/guest/guest.ts';
import { codeDirectory } from '../package/running-package.ts';
import type { StrategyPlugin } from '../strategy/contract.ts';
import { shapeProblems } from '../strategy/define-strategy.ts';
import { readParams } from '../strategy/read-params.ts';
import { type LoadResult, ownPlugin, paramFault, shapeFault } from './strategy-loader.ts';
import type { Place, StrategyFault } from './strategy-loader-fault.ts';
import { thrownAdvice } from './thrown-advice.ts';

/** The code of an object is not known: a run's identity has this word instead of the code's hash. */
const UNKNOWN_CODE = 'object';

/** Each call makes a copy of the plugin; what its functions remember outside of their state is shared by all copies of one object. */
export function strategyOfObject(given: StrategyPlugin, params: Readonly<Record<string, unknown>>): LoadResult {
  const problems = shapeProblems(given);
  if (problems.length > 0) return { kind: 'fault', fault: shapeFault('', problems) };
  const plugin = ownPlugin(given);
  const values = readParams(plugin.params, params);
  if (values.kind === 'problems') return { kind: 'fault', fault: paramFault('', plugin, values.problems) };
  return {
    kind: 'loaded',
    plugin,
    params: values.values,
    file: '',
    sha256: UNKNOWN_CODE,
    files: [],
    signals: (plugin.signals ?? []).map(({ name, file }) => ({ name, file: resolve(file) })),
    guest: NOBODY,
    faultOf: (thrown) => thrownFault(plugin.name, thrown),
  };
}

function thrownFault(name: string, thrown: unknown): StrategyFault {
  const { text, stack } = describeThrown(thrown);
  return {
    code: 'STRATEGY_THROW',
    what: `The strategy '${name}' threw.`,
    ...placeInStack(stack),
    why: text,
    next: thrownAdvice(text),
    ...(stack === undefined ? {} : { stack }),
  };
}

const FRAME = /(?:file:\/\/)?(\/[^():]+|[A-Za-z]:[\\/][^():]+):(\d+):(\d+)\)?$/;

/** The innermost frame that is not in oddsmith's own code. */
function placeInStack(stack = ''): Place {
  for (const frame of stack.split('\n')) {
    const [, file, line, column] = FRAME.exec(frame) ?? [];
    if (file !== undefined && !file.startsWith(codeDirectory()))
      return { file, line: Number(line), column: Number(column) };
  }
  return { file: '' };
}
