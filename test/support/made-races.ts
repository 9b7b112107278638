/** Tapes of made races and matches: markets with a start that may move, a switch to in play, and a result. */

import type { MarketFacts } from '../../src/core/market.ts';
import { Random } from '../../src/core/number/random.ts';
import type { Instant } from '../../src/core/number/units.ts';
import { DEFINITION, LAST_PRICE, LEVEL, TRADE } from '../../src/recording/segment/update.ts';
import { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import type { MarketKey } from '../../src/recording/tape/market-packer.ts';
import { TapeWriter } from '../../src/recording/tape/tape-writer.ts';
import { madeDefinition, madeFacts } from './made-market.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export const MINUTE = 60_000;
/** The first race of a made day is to start then. */
export const DAY = 1_700_000_000_000;

export interface MadeRace {
  readonly id: string;
  readonly facts?: Partial<MarketFacts>;
  /** The scheduled start in the first definition. */
  readonly startAt: number;
  /** Later schedules, each with the time of the definition that says so. */
  readonly moves?: readonly { readonly at: number; readonly startAt: number }[];
  /** The switch to in play; undefined where the market never goes in play. */
  readonly offAt?: number | undefined;
  /** Whether it is announced that it goes in play; true if absent. */
  readonly turnsInPlay?: boolean;
  readonly firstAt: number;
  /** The result; undefined where the recording ends without one. */
  readonly settledAt?: number | undefined;
  readonly lastAt: number;
  /** How many updates of prices there are. */
  readonly updates: number;
}

interface Timed {
  readonly at: number;
  readonly market: number;
  readonly definition: RecordedDefinition | undefined;
}

/** Writes the markets, their updates interleaved by time. Prices move by chance, from the seed. */
export function racesTape(races: readonly MadeRace[], seed = 1): string {
  const path = `${temporaryDirectory('races')}/races.tape`;
  const random = Random.fromSeed(seed);
  const writer = TapeWriter.create(path);
  const keys = races.map(() => writer.startMarket());
  const all = races.flatMap((race, market) => timesOf(race, market, random));
  all.sort((a, b) => a.at - b.at || a.market - b.market);
  for (const timed of all) {
    const key = keys[timed.market] as MarketKey;
    writer.appendUpdate(
      key,
      updateOf(timed, random, (definition) => writer.addDefinition(key, definition)),
    );
  }
  for (const [index, { id, startAt, facts }] of races.entries()) {
    writer.finishMarket(keys[index] as MarketKey, {
      facts: madeFacts(id, 2, { expectedStartTime: startAt as Instant, ...facts }),
      ...{ bettingType: 'ODDS', grade: 'A', winnerCount: 1, source: { file: 'made', sha256: '' } },
    });
  }
  writer.finish();
  return path;
}

function timesOf(race: MadeRace, market: number, random: Random): Timed[] {
  const { firstAt, lastAt, moves = [], offAt, settledAt, updates } = race;
  const end = settledAt ?? lastAt;
  const open = (startAt: number, inPlay: boolean) =>
    madeDefinition(2, {
      inPlayStatus: inPlay ? 'InPlay' : race.turnsInPlay === false ? 'NotApplicable' : 'PrePlay',
      inPlayDelayMs: inPlay ? 1_000 : 0,
      eventStartAction: 'CancelUnmatchedLiquidity',
      expectedStartTime: startAt as Instant,
      commissionPpm: 50_000,
    });
  const lastStart = moves.at(-1)?.startAt ?? race.startAt;
  const timed: Timed[] = [{ at: firstAt, market, definition: open(race.startAt, false) }];
  for (const move of moves) timed.push({ at: move.at, market, definition: open(move.startAt, false) });
  if (offAt !== undefined) timed.push({ at: offAt, market, definition: open(lastStart, true) });
  for (let i = 0; i < updates; i += 1) {
    const at = firstAt + 1 + Math.floor(random.uniform() * (end - firstAt - 2));
    timed.push({ at, market, definition: undefined });
  }
  if (settledAt !== undefined) {
    const [won, lost] = [{ status: 'Winner' }, { status: 'Loser' }] as const;
    const result = { status: 'Settled', outcomes: [won, lost] } as const;
    timed.push({ at: settledAt, market, definition: { ...open(lastStart, offAt !== undefined), ...result } });
  }
  return timed;
}

const MIDDLE = 120;

function updateOf({ at, definition }: Timed, random: Random, add: (definition: RecordedDefinition) => number) {
  const buffer = new UpdateBuffer(8);
  buffer.start(at as Instant, at as Instant);
  if (definition !== undefined) {
    buffer.push(DEFINITION, 0, 0, 0, add(definition));
    return buffer;
  }
  const below = (most: number) => Math.floor(random.uniform() * most);
  const outcome = below(2);
  const ticks = 1 + below(4);
  // Stake that backs can take lies above the middle, stake that lays can take below it.
  const side = below(2);
  const tick = side === 0 ? MIDDLE - ticks : MIDDLE + ticks;
  buffer.push(LEVEL, outcome, side, tick, below(4) === 0 ? 0 : (1 + below(50)) * 1_000_000);
  if (below(3) === 0) {
    buffer.push(TRADE, outcome, 0, tick, (1 + below(20)) * 500_000);
    buffer.push(LAST_PRICE, outcome, 0, tick, 0);
  }
  return buffer;
}

/** A meeting of races, five minutes apart, each with a win and a place market, and beside it a match of two markets. */
export function madeDay(seed = 1, races = 3): string {
  const meeting = { eventId: 'meeting', eventName: 'Northgate 1st Oct', venue: 'Northgate' };
  const made = Array.from({ length: races }, (_, race) => {
    const startAt = DAY + race * 5 * MINUTE;
    const times = { startAt, firstAt: startAt - 40 * MINUTE, lastAt: startAt + 6 * MINUTE, updates: 400 };
    const ends = { offAt: startAt + 30_000 + race * 7_000, settledAt: startAt + 5 * MINUTE };
    return ['WIN', 'PLACE'].map((marketTypeId) => ({
      ...{ id: `${marketTypeId.toLowerCase()}-${race}`, facts: { ...meeting, marketTypeId }, ...times, ...ends },
    }));
  });
  const match = ['odds', 'totals'].map((id, index) => ({
    ...{ id, facts: { eventId: 'match', marketTypeId: id }, startAt: DAY + index * 10 * MINUTE, updates: 300 },
    ...{ firstAt: DAY - 30 * MINUTE, lastAt: DAY + 60 * MINUTE, settledAt: DAY + 55 * MINUTE },
  }));
  return racesTape([...made.flat(), ...match], seed);
}
