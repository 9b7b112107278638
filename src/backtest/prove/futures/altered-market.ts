/** One market of an altered recording: its ladders as they stood last, and its updates as they become. */

import { TICK_COUNT } from '../../../core/number/ladder.ts';
import type { Random } from '../../../core/number/random.ts';
import { instant } from '../../../core/number/units.ts';
import { AGAINST, FOR } from '../../../core/side.ts';
import {
  DEFINITION,
  eventsOf,
  LAST_PRICE,
  LEVEL,
  TRADE,
  type UpdateColumns,
} from '../../../recording/segment/update.ts';
import { UpdateBuffer } from '../../../recording/segment/update-buffer.ts';
import type { RecordedDefinition, RecordedOutcome } from '../../../recording/tape/definition.ts';
import type { RecordedMarket } from '../../../simulator/replay/played-market.ts';
import { cellOf } from '../../simulation/table-columns.ts';
import type { AlteredPart } from './alteration.ts';

export class AlteredMarket {
  readonly recorded: RecordedMarket;
  readonly #definitions: AlteredDefinitions;
  readonly #parts: AlteredMarketParts;
  /** For each outcome, the outcome that has its future now. */
  readonly #heirs: readonly number[];
  /** For each outcome, the outcome whose future it has. */
  readonly #step: readonly number[];
  /** Stakes by outcome, side and tick, as replayed so far. */
  readonly #levels: Float64Array;
  readonly #update = new UpdateBuffer();
  #isBegun = false;
  /** The definition in force. */
  #defined: number | undefined;

