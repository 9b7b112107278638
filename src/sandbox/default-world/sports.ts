/** The invented sports, leagues, sides and kinds of markets of the default world. */

import type { WinnersRange } from '../../core/market.ts';
import type { ParticipantType } from '../world/change.ts';

/** The first is that of the default world's markets and wallets. */
export const CURRENCIES: readonly string[] = ['USDC', 'EURC'];

export const REFERENCE_SOURCES = [
  { code: 'FFT', description: 'Fixtures, facts and teams: the feed that the default world pretends to come from' },
  { code: 'SANDBOX', description: 'The sandbox itself' },
] as const;
export const FEED = REFERENCE_SOURCES[0].code;

export const CATEGORIES = [
  { id: 'SPORT', name: 'Sport' },
  { id: 'RACING', name: 'Racing' },
] as const;

export interface Sport {
  readonly id: string;
  readonly name: string;
  readonly categoryId: (typeof CATEGORIES)[number]['id'];
  readonly participants: ParticipantType;
  readonly names: readonly string[];
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

export const FOOTBALL = 'FOOTBALL';
export const TENNIS = 'TENNIS';
export const BASKETBALL = 'BASKETBALL';
export const HORSE_RACING = 'HORSE_RACING';

export const SPORTS: readonly Sport[] = [
  {
    id: FOOTBALL,
    name: 'Football',
    categoryId: 'SPORT',
    participants: 'Team',
    names: ['Northgate Rovers', 'Harbour Athletic', 'Ashford Town', 'Milltown United', 'Castle Park', 'Vale City'],
    groups: [
      { id: 'FOOTBALL_ISLES_PREMIER', name: 'Isles Premier League' },
      { id: 'FOOTBALL_CLOCK_CUP', name: 'Round-the-Clock Cup' },
    ],
  },
  {
    id: TENNIS,
    name: 'Tennis',
    categoryId: 'SPORT',
    participants: 'Individual',
    names: ['A. Lindqvist', 'M. Okafor', 'J. Petrenko', 'S. Marchetti', 'R. Duval', 'K. Yamane'],
    groups: [{ id: 'TENNIS_BAY_OPEN', name: 'Bay Open' }],
  },
  {
    id: BASKETBALL,
    name: 'Basketball',
    categoryId: 'SPORT',
    participants: 'Team',
    names: ['River Herons', 'Canyon Foxes', 'Summit Bears', 'Port Gulls', 'Prairie Larks', 'Delta Otters'],
    groups: [{ id: 'BASKETBALL_COAST_LEAGUE', name: 'Coast League' }],
  },
  {
    id: HORSE_RACING,
    name: 'Horse Racing',
    categoryId: 'RACING',
    participants: 'Individual',
    names: [
      'Silver Lantern',
      'Quiet Thunder',
      'Marble Arch',
      'Sea Biscotti',
      'Long Division',
      'Paper Crown',
      'Second Wind',
      'Copper Kettle',
      'Night Ferry',
      'Plain Jane',
    ],
    groups: [{ id: 'HORSE_RACING_HEATHDOWN', name: 'Heathdown' }],
  },
];

/** Id of a participant, such as `FOOTBALL_NORTHGATE_ROVERS`; unique over all sports. */
export function participantId(sport: string, name: string): string {
  return `${sport}_${name.toUpperCase().replaceAll(/[^A-Z]+/g, '_')}`;
}

export interface MarketKind {
  readonly id: string;
  readonly name: string;
  /** What the market type allows: `outcomes` bounds the number of outcomes, `types` the number of winners. */
  readonly outcomes: WinnersRange;
  readonly types: WinnersRange;
  /** Number of winners in the default world's markets of this kind. */
  readonly winners: number;
  readonly value?: string;
  readonly crossMatching: boolean;
  /**
   * Titles of the outcomes for these sides; `side` is the index of the participant, absent for outcomes such as the
   * draw.
   */
  readonly titles: (sides: readonly string[]) => readonly { readonly title: string; readonly side?: number }[];
}

const ONE: WinnersRange = { min: 1, max: 1 };
const TWO: WinnersRange = { min: 2, max: 2 };

const winner = (sides: readonly string[]) => sides.map((title, side) => ({ title, side }));
const overUnder = (line: string) => () => [{ title: `Over ${line}` }, { title: `Under ${line}` }];
const handicap = (line: string) => (sides: readonly string[]) =>
  sides.map((title, side) => ({ title: `${title} ${side === 0 ? '-' : '+'}${line}`, side }));

export const MARKET_KINDS = {
  footballResult: {
    id: 'FOOTBALL_FULL_TIME_RESULT',
    name: 'Full Time Result',
    outcomes: { min: 3, max: 3 },
    types: ONE,
    winners: 1,
    crossMatching: true,
    titles: ([home = '', away = '']) => [{ title: home, side: 0 }, { title: 'Draw' }, { title: away, side: 1 }],
  },
  footballGoals: {
    id: 'FOOTBALL_OVER_UNDER_TOTAL_GOALS',
    name: 'Over/Under 2.5 Goals',
    value: '2.5',
    outcomes: TWO,
    types: ONE,
    winners: 1,
    crossMatching: true,
    titles: overUnder('2.5'),
  },
  footballHandicap: {
    id: 'FOOTBALL_FULL_TIME_RESULT_HANDICAP',
    name: 'Handicap -1.5',
    value: '-1.5 1.5',
    outcomes: { min: 2, max: 3 },
    types: ONE,
    winners: 1,
    crossMatching: false,
    titles: handicap('1.5'),
  },
  tennisWinner: {
    id: 'TENNIS_MATCH_WINNER',
    name: 'Match Winner',
    outcomes: TWO,
    types: ONE,
    winners: 1,
    crossMatching: true,
    titles: winner,
  },
  basketballWinner: {
    id: 'BASKETBALL_MATCH_WINNER',
    name: 'Winner',
    outcomes: TWO,
    types: ONE,
    winners: 1,
    crossMatching: true,
    titles: winner,
  },
  basketballPoints: {
    id: 'BASKETBALL_TOTAL_POINTS',
    name: 'Total Points 180.5',
    value: '180.5',
    outcomes: TWO,
    types: ONE,
    winners: 1,
    crossMatching: true,
    titles: overUnder('180.5'),
  },
  basketballHandicap: {
    id: 'BASKETBALL_POINTS_HANDICAP',
    name: 'Handicap -4.5',
    value: '-4.5 4.5',
    outcomes: TWO,
    types: ONE,
    winners: 1,
    crossMatching: false,
    titles: handicap('4.5'),
  },
  raceWin: {
    id: 'HORSE_RACING_WIN',
    name: 'Win',
    outcomes: { min: 2, max: 40 },
    types: ONE,
    winners: 1,
    crossMatching: false,
    titles: winner,
  },
  racePlace: {
    id: 'HORSE_RACING_PLACE',
    name: 'Place (3)',
    outcomes: { min: 5, max: 40 },
    types: { min: 1, max: 6 },
    winners: 3,
    crossMatching: false,
    titles: winner,
  },
} satisfies Readonly<Record<string, MarketKind>>;
