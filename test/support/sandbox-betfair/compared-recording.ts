/** Compares a recording with what a client of the Betfair face read of it, at the end of every update. */

import { defined } from '../../../src/core/checks/assert.ts';
import { MONEY_SCALE } from '../../../src/core/number/units.ts';
import { FAR, NEAR } from '../../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../../src/recording/tape/definition.ts';
import type { Tape } from '../../../src/recording/tape/tape.ts';
import type { TapeMarket } from '../../../src/recording/tape/tape-schema.ts';
import { playable } from '../../../src/sandbox/traffic/tape.ts';
import { type PicturedTrade, TapePicture } from '../tape-picture.ts';
import { type ReplayedRecording, replayed } from './replayed-recording.ts';

const KINDS = ['levels', 'prices', 'definitions', 'volumes'] as const;
const MOST_WORDS = 600;
type Kind = (typeof KINDS)[number];

/** The moments of a market after its updates, and in how many of them something was not the same. */
export type Moments = Record<'all' | Kind, number> & {
  /** The first difference of each kind, in words. */
  readonly first: { [K in Kind]?: string };
};

export interface Compared {
  readonly market: string;
  readonly open: Moments;
  readonly suspended: Moments;
  /** Levels that showed more than was recorded while the market was suspended. */
  readonly tooMuch: readonly string[];
  readonly traded: Traded;
}

/** Backers' stake in 10⁻⁶ that was traded in the recording. */
export interface Traded {
  /** While the market was open: in the recording, and in what was read. */
  readonly recorded: number;
  readonly read: number;
  /** What the importer took for a revaluation in what was read. */
  readonly revalued: number;
  /** What was read at another price than it was recorded at. */
  readonly elsewhere: number;
  /** While the market was suspended, where the driver plays no trades. */
  readonly suspended: number;
}

/** What could be compared of a recording: nothing where no market of it can be played. */
export async function comparedRecording(name: string): Promise<readonly Compared[]> {
  const replay = await replayed(name);
  if (replay === undefined) return [];
  try {
    return playable(replay.recorded).map((market) => new Comparison(replay, market).run());
  } finally {
    replay.recorded.close();
    replay.read.close();
  }
}

/** One market of a tape as it was at a time. */
class TapeSide {
  readonly picture: TapePicture;
  /** By outcome and price, in 10⁻⁶. */
  readonly traded = new Map<string, number>();
  readonly tradedByOutcome = new Map<string, number>();
  tradedInSuspension = 0;
  readonly #definitions: readonly RecordedDefinition[];
  readonly #cursor: ReturnType<Tape['cursor']>;
  #next: ReturnType<ReturnType<Tape['cursor']>['next']>;

  constructor(tape: Tape, index: number) {
    this.picture = new TapePicture(tape, index);
    this.#definitions = tape.definitions(index);
    this.#cursor = tape.cursor({ markets: [index] });
    this.#next = this.#cursor.next();
  }

  get nextAt(): number | undefined {
    return this.#next?.publishedAt;
  }

  get definition(): RecordedDefinition | undefined {
    return this.#definitions[this.picture.definition];
  }

  get isOpen(): boolean {
    return this.definition?.status === 'Open' && !this.definition.suspended;
  }

  /** Applies all updates up to a time. */
  goTo(at: number): void {
    while (this.#next !== undefined && this.#next.publishedAt <= at) {
      const wasOpen = this.isOpen;
      this.picture.apply(this.#next);
      for (const trade of this.picture.trades) this.#trade(trade, wasOpen || this.isOpen);
      this.#next = this.#cursor.next();
    }
  }

  #trade({ outcome, price, stake }: PicturedTrade, isOpen: boolean): void {
    const micros = Math.round(stake * MONEY_SCALE);
    if (!isOpen) this.tradedInSuspension += micros;
    else
      for (const [sums, key] of [
        [this.traded, `${outcome} at ${price}`],
        [this.tradedByOutcome, outcome],
      ] as const)
        add(sums, key, micros);
  }

  /** Sizes in hundredths by outcome, side and price. */
  levels(): ReadonlyMap<string, number> {
    const levels = new Map<string, number>();
    for (const [id, index] of this.picture.indexById)
      for (const side of ['back', 'lay'] as const)
        for (const [price, size] of this.picture.outcomes[index]?.[side] ?? [])
          if (hundredths(size) > 0) levels.set(`${id} ${side} at ${price}`, hundredths(size));
    return levels;
  }

  /** The last price of each runner, and its projected starting prices; undefined where there is none. */
  prices(): ReadonlyMap<string, number | undefined> {
    const prices = new Map<string, number | undefined>();
    for (const [id, index] of this.picture.indexById) {
      const { lastPrice, startingPrices = [] } = this.picture.outcomes[index] ?? {};
      prices.set(id, lastPrice);
      for (const which of [NEAR, FAR]) prices.set(`${id} ${which}`, startingPrices[which] || undefined);
    }
    return prices;
  }
}

