/** A recording as it would be if all from an instant on had not been recorded yet, or had gone otherwise. */

import type { MarketFacts } from '../../../core/market.ts';
import { TICK_COUNT } from '../../../core/number/ladder.ts';
import { Random } from '../../../core/number/random.ts';
import { type Instant, instant } from '../../../core/number/units.ts';
import {
  DEFINITION,
  LAST_PRICE,
  LEVEL,
  type PendingUpdate,
  TRADE,
  type UpdateColumns,
} from '../../../recording/segment/update.ts';
import { UpdateBuffer } from '../../../recording/segment/update-buffer.ts';
import type { RecordedDefinition } from '../../../recording/tape/definition.ts';
import type { RecordedMarket } from '../../../simulator/replay/replay-market.ts';
import type { UpdateSource } from '../simulation/backtest-source.ts';

/** How many definitions of each market were told before an instant, by the market's index in the run. */
export type ToldDefinitions = ReadonlyMap<number, number>;

export function definitionsTold(source: UpdateSource, until: number): ToldDefinitions {
  const told = new Map<number, number>();
  for (let update = source.next(); update !== undefined; update = source.next()) {
    if (update.publishedAt >= until) break;
    if (!update.isDefinition) continue;
    const { count, kind, amount } = update.columns();
    for (let i = 0; i < count; i += 1) {
      if (kind[i] === DEFINITION) told.set(source.index, Math.max(told.get(source.index) ?? 0, (amount[i] ?? 0) + 1));
    }
  }
  return told;
}

interface ChangeParts {
  readonly source: UpdateSource;
  readonly at: number;
  readonly told: ToldDefinitions;
}

/** A market that is opened needs one definition, though a recording may begin without. */
function toldOf(told: ToldDefinitions, index: number): number {
  return Math.max(1, told.get(index) ?? 0);
}

/**
 * The recording before an instant, and nothing of what comes: no update, no definition, no winner, no name. An update without content
 * takes the clock to the instant, so that all that was due before it still happens. A strategy that knows the very next update is
 * found out by that: its last decision before the instant has nothing to know.
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
    // Without its content, a market's first update would open one of which nothing is known.
    while (update?.sequence === 0) update = source.next();
    return update === undefined ? undefined : this.#emptiedOf(update);
  }

  recorded(index: number): RecordedMarket {
    const { source, told } = this.#parts;
    const whole = source.recorded(index);
    const definitions = whole.definitions.slice(0, toldOf(told, index));
    return { ...whole, definitions, facts: factsTold(whole, definitions) };
  }

  #emptiedOf({ market, sequence, publishedAt }: PendingUpdate): PendingUpdate {
    const emptied = this.#emptied;
    emptied.start(publishedAt);
    emptied.market = market;
    emptied.sequence = sequence;
    return emptied;
  }
}

/** As many outcomes as there will be, since an exchange keeps accounts for all, but of those not listed yet nobody knows which. */
function factsTold({ facts }: RecordedMarket, told: readonly RecordedDefinition[]): MarketFacts {
  const listed = Math.max(
    0,
    ...told.map(({ outcomes }) => outcomes.findLastIndex((each) => each.isUnlisted !== true) + 1),
  );
  const outcomes = facts.outcomes.map((outcome, at) =>
    at < listed ? outcome : { ...outcome, id: `unlisted-${at}`, title: `unlisted ${at}` },
  );
  return { ...facts, outcomes };
}

/** The start moves by so much in the altered future. */
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
    const told = toldOf(this.#parts.told, index);
    const { step } = this.#market(index);
    const definitions = whole.definitions.map((definition, at) => (at < told ? definition : turned(definition, step)));
    return { ...whole, definitions, facts: factsTold(whole, definitions.slice(0, told)) };
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

/** By outcome: whose future it has. */
type Step = readonly number[];

/** Each of those that run to the end takes the place of the next; who is removed stays, since a removal changes the others' bets. */
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

/** One market of the altered recording: its ladders as told last, and its updates with the outcomes turned. */
class AlteredMarket {
  readonly step: Step;
  /** By the outcome whose future it is: who has it now. */
  readonly #heirs: readonly number[];
  /** By outcome, side and tick, as replayed. */
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

  note({ count, kind, outcome, side, tick, amount }: UpdateColumns): void {
    for (let i = 0; i < count; i += 1) {
      if (kind[i] === LEVEL) this.#levels[placeOf(outcome[i] ?? 0, side[i] ?? 0, tick[i] ?? 0)] = amount[i] ?? 0;
    }
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
    for (let i = 0; i < columns.count; i += 1) {
      const own = columns.outcome[i] ?? 0;
      const outcome = this.#heirs[own] ?? own;
      const [side, tick, amount] = [columns.side[i] ?? 0, columns.tick[i] ?? 0, columns.amount[i] ?? 0];
      if (columns.kind[i] === LEVEL) wanted.set(placeOf(outcome, side, tick), Math.round(amount * factor()));
      else if (columns.kind[i] === DEFINITION) update.definition(amount);
      else if (columns.kind[i] === TRADE) update.trade(outcome, tick, Math.round(amount * factor()));
      else if (columns.kind[i] === LAST_PRICE) after.push(() => update.lastPrice(outcome, tick));
      else after.push(() => update.startingPrice(outcome, side, amount));
    }
    // In the order of a replay: what falls before what rises.
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
        const is = this.#levels[outcome * SIDES + at] ?? 0;
        const becomes = this.#levels[of * SIDES + at] ?? 0;
        if (is !== becomes) wanted.set(outcome * SIDES + at, becomes);
      }
    }
    return wanted;
  }

  #push(wanted: ReadonlyMap<number, number>, isRise: boolean): void {
    for (const [place, amount] of wanted) {
      if (amount > (this.#levels[place] ?? 0) !== isRise) continue;
      const at = place % SIDES;
      this.#update.level(Math.floor(place / SIDES), Math.floor(at / TICK_COUNT), at % TICK_COUNT, amount);
    }
  }
}

/** Levels of an outcome, both sides. */
const SIDES = 2 * TICK_COUNT;

function placeOf(outcome: number, side: number, tick: number): number {
  return outcome * SIDES + side * TICK_COUNT + tick;
}
