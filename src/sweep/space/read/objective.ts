/** What a search makes as good as it can: one figure of the result. */

import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { nearest } from '../../../core/collections/nearest.ts';
import type { Dimension } from '../dimension.ts';
import { spaceError } from './space-error.ts';
import type { SweepConfig } from './sweep-schema.ts';

export interface Objective {
  readonly figure: string;
  readonly bound: 'pessimistic' | 'central' | 'optimistic';
  readonly goal: 'maximize' | 'minimize';
  /** The whole figure, or divided by the number of event groups. */
  readonly per: 'run' | 'event';
}

/** `figures` are the names that can be asked for. @throws OddsmithError CONFIG_INVALID */
export function readObjective(
  loaded: LoadedConfig<SweepConfig>,
  figures: readonly string[],
  dimensions: readonly Dimension[],
): Objective {
  const given = loaded.value.sweep.objective;
  const { figure, bound, goal = 'maximize', per = 'run' } = typeof given === 'string' ? { figure: given } : given;
  const where = (key: string): string =>
    loaded.where(['sweep', 'objective', ...(typeof given === 'string' ? [] : [key])]);
  if (!figures.includes(figure)) {
    const near = nearest(figure, figures);
    throw spaceError({
      what: `There is no figure "${figure}".`,
      where: where('figure'),
      why: `The figures are ${figures.join(', ')}.`,
      next: near === undefined ? 'Name one of those.' : `Did you mean ${near}?`,
    });
  }
  const fills = fillsOf(loaded.value, dimensions);
  const isCentral = fills.includes('central');
  if (isCentral && bound !== undefined && bound !== 'central') {
    throw spaceError({
      what: `The ${bound} bound is not computed.`,
      where: where('bound'),
      why: 'With fills: central a trial has the central bound alone.',
      next: 'Ask for bound: central, or set fills: bounds.',
    });
  }
  return { figure, bound: bound ?? (isCentral ? 'central' : 'pessimistic'), goal, per };
}

/** All values that trials can have for it. */
function fillsOf(config: SweepConfig, dimensions: readonly Dimension[]): readonly unknown[] {
  const varied = dimensions.find(({ key }) => key === 'fills');
  return varied?.kind === 'list' ? varied.values.map(({ raw }) => raw) : [config.fills];
}
