/** A recording in which the same happens in other years, in markets and on outcomes of other ids. */

import { type Instant, instant } from '../../../core/number/units.ts';
import type { PendingUpdate } from '../../../recording/segment/update.ts';
import { UpdateBuffer } from '../../../recording/segment/update-buffer.ts';
import type { RecordedDefinition } from '../../../recording/tape/definition.ts';
import type { RecordedMarket } from '../../../simulator/replay/played-market.ts';
import type { SignalRow } from '../../../strategy/signals.ts';
import type { SourceMarket, UpdateSource } from '../../simulation/backtest-source.ts';

/** 97 times 52 weeks: the weekday, the time of day and nearly the day of the year stay. */
const DISGUISE_MS = 97 * 364 * 86_400_000;

/** The new ids have the order of the old ones, so that whoever sorts by id gets the same order. */
export class Disguises {
  readonly shiftMs = DISGUISE_MS;
  readonly #markets: OrderedIds;
  readonly #events: OrderedIds;
  /** The disguised ids of the outcomes, by the market's own id. */
  readonly #outcomes: ReadonlyMap<string, OrderedIds>;

  constructor(markets: readonly SourceMarket[]) {
    const facts = markets.map(({ market }) => market.facts);
    this.#markets = new OrderedIds(facts.map(({ id }) => id));
    this.#events = new OrderedIds(facts.map(({ eventId }) => eventId));
    this.#outcomes = new Map(facts.map(({ id, outcomes }) => [id, new OrderedIds(outcomes.map((each) => each.id))]));
  }

  masked(recorded: RecordedMarket): RecordedMarket {
    const { facts, definitions } = recorded;
    const { id, eventId, expectedStartTime } = facts;
    const ids = this.#outcomes.get(id);
    return {
      ...recorded,
      definitions: definitions.map((definition) => this.#later(definition)),
      facts: {
        ...facts,
        id: this.#markets.masked(id),
        eventId: this.#events.masked(eventId),
        ...(expectedStartTime !== undefined && { expectedStartTime: this.#shifted(expectedStartTime) }),
        outcomes: facts.outcomes.map((outcome) => ({ ...outcome, id: ids?.masked(outcome.id) ?? outcome.id })),
      },
    };
  }

  maskedRow(row: SignalRow): SignalRow {
    const { market, outcome, availableAt } = row;
    return {
      ...row,
      availableAt: this.#shifted(availableAt),
      market: this.#markets.masked(market),
      outcome: this.#outcomes.get(market)?.masked(outcome) ?? outcome,
    };
  }

  market(masked: string): string {
    return this.#markets.unmasked(masked);
  }

  outcome(market: string, masked: string): string {
    return this.#outcomes.get(this.market(market))?.unmasked(masked) ?? masked;
  }

  #later(definition: RecordedDefinition): RecordedDefinition {
    const { expectedStartTime, outcomes } = definition;
    return {
      ...definition,
      ...(expectedStartTime !== undefined && { expectedStartTime: this.#shifted(expectedStartTime) }),
      outcomes: outcomes.map((outcome) =>
        outcome.removedAt === undefined ? outcome : { ...outcome, removedAt: this.#shifted(outcome.removedAt) },
      ),
    };
  }

  #shifted(at: Instant): Instant {
    return instant(at + this.shiftMs);
  }
}

class OrderedIds {
  readonly #masked = new Map<string, string>();
  readonly #own = new Map<string, string>();

  constructor(ids: readonly string[]) {
    const distinct = [...new Set(ids)];
    const areNumbers = distinct.every((id) => /^\d+$/.test(id));
    distinct.sort((a, b) => (areNumbers ? Number(a) - Number(b) : a < b ? -1 : 1));
    for (const [rank, id] of distinct.entries()) {
      const other = String(FIRST_ID + 7 * rank);
      this.#masked.set(id, other);
      this.#own.set(other, id);
    }
  }

  masked(id: string): string {
    return this.#masked.get(id) ?? id;
  }

  unmasked(id: string): string {
    return this.#own.get(id) ?? id;
  }
}

/** All ids have as many digits, so that they have one order as numbers and as texts. */
const FIRST_ID = 730_000_004;

export class DisguisedSource implements UpdateSource {
  readonly startAt: Instant;
  readonly #source: UpdateSource;
  readonly #disguises: Disguises;
  readonly #update = new UpdateBuffer();

  constructor(source: UpdateSource, disguises: Disguises) {
    this.#source = source;
    this.#disguises = disguises;
    this.startAt = instant(source.startAt + disguises.shiftMs);
  }

  get index(): number {
    return this.#source.index;
  }

  next(): PendingUpdate | undefined {
    const update = this.#source.next();
    if (update === undefined) return undefined;
    const masked = this.#update;
    masked.copy(update.columns());
    masked.publishedAt = instant(masked.publishedAt + this.#disguises.shiftMs);
    masked.receivedAt = instant(masked.receivedAt + this.#disguises.shiftMs);
    return masked;
  }

  recorded(index: number): RecordedMarket {
    return this.#disguises.masked(this.#source.recorded(index));
  }
}