class Comparison {
  readonly #shiftMs: number;
  readonly #recorded: TapeSide;
  readonly #read: TapeSide;
  readonly #open = newMoments();
  readonly #suspended = newMoments();
  readonly #tooMuch: string[] = [];
  /** Runners that the recording removed at some time. */
  readonly #removed = new Set<number>();
  /** In 10⁻⁶. */
  readonly #revalued: number;

  constructor({ recorded, read, shiftMs }: ReplayedRecording, market: TapeMarket) {
    const { id } = market.facts;
    const other = defined(
      read.markets.find(({ facts }) => facts.id === id),
      `${id} was read`,
    );
    this.#shiftMs = shiftMs;
    this.#recorded = new TapeSide(recorded, market.index);
    this.#read = new TapeSide(read, other.index);
    this.#revalued = other.revaluations?.stake ?? 0;
  }

  run(): Compared {
    const [recorded, read] = [this.#recorded, this.#read];
    for (let at = recorded.nextAt; at !== undefined; at = recorded.nextAt) {
      recorded.goTo(at);
      read.goTo(at + this.#shiftMs);
      // The driver voids a market whose recording ends without a result.
      if (recorded.definition?.status !== 'Open' || recorded.nextAt === undefined) continue;
      this.#compare(recorded.isOpen ? this.#open : this.#suspended);
    }
    const moved = differences(recorded.traded, read.traded).reduce((sum, [, one, two]) => sum + Math.abs(one - two), 0);
    return {
      market: recorded.picture.market.facts.id,
      open: this.#open,
      suspended: this.#suspended,
      tooMuch: this.#tooMuch,
      traded: {
        ...{ recorded: sumOf(recorded.traded), read: sumOf(read.traded), revalued: this.#revalued },
        ...{ elsewhere: moved / 2, suspended: recorded.tradedInSuspension },
      },
    };
  }

  #compare(moments: Moments): void {
    moments.all += 1;
    const [recorded, read] = [this.#recorded, this.#read];
    const note = (kind: Kind, found: readonly unknown[]) => {
      if (found.length === 0) return;
      moments[kind] += 1;
      moments.first[kind] ??= `after update ${recorded.picture.updates - 1}: ${JSON.stringify(found)}`.slice(
        0,
        MOST_WORDS,
      );
    };
    const levels = differences(recorded.levels(), read.levels());
    note('levels', levels);
    if (moments === this.#suspended)
      for (const [key, one, two] of levels) if (two > one) this.#tooMuch.push(`${key}: ${one} became ${two}`);
    const prices = read.prices();
    const moved = [...recorded.prices()].filter(([key, price]) => price !== undefined && price !== prices.get(key));
    note('prices', moved);
    const volumes = differences(recorded.tradedByOutcome, read.tradedByOutcome);
    note(
      'volumes',
      volumes.filter(([, one, two]) => two > one || one - two > this.#revalued),
    );
    const definitions = [this.#shown(recorded.definition, this.#shiftMs), this.#shown(read.definition, 0)];
    note('definitions', definitions[0] === definitions[1] ? [] : definitions);
  }

  /**
   * Everything that a definition says, with its times moved. Not shown are runners that the recorded one does not list or has
   * brought back, and of starting prices what is less than a thousandth.
   */
  #shown(definition: RecordedDefinition | undefined, shiftMs: number): string {
    const recorded = this.#recorded.definition?.outcomes ?? [];
    for (const [outcome, { status }] of recorded.entries()) if (status === 'Removed') this.#removed.add(outcome);
    const outcomes = definition?.outcomes.filter((_, outcome) => {
      const status = recorded[outcome]?.status;
      return status !== 'Hidden' && (status === 'Removed' || !this.#removed.has(outcome));
    });
    return JSON.stringify({ ...definition, outcomes }, (key, value) => {
      if (key === 'expectedStartTime' || key === 'removedAt') return value + shiftMs;
      return key === 'startingPrice' ? Math.round(value * 1_000) / 1_000 : value;
    });
  }
}

function newMoments(): Moments {
  return { all: 0, levels: 0, prices: 0, definitions: 0, volumes: 0, first: {} };
}

type Difference = readonly [key: string, recorded: number, read: number];

function differences(recorded: ReadonlyMap<string, number>, read: ReadonlyMap<string, number>): readonly Difference[] {
  const found: Difference[] = [];
  for (const key of new Set([...recorded.keys(), ...read.keys()])) {
    const [one, two] = [recorded.get(key) ?? 0, read.get(key) ?? 0];
    if (one !== two) found.push([key, one, two]);
  }
  return found;
}

/** Less than a hundredth is not shown. */
function hundredths(size: number): number {
  return Math.floor(size * 100 + 1e-6);
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

function sumOf(amounts: ReadonlyMap<string, number>): number {
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
}