  constructor(parts: AlteredMarketParts) {
    this.#parts = parts;
    this.recorded = parts.recorded;
    const { recorded, alters } = parts;
    const outcomes = recorded.facts.outcomes.map((_, outcome) => outcome);
    this.#step = alters.has('prices') ? turnOf(recorded) : outcomes;
    const heirs = outcomes.map(() => 0);
    for (const [outcome, of] of this.#step.entries()) heirs[of] = outcome;
    this.#heirs = heirs;
    this.#levels = new Float64Array(outcomes.length * CELLS);
    this.#definitions = alteredDefinitions(parts);
  }

  get definitions(): readonly RecordedDefinition[] {
    return this.#definitions.all;
  }

  /** Notes what an update that stays as it is says. */
  note({ count, kind, outcome, side, tick, amount }: UpdateColumns): void {
    for (let i = 0; i < count; i += 1) {
      if (kind[i] === LEVEL) this.#levels[levelIndex(outcome[i] ?? 0, side[i] ?? 0, tick[i] ?? 0)] = amount[i] ?? 0;
      else if (kind[i] === DEFINITION) this.#defined = amount[i];
    }
  }

  /** Valid until the next call. */
  altered(columns: UpdateColumns): UpdateBuffer {
    const { alters, random } = this.#parts;
    const isTurned = alters.has('prices');
    const wanted = isTurned && !this.#isBegun ? this.#turnLevels() : new Map<number, number>();
    const update = this.#update;
    update.start(columns.publishedAt, columns.receivedAt);
    update.market = columns.market;
    update.sequence = columns.sequence;
    if (!this.#isBegun) this.#begin(columns);
    this.#isBegun = true;
    const stake = (amount: number): number => (isTurned ? Math.round(amount * (0.5 + 1.5 * random.uniform())) : amount);
    const after: (() => void)[] = [];
    for (const { kind, outcome: own, side, tick, amount } of eventsOf(columns)) {
      const outcome = this.#heirs[own] ?? own;
      if (kind === LEVEL) wanted.set(levelIndex(outcome, side, tick), stake(amount));
      else if (kind === DEFINITION) update.definition(amount);
      else if (kind === TRADE) update.trade(outcome, tick, stake(amount));
      else if (kind === LAST_PRICE) after.push(() => update.lastPrice(outcome, tick));
      else after.push(() => update.startingPrice(outcome, side, this.#startingPrice(amount)));
    }
    // In the order that replays rely on: levels that fall before levels that rise.
    for (const isRise of [false, true]) this.#push(wanted, isRise);
    for (const push of after) push();
    return update;
  }

  /** The first update after the instant suspends a market, ends its suspension, or turns it in play, unless the recording changes it there. */
  #begin({ count, kind }: UpdateColumns): void {
    const isDefined = count > 0 && kind[0] === DEFINITION;
    if (isDefined || this.#defined === undefined || !this.#parts.alters.has('statuses')) return;
    const added = this.#definitions.after(this.#defined);
    if (added !== undefined) this.#update.definition(added);
  }

  #startingPrice(thousandths: number): number {
    return this.#parts.alters.has('startingPrices') ? thousandths + 1_000 : thousandths;
  }

  /** What each level must become for every ladder to be that of another outcome. */
  #turnLevels(): Map<number, number> {
    const wanted = new Map<number, number>();
    for (const [outcome, of] of this.#step.entries()) {
      for (let at = 0; at < CELLS; at += 1) {
        const is = cellOf(this.#levels, outcome * CELLS + at);
        const becomes = cellOf(this.#levels, of * CELLS + at);
        if (is !== becomes) wanted.set(outcome * CELLS + at, becomes);
      }
    }
    return wanted;
  }

  #push(wanted: ReadonlyMap<number, number>, isRise: boolean): void {
    const isShuffled = this.#parts.alters.has('order');
    for (const [place, amount] of wanted) {
      if (amount > cellOf(this.#levels, place) !== isRise) continue;
      const [outcome, at] = [Math.floor(place / CELLS), place % CELLS];
      const [side, tick] = [Math.floor(at / TICK_COUNT), at % TICK_COUNT];
      if (isShuffled && isRise && this.#crosses(outcome, side, tick)) continue;
      this.#update.level(outcome, side, tick, amount);
      this.#levels[place] = amount;
    }
  }

  /** Whether stake at this level would meet stake of the other side. Resting Against lies below resting For. */
  #crosses(outcome: number, side: number, tick: number): boolean {
    const [from, to] = side === AGAINST ? [0, tick] : [tick, TICK_COUNT - 1];
    const other = side === AGAINST ? FOR : AGAINST;
    for (let at = from; at <= to; at += 1) if (cellOf(this.#levels, levelIndex(outcome, other, at)) > 0) return true;
    return false;
  }
}

/** How many levels an outcome has on both sides. */
const CELLS = 2 * TICK_COUNT;

function levelIndex(outcome: number, side: number, tick: number): number {
  return outcome * CELLS + side * TICK_COUNT + tick;
}

interface AlteredMarketParts {
  readonly recorded: RecordedMarket;
  /** How many of its definitions were published up to the instant. */
  readonly announced: number;
  readonly alters: ReadonlySet<AlteredPart>;
  readonly random: Random;
}

interface AlteredDefinitions {
  /** Those of the recording, altered where they come after the instant, and one for each that may follow it by an alteration. */
  readonly all: readonly RecordedDefinition[];
  /** The number of a definition with other statuses than that one; undefined where the market has ended by then. */
  after(number: number): number | undefined;
}

/** The market's start moves by this much in the altered future. */
const START_MOVES_MS = 60_000;

/** The definitions of a market with another future: other statuses, another winner, other starting prices. */
function alteredDefinitions({ recorded, announced, alters, random }: AlteredMarketParts): AlteredDefinitions {
  const { definitions } = recorded;
  const step = turnOf(recorded);
  const isSuspended = random.chance(0.5);
  const altered = definitions.map((definition, at) => {
    if (at < announced) return definition;
    let other = definition;
    if (alters.has('times')) other = withLaterStart(other);
    if (alters.has('statuses')) other = withOtherStatuses(other, true);
    if (alters.has('winner')) other = withOtherWinner(other, step);
    if (alters.has('startingPrices')) other = withOtherStartingPrices(other);
    return other;
  });
  const known = definitions.slice(0, announced);
  const added = known.map((definition) => withOtherStatuses(definition, isSuspended));
  return {
    all: [...altered, ...added],
    after: (number) => {
      const definition = known[number];
      return definition?.status === 'Open' ? definitions.length + number : undefined;
    },
  };
}

/** Each outcome that runs to the end gets the future of the next one. Removed outcomes stay, since a removal changes bets on the others. */
function turnOf({ facts, definitions }: RecordedMarket): readonly number[] {
  const all = facts.outcomes.map((_, outcome) => outcome);
  const running = all.filter((outcome) => definitions.every(({ outcomes }) => outcomes[outcome]?.status !== 'Removed'));
  return all.map((outcome) => {
    const place = running.indexOf(outcome);
    return place < 0 ? outcome : (running[(place + 1) % running.length] ?? outcome);
  });
}

function withLaterStart(definition: RecordedDefinition): RecordedDefinition {
  const { expectedStartTime } = definition;
  if (expectedStartTime === undefined) return definition;
  return { ...definition, expectedStartTime: instant(expectedStartTime + START_MOVES_MS) };
}

/** A market that trades is suspended, or else is in play where it was not. */
function withOtherStatuses(definition: RecordedDefinition, isSuspended: boolean): RecordedDefinition {
  const { status, suspended, inPlayStatus } = definition;
  if (status !== 'Open') return definition;
  if (isSuspended || inPlayStatus === 'NotApplicable') return { ...definition, suspended: !suspended };
  return { ...definition, inPlayStatus: inPlayStatus === 'InPlay' ? 'PrePlay' : 'InPlay' };
}

function withOtherWinner(definition: RecordedDefinition, step: readonly number[]): RecordedDefinition {
  const { outcomes } = definition;
  return {
    ...definition,
    outcomes: outcomes.map((own, outcome) => {
      const other = outcomes[step[outcome] ?? outcome];
      return hasResult(own) && other !== undefined && hasResult(other) ? { ...own, status: other.status } : own;
    }),
  };
}

function hasResult({ status }: RecordedOutcome): boolean {
  return status === 'Winner' || status === 'Loser';
}

function withOtherStartingPrices(definition: RecordedDefinition): RecordedDefinition {
  return {
    ...definition,
    outcomes: definition.outcomes.map((outcome) =>
      outcome.startingPrice === undefined ? outcome : { ...outcome, startingPrice: outcome.startingPrice + 1 },
    ),
  };
}
