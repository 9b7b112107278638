/** What a search makes as good as it can: one figure of the result, and what a trial must fulfil to be the best. */

import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { nearest } from '../../../core/collections/nearest.ts';
import type { Dimension } from '../dimension.ts';
import { spaceError } from './space-error.ts';
import type { SweepConfig } from './sweep-schema.ts';

export interface Objective {
  readonly figure: string;
  readonly bound: 'pessimistic' | 'central' | 'optimistic';
  readonly goal: 'maximize' | 'minimize';
  /** The whole figure, or divided by the number of event groups that were played. */
  readonly per: 'run' | 'event';
  /** The limits by the name of a figure: a trial outside has no value. */
  readonly constraints: Constraints;
}

export interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export type Constraints = Readonly<Record<string, Range>>;

/** Fewer bets, or bets in fewer event groups, are so much luck that the best of many such trials shows nothing else. */
const LEAST: Constraints = { ordersMatched: { min: 30 }, eventsBet: { min: 10 } };

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
  checkFigure(figure, figures, where('figure'));
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
  const constraints = readConstraints(loaded, figures);
  return { figure, bound: bound ?? (isCentral ? 'central' : 'pessimistic'), goal, per, constraints };
}

function readConstraints(loaded: LoadedConfig<SweepConfig>, figures: readonly string[]): Constraints {
  const { constraints: given = {} } = loaded.value.sweep;
  for (const [figure, { min = -Infinity, max = Infinity }] of Object.entries(given)) {
    const where = loaded.where(['sweep', 'constraints', figure]);
    checkFigure(figure, figures, where);
    if (min <= max) continue;
    throw spaceError({
      what: `No trial can have a ${figure} of at least ${min} and at most ${max}.`,
      where,
      why: 'min is above max.',
      next: 'Exchange them, or leave one of them out.',
    });
  }
  return Object.fromEntries(Object.entries({ ...LEAST, ...given }).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function checkFigure(figure: string, figures: readonly string[], where: string): void {
  if (figures.includes(figure)) return;
  const near = nearest(figure, figures);
  throw spaceError({
    what: `There is no figure "${figure}".`,
    where,
    why: `The figures are ${figures.join(', ')}.`,
    next: near === undefined ? 'Name one of those.' : `Did you mean ${near}?`,
  });
}

/** All values that trials can have for it. */
function fillsOf(config: SweepConfig, dimensions: readonly Dimension[]): readonly unknown[] {
  const varied = dimensions.find(({ key }) => key === 'fills');
  return varied?.kind === 'list' ? varied.values.map(({ raw }) => raw) : [config.fills];
}
