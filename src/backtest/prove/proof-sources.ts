/** A recording as it would be if all from an instant on had not been recorded yet, or had happened differently. */

import type { MarketFacts } from '../../core/market.ts';
import { TICK_COUNT } from '../../core/number/ladder.ts';
import { Random } from '../../core/number/random.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import {
  DEFINITION,
  eventsOf,
  LAST_PRICE,
  LEVEL,
  type PendingUpdate,
  TRADE,
  type UpdateColumns,
} from '../../recording/segment/update.ts';
import { UpdateBuffer } from '../../recording/segment/update-buffer.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import type { RecordedMarket } from '../../simulator/replay/replay-market.ts';
import type { UpdateSource } from '../simulation/backtest-source.ts';
import { cellOf } from '../simulation/table-columns.ts';

/** How many definitions of each market were published before an instant, by the market's index in the run. */
export type AnnouncedDefinitions = ReadonlyMap<number, number>;

export function announcedBefore(source: UpdateSource, until: number): AnnouncedDefinitions {
  const announced = new Map<number, number>();
  for (let update = source.next(); update !== undefined; update = source.next()) {
    if (update.publishedAt >= until) break;
    if (!update.isDefinition) continue;
    for (const { kind, amount } of eventsOf(update.columns())) {
      // An event of a definition holds its index.
      if (kind === DEFINITION) announced.set(source.index, Math.max(announced.get(source.index) ?? 0, amount + 1));
    }
  }
  return announced;
}

interface ChangeParts {
  readonly source: UpdateSource;
  readonly at: number;
  readonly announced: AnnouncedDefinitions;
}

/** At least one: a market cannot be opened without a definition, though its recording may begin without. */
function announcedOf(announced: AnnouncedDefinitions, index: number): number {
  return Math.max(1, announced.get(index) ?? 0);
}

/**
 * The recording before an instant and nothing after it: no update, no definition, no winner, no name. An update without content moves
 * the clock to the instant, so that all that was due before it still happens. A strategy that knows the very next update is found out
 * by that: at its last decision before the instant there is none.
 */
export class CutSource implements UpdateSource {
  readonly startAt: Instant;
  readonly #parts: ChangeParts;
  readonly #emptied = new UpdateBuffer();
  #isOver = false;

  constructor(parts: ChangeParts) {
    this.#parts = parts;
    this.startAt = parts.source.startAt;
  }

  get index(): number {
    return this.#parts.source.index;
  }

  next(): PendingUpdate | undefined {
    if (this.#isOver) return undefined;
    const { source, at } = this.#parts;
    let update = source.next();
    if (update !== undefined && update.publishedAt < at) return update;
    this.#isOver = true;
    // A market's first update without its content would open a market of which nothing is known.
    while (update?.sequence === 0) update = source.next();
    return update === undefined ? undefined : this.#emptiedOf(update);
  }

  recorded(index: number): RecordedMarket {
    const { source, announced } = this.#parts;
    const whole = source.recorded(index);
    const definitions = whole.definitions.slice(0, announcedOf(announced, index));
    return { ...whole, definitions, facts: factsKnown(whole, definitions) };
  }

  #emptiedOf({ market, sequence, publishedAt }: PendingUpdate): PendingUpdate {
    const emptied = this.#emptied;
    emptied.start(publishedAt);
    emptied.market = market;
    emptied.sequence = sequence;
    return emptied;
  }
}

/** As many outcomes as there will be, since an exchange keeps accounts for all; those that are not listed yet have no id and name yet. */
function factsKnown({ facts }: RecordedMarket, announced: readonly RecordedDefinition[]): MarketFacts {
  const listed = Math.max(
    0,
    ...announced.map(({ outcomes }) => outcomes.findLastIndex((each) => each.isUnlisted !== true) + 1),
  );
  const outcomes = facts.outcomes.map((outcome, at) =>
    at < listed ? outcome : { ...outcome, id: `unlisted-${at}`, title: `unlisted ${at}` },
  );
  return { ...facts, outcomes };
}

/** By how much the market's start moves in the altered future. */
const START_MOVES_MS = 60_000;

/**
 * The recording with another future: from the instant on each outcome has the prices, the volume and the result of another one, and
 * stakes are between half and twice as large, by a seed. So another one wins, and no book is crossed that was not.
 */
export class AlteredSource implements UpdateSource {
  readonly startAt: Instant;
  readonly #parts: ChangeParts;
  readonly #random: Random;
  readonly #markets = new Map<number, AlteredMarket>();

  constructor(parts: ChangeParts, seed: number) {
    this.#parts = parts;
    this.#random = Random.fromSeed(seed);
    this.startAt = parts.source.startAt;
  }

  get index(): number {
    return this.#parts.source.index;
  }

