/** The part of a market's life in which strategies are asked, from what is known of its start and its off at each moment. */

import type { Instant } from '../../core/number/units.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';

/**
 * An instant of a market: so many ms from its scheduled start, which may move, or from its off. A point before the off can be known
 * from the schedule alone; one from the off on is counted from what happened.
 */
export interface WindowPoint {
  readonly of: 'start' | 'off';
  readonly ms: number;
}

export interface WindowRule {
  /** Absent: from the market's first update on. */
  readonly from?: WindowPoint | undefined;
  /** Absent: to the market's end. */
  readonly to?: WindowPoint | undefined;
}

/**
 * A window opens once and ends once, by what is known at that moment: a start that moves later than that changes nothing. The off is
 * the switch to in play; for a market that is not to turn in play, its scheduled start.
 */
export class MarketWindow {
  state: 'before' | 'open' | 'over' = 'before';
  readonly #rule: WindowRule;
  #startAt: Instant | undefined;
  #offAt: Instant | undefined;
  /** Whether it is announced that the market turns in play. */
  #turnsInPlay = false;

  constructor(rule: WindowRule) {
    this.#rule = rule;
  }

  /** A definition comes into force. */
  define({ expectedStartTime, inPlayStatus }: RecordedDefinition, at: Instant): void {
    const scheduled = this.#turnsInPlay ? undefined : this.#startAt;
    if (this.#offAt === undefined && scheduled !== undefined && scheduled <= at) this.#offAt = scheduled;
    if (this.#offAt === undefined && inPlayStatus === 'InPlay') this.#offAt = at;
    this.#startAt = expectedStartTime;
    this.#turnsInPlay = inPlayStatus !== 'NotApplicable';
  }

  /** When it changes next, as far as is known now; Infinity where that is not known. */
  get dueAt(): number {
    if (this.state === 'over') return Number.POSITIVE_INFINITY;
    const endsAt = this.#at(this.#rule.to, Number.POSITIVE_INFINITY);
    return this.state === 'open' ? endsAt : Math.min(endsAt, this.#at(this.#rule.from, Number.NEGATIVE_INFINITY));
  }

  /** Opens or ends the window, if that is due. One that ends before it opens is over, and nobody is told. */
  moveTo(now: number): 'opened' | 'ended' | undefined {
    if (this.dueAt > now) return undefined;
    const isOver = this.#at(this.#rule.to, Number.POSITIVE_INFINITY) <= now;
    const wasOpen = this.state === 'open';
    this.state = isOver ? 'over' : 'open';
    if (isOver) return wasOpen ? 'ended' : undefined;
    return 'opened';
  }

  #at(point: WindowPoint | undefined, otherwise: number): number {
    if (point === undefined) return otherwise;
    const isFromStart = point.of === 'start' || (this.#offAt === undefined && !this.#turnsInPlay);
    const base = isFromStart ? this.#startAt : this.#offAt;
    return base === undefined ? Number.POSITIVE_INFINITY : base + point.ms;
  }
}
