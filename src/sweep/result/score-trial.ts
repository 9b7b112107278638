/** The score of a trial by the objective of its search: higher is better. */

import type { Asks, Score } from '../search/search.ts';
import type { Objective } from '../space/read/objective.ts';
import type { UnitRow } from '../unit/unit-row.ts';
import { figureNamed } from './figures.ts';
import { figureOfRows, hasBet, unmetOf } from './trial-value.ts';

export interface GroupRow {
  /** Name of the event group. */
  readonly group: string;
  readonly row: UnitRow;
}

interface ScoreChoice {
  readonly objective: Objective;
  readonly asks: Asks;
  /** It was played on all events of its search: in a round of a race, which is a part of them, constraints are not asked for yet. */
  readonly isWhole: boolean;
}

/** `asks`: contributions of event groups are worked out where a search asks for them, and nowhere else. */
export function scoreTrial(
  trial: number,
  played: readonly GroupRow[],
  { objective, asks, isWhole }: ScoreChoice,
): Score {
  const { bound, goal } = objective;
  const sign = goal === 'minimize' ? -1 : 1;
  const rows = played.map(({ row }) => row);
  const has = isWhole ? unmetOf(rows, objective).length === 0 : hasBet(rows, bound);
  const whole = has ? figureOfRows(rows, objective) : undefined;
  const value = whole === undefined ? undefined : sign * whole;
  if (asks !== 'events') return { trial, value, byEvent: undefined };
  const figure = figureNamed(objective.figure);
  const byEvent = new Map<string, number>();
  for (const { group, row } of played) {
    const contribution = figure.of({ rows: [row], bound });
    if (contribution !== undefined) byEvent.set(group, sign * contribution);
  }
  return { trial, value, byEvent };
}
