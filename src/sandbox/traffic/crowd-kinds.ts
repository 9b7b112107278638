/** The kinds of markets that the sandbox's crowd trades on: sport, durations, number of winners. */

import { defined } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';

export interface CrowdKind {
  readonly id: 'football' | 'tennis' | 'race';
  readonly subcategory: string;
  readonly marketTypeId: string;
  readonly marketName: string;
  readonly crossMatching: boolean;
  readonly winners: number;
  readonly prePlayMs: number;
  /** 0 where the market does not go in play. */
  readonly inPlayMs: number;
  readonly inPlayDelayMs: number;
  /** Mean number of sudden changes of the odds, such as goals. */
  readonly jumpsMean: number;
  readonly outcomes: number;
}

const MINUTE = 60_000;

export const CROWD_KINDS: readonly CrowdKind[] = [
  {
    id: 'football',
    subcategory: 'Football',
    marketTypeId: 'FOOTBALL_FULL_TIME_RESULT',
    outcomes: 3,
    winners: 1,
    marketName: 'Full time result',
    crossMatching: true,
    prePlayMs: 20 * MINUTE,
    inPlayMs: 40 * MINUTE,
    inPlayDelayMs: 5_000,
    jumpsMean: 3,
  },
  {
    id: 'tennis',
    subcategory: 'Tennis',
    marketTypeId: 'TENNIS_WINNER',
    outcomes: 2,
    winners: 1,
    marketName: 'Winner',
    crossMatching: true,
    prePlayMs: 15 * MINUTE,
    inPlayMs: 30 * MINUTE,
    inPlayDelayMs: 3_000,
    jumpsMean: 6,
  },
  {
    id: 'race',
    subcategory: 'Racing',
    marketTypeId: 'HORSE_RACING_WIN',
    outcomes: 8,
    winners: 1,
    marketName: 'To win',
    crossMatching: false,
    prePlayMs: 12 * MINUTE,
    inPlayMs: 0,
    inPlayDelayMs: 0,
    jumpsMean: 0,
  },
];

const FIRST = ['North', 'South', 'East', 'West', 'Upper', 'Lower', 'Old', 'New', 'Great', 'Little'];
const SECOND = ['ford', 'ham', 'bridge', 'field', 'wick', 'ton', 'mouth', 'stead', 'port', 'dale'];

/** Invented names of the outcomes and of the event; no name is repeated. */
export function namesFor(
  kind: CrowdKind,
  random: Random,
): { readonly titles: readonly string[]; readonly event: string } {
  const sides = kind.id === 'football' ? 2 : kind.outcomes;
  const names = new Set<string>();
  while (names.size < sides) names.add(`${pick(FIRST, random)}${pick(SECOND, random)}`);
  const all = [...names];
  if (kind.id === 'race') return { titles: all, event: `${pick(FIRST, random)}${pick(SECOND, random)} Stakes` };
  const event = all.join(' v ');
  return { titles: kind.id === 'football' ? [...all, 'The Draw'] : all, event };
}

/** Random weights of the outcomes, from 0.25 to 1.25: the strongest is at most five times the weakest. */
export function weightsFor(kind: CrowdKind, random: Random): readonly number[] {
  return Array.from({ length: kind.outcomes }, () => 0.25 + random.uniform());
}

function pick(from: readonly string[], random: Random): string {
  return defined(from[random.below(from.length)], 'the index is within the list');
}
