/** The score of a trial by the objective of its search: higher is better. */

import type { Asks, Score } from '../search/search.ts';
import type { Objective } from '../space/read/objective.ts';
import type { UnitRow } from '../unit/unit-row.ts';
import { figureNamed } from './figures.ts';

export interface GroupRow {
  /** Name of the event group. */
  readonly group: string;
  readonly row: UnitRow;
}

/** `asks`: contributions of event groups are worked out where a search asks for them, and nowhere else. */
export function scoreTrial(
  trial: number,
  played: readonly GroupRow[],
  { objective, asks }: { readonly objective: Objective; readonly asks: Asks },
): Score {
  const { bound, goal, per } = objective;
  const figure = figureNamed(objective.figure);
  const sign = goal === 'minimize' ? -1 : 1;
  const figureOf = (rows: readonly GroupRow[]): number | undefined => {
    const value = figure.of({ rows: rows.map(({ row }) => row), bound });
    return value === undefined ? undefined : sign * value;
  };
  const whole = figureOf(played);
  const value = whole === undefined || per === 'run' ? whole : whole / played.length;
  if (asks !== 'events') return { trial, value, byEvent: undefined };
  const byEvent = new Map<string, number>();
  for (const each of played) {
    const contribution = figureOf([each]);
    if (contribution !== undefined) byEvent.set(each.group, contribution);
  }
  return { trial, value, byEvent };
}