  next(): PendingUpdate | undefined {
    const { source, at } = this.#parts;
    const update = source.next();
    if (update === undefined) return undefined;
    const market = this.#market(source.index);
    if (update.publishedAt >= at) return market.altered(update.columns(), () => 0.5 + 1.5 * this.#random.uniform());
    market.note(update.columns());
    return update;
  }

  recorded(index: number): RecordedMarket {
    const whole = this.#parts.source.recorded(index);
    const announced = announcedOf(this.#parts.announced, index);
    const { step } = this.#market(index);
    const definitions = whole.definitions.map((definition, at) =>
      at < announced ? definition : turned(definition, step),
    );
    return { ...whole, definitions, facts: factsKnown(whole, definitions.slice(0, announced)) };
  }

  #market(index: number): AlteredMarket {
    let market = this.#markets.get(index);
    if (market === undefined) {
      market = new AlteredMarket(this.#parts.source.recorded(index));
      this.#markets.set(index, market);
    }
    return market;
  }
}

/** By outcome: the outcome whose future it has. */
type Step = readonly number[];

/** Each outcome that runs to the end gets the future of the next one. Removed outcomes stay, since a removal changes bets on the others. */
function turnOf({ facts, definitions }: RecordedMarket): Step {
  const all = facts.outcomes.map((_, outcome) => outcome);
  const running = all.filter((outcome) => definitions.every(({ outcomes }) => outcomes[outcome]?.status !== 'Removed'));
  return all.map((outcome) => {
    const place = running.indexOf(outcome);
    return place < 0 ? outcome : (running[(place + 1) % running.length] ?? outcome);
  });
}

function turned(definition: RecordedDefinition, step: Step): RecordedDefinition {
  const { outcomes, expectedStartTime } = definition;
  return {
    ...definition,
    ...(expectedStartTime !== undefined && { expectedStartTime: instant(expectedStartTime + START_MOVES_MS) }),
    outcomes: outcomes.map((own, outcome) => outcomes[step[outcome] ?? outcome] ?? own),
  };
}

/** One market of the altered recording: its ladders as they stood last, and its updates with the outcomes turned. */
class AlteredMarket {
  readonly step: Step;
  /** By outcome: the outcome that has its future now. */
  readonly #heirs: readonly number[];
  /** Stakes by outcome, side and tick, as replayed so far. */
  readonly #levels: Float64Array;
  readonly #update = new UpdateBuffer();
  #isTurned = false;

  constructor(recorded: RecordedMarket) {
    this.step = turnOf(recorded);
    const heirs = this.step.map(() => 0);
    for (const [outcome, of] of this.step.entries()) heirs[of] = outcome;
    this.#heirs = heirs;
    this.#levels = new Float64Array(recorded.facts.outcomes.length * SIDES);
  }

  note(update: UpdateColumns): void {
    for (const { kind, outcome, side, tick, amount } of eventsOf(update))
      if (kind === LEVEL) this.#levels[placeOf(outcome, side, tick)] = amount;
  }

  /** Valid until the next call. */
  altered(columns: UpdateColumns, factor: () => number): PendingUpdate {
    const wanted = this.#isTurned ? new Map<number, number>() : this.#turnLevels();
    this.#isTurned = true;
    const update = this.#update;
    update.start(columns.publishedAt, columns.receivedAt);
    update.market = columns.market;
    update.sequence = columns.sequence;
    const after: (() => void)[] = [];
    for (const { kind, outcome: own, side, tick, amount } of eventsOf(columns)) {
      const outcome = this.#heirs[own] ?? own;
      if (kind === LEVEL) wanted.set(placeOf(outcome, side, tick), Math.round(amount * factor()));
      else if (kind === DEFINITION) update.definition(amount);
      else if (kind === TRADE) update.trade(outcome, tick, Math.round(amount * factor()));
      else if (kind === LAST_PRICE) after.push(() => update.lastPrice(outcome, tick));
      else after.push(() => update.startingPrice(outcome, side, amount));
    }
    // In the order that replays rely on: levels that fall before levels that rise.
    for (const isRise of [false, true]) this.#push(wanted, isRise);
    for (const [place, amount] of wanted) this.#levels[place] = amount;
    for (const push of after) push();
    return update;
  }

  /** What each level must become for every ladder to be that of another outcome. */
  #turnLevels(): Map<number, number> {
    const wanted = new Map<number, number>();
    for (const [outcome, of] of this.step.entries()) {
      for (let at = 0; at < SIDES; at += 1) {
        const is = cellOf(this.#levels, outcome * SIDES + at);
        const becomes = cellOf(this.#levels, of * SIDES + at);
        if (is !== becomes) wanted.set(outcome * SIDES + at, becomes);
      }
    }
    return wanted;
  }

  #push(wanted: ReadonlyMap<number, number>, isRise: boolean): void {
    for (const [place, amount] of wanted) {
      if (amount > cellOf(this.#levels, place) !== isRise) continue;
      const at = place % SIDES;
      this.#update.level(Math.floor(place / SIDES), Math.floor(at / TICK_COUNT), at % TICK_COUNT, amount);
    }
  }
}

/** How many levels an outcome has on both sides. */
const SIDES = 2 * TICK_COUNT;

function placeOf(outcome: number, side: number, tick: number): number {
  return outcome * SIDES + side * TICK_COUNT + tick;
}
