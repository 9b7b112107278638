/**
 * The endless timetable of fixtures in the default world. It depends on the time alone, so it is the same after a
 * restart.
 */

import { defined } from '../../core/checks/assert.ts';
import { Random } from '../../core/number/random.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import { BASKETBALL, FOOTBALL, HORSE_RACING, MARKET_KINDS, type MarketKind, TENNIS } from './sports.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A row of the timetable: a fixture that repeats. */
export interface Series {
  readonly groupId: string;
  readonly sport: string;
  readonly everyMs: number;
  /** Offset of the start from a multiple of `everyMs` since 1970, UTC. */
  readonly offsetMs: number;
  readonly lastsMs: number;
  /**
   * How long before its start a fixture is created, and how long after its start a fixture that was missed is still
   * created.
   */
  readonly aheadMs: number;
  readonly behindMs: number;
  readonly sides: number;
  /** Undefined: it does not turn in play. */
  readonly inPlayDelayMs: number | undefined;
  readonly markets: readonly MarketKind[];
  /** Every n-th fixture is abandoned and its markets are voided. */
  readonly abandonsEvery?: number;
}

/**
 * The cup is played around the clock: at any time one match is in play, and within the last half day one was abandoned
 * and several were finished.
 */
const SERIES: readonly Series[] = [
  {
    groupId: 'FOOTBALL_CLOCK_CUP',
    sport: FOOTBALL,
    sides: 2,
    inPlayDelayMs: 5000,
    abandonsEvery: 6,
    everyMs: 2 * HOUR,
    offsetMs: 0,
    lastsMs: 2 * HOUR,
    aheadMs: 4 * HOUR,
    behindMs: 14 * HOUR,
    markets: [MARKET_KINDS.footballResult, MARKET_KINDS.footballGoals],
  },
  {
    groupId: 'FOOTBALL_ISLES_PREMIER',
    sport: FOOTBALL,
    sides: 2,
    inPlayDelayMs: 5000,
    everyMs: DAY,
    offsetMs: 15 * HOUR,
    lastsMs: 2 * HOUR,
    aheadMs: 5 * DAY,
    behindMs: 0,
    markets: [MARKET_KINDS.footballResult, MARKET_KINDS.footballGoals, MARKET_KINDS.footballHandicap],
  },
  {
    groupId: 'TENNIS_BAY_OPEN',
    sport: TENNIS,
    sides: 2,
    inPlayDelayMs: 3000,
    everyMs: DAY,
    offsetMs: 11 * HOUR,
    lastsMs: 3 * HOUR,
    aheadMs: 4 * DAY,
    behindMs: 0,
    markets: [MARKET_KINDS.tennisWinner],
  },
  {
    groupId: 'BASKETBALL_COAST_LEAGUE',
    sport: BASKETBALL,
    sides: 2,
    inPlayDelayMs: 2000,
    everyMs: DAY,
    offsetMs: 19 * HOUR + 30 * MINUTE,
    lastsMs: 150 * MINUTE,
    aheadMs: 4 * DAY,
    behindMs: 0,
    markets: [MARKET_KINDS.basketballWinner, MARKET_KINDS.basketballPoints, MARKET_KINDS.basketballHandicap],
  },
  {
    groupId: 'HORSE_RACING_HEATHDOWN',
    sport: HORSE_RACING,
    sides: 8,
    inPlayDelayMs: undefined,
    everyMs: DAY,
    offsetMs: 13 * HOUR,
    lastsMs: 5 * MINUTE,
    aheadMs: 3 * DAY,
    behindMs: 0,
    markets: [MARKET_KINDS.raceWin, MARKET_KINDS.racePlace],
  },
];

export interface Fixture {
  readonly series: Series;
  /** Unique among all fixtures. */
  readonly code: string;
  readonly startAt: Instant;
  /** Indexes into the sport's names, in the order of the sides. */
  readonly sides: readonly number[];
}

export function seriesOf(groupId: string): Series | undefined {
  return SERIES.find((series) => series.groupId === groupId);
}

/** Whether a fixture ends without a result. Derived from its code, so that it is the same after a restart. */
export function isAbandoned({ abandonsEvery }: Series, code: string): boolean {
  return abandonsEvery !== undefined && Number(code.slice(code.lastIndexOf('-') + 1)) % abandonsEvery === 0;
}

/** All fixtures that should exist now, by series and start. `names` returns how many sides of a sport there are. */
export function fixturesAt(now: Instant, names: (sport: string) => number): readonly Fixture[] {
  return SERIES.flatMap((series) => {
    const first = Math.ceil((now - series.behindMs - series.offsetMs) / series.everyMs);
    const last = Math.floor((now + series.aheadMs - series.offsetMs) / series.everyMs);
    const count = Math.max(0, last - first + 1);
    return Array.from({ length: count }, (_, index) => fixture(series, first + index, names(series.sport)));
  });
}

function fixture(series: Series, number: number, names: number): Fixture {
  const random = Random.fromSeed(number);
  const left = Array.from({ length: names }, (_, name) => name);
  const sides = Array.from({ length: series.sides }, () =>
    defined(left.splice(random.below(left.length), 1)[0], 'there are more names than sides'),
  );
  const startAt = instant(number * series.everyMs + series.offsetMs);
  return { series, code: `${series.groupId}-${number}`, startAt, sides };
}
