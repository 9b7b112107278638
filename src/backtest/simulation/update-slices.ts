/** Plays recorded updates in slices, between which the rest of the process gets its turn. */

import { type DecisionMark, isAskedToEnd } from '../../engine/guest/decision-mark.ts';
import type { PendingUpdate } from '../../recording/segment/update.ts';
import type { Playback } from '../../simulator/gateway/playback.ts';
import type { RecordedMarket } from '../../simulator/replay/played-market.ts';
import type { UpdateSource } from './backtest-source.ts';

/** After this many updates the loop lets Ctrl-C and the progress line in. */
export const SLICE = 4096;

interface SliceParts {
  readonly source: UpdateSource;
  readonly playback: Playback;
  readonly mark: DecisionMark;
  /** Updates in the first slice. */
  readonly size: number;
  /** How often strategies have been called, in all worlds. */
  readonly calls: () => number;
  readonly afterUpdate: () => void;
}

/**
 * The loop of a replay, which waits for nothing within a slice. A slice ends after so many updates that were reported to the bot; what a
 * strategy's promises do between slices then does not depend on how many others were read. Where no strategy was called since the last
 * slice it may end anywhere.
 */
export class Slices {
  /** Updates in the slice at play, or else in the last one. */
  inSlice = 0;
  #before = 0;
  /** Simulated time of the last update. */
  at = 0;
  #size: number;
  /** How many updates are in the slice when it is to be looked at whether it ends. */
  #until: number;
  /** Updates that were reported, in the slices since the last one that ended because of them. */
  #reportedBefore = 0;
  #callsBefore = 0;
  #hiddenBefore = 0;
  readonly #source: UpdateSource;
  readonly #playback: Playback;
  readonly #mark: DecisionMark;
  readonly #calls: () => number;
  readonly #afterUpdate: () => void;
  /** The markets by index, each while it goes on. */
  readonly #recorded: (RecordedMarket | undefined)[] = [];

  constructor(parts: SliceParts) {
    this.#source = parts.source;
    this.#playback = parts.playback;
    this.#mark = parts.mark;
    this.#size = parts.size;
    this.#until = parts.size;
    this.#calls = parts.calls;
    this.#afterUpdate = parts.afterUpdate;
  }

  /** All updates so far, including those of a slice at play. */
  get played(): number {
    return this.#before + this.inSlice;
  }

  /** Makes the next slice as long as takes `sliceMs`, by how long the last one took. */
  resize(sliceMs: number, tookMs: number): void {
    const fitting = Math.round((this.#size * sliceMs) / Math.max(1, tookMs));
    this.#size = Math.max(1, Math.min(fitting, 2 * this.#size, SLICE));
  }

  /** One slice, or as much of it as is played before it is asked to end; false where the source is at its end. */
  play(): boolean {
    this.#begin();
    for (;;) {
      const stopped = this.#playPrices();
      if (this.inSlice >= this.#until && this.#ends()) return true;
      if (stopped === undefined && isAskedToEnd(this.#mark)) return true;
      const update = stopped ?? this.#source.next();
      if (update === undefined) return false;
      this.#playAny(update);
    }
  }

  #begin(): void {
    this.#before += this.inSlice;
    this.inSlice = 0;
    this.#until = Math.max(1, this.#size - this.#reportedBefore);
    this.#callsBefore = this.#calls();
    this.#hiddenBefore = this.#playback.hidden;
  }

  /** Whether the slice ends; if it does not, when it is to be looked at next. */
  #ends(): boolean {
    const reported = this.#reportedBefore + this.inSlice - (this.#playback.hidden - this.#hiddenBefore);
    const isFull = reported >= this.#size;
    if (!isFull && this.#calls() !== this.#callsBefore) {
      this.#until = this.inSlice + this.#size - reported;
      return false;
    }
    this.#reportedBefore = isFull ? 0 : reported;
    return true;
  }

  /**
   * Plays updates of prices alone as long as they come; returns an update that it read and could not play. Rare cases are left to the
   * caller: a branch for one in here would first be taken late, and V8 would then throw away what it had compiled without it.
   */
  #playPrices(): PendingUpdate | undefined {
    const until = this.#until;
    while (this.inSlice < until && !isAskedToEnd(this.#mark)) {
      const update = this.#source.nextPrices?.();
      if (update === undefined) return undefined;
      const { index } = this.#source;
      const market = this.#recorded[index];
      if (market === undefined || !this.#playback.playPrices(index, market, update)) return update;
      this.#wasPlayed(update);
    }
    return undefined;
  }

  #playAny(update: PendingUpdate): void {
    const { index } = this.#source;
    const known = this.#recorded[index];
    const market = known ?? this.#source.recorded(index);
    if (known === undefined) this.#recorded[index] = market;
    const leftOut = this.#source.leftOut ?? 0;
    if (leftOut > 0) {
      this.#playback.leaveOut(index, leftOut);
      this.inSlice += leftOut;
    }
    this.#playback.play(index, market, update);
    this.#wasPlayed(update);
    if (market.updates === update.sequence + 1) this.#recorded[index] = undefined;
  }

  #wasPlayed(update: PendingUpdate): void {
    this.at = update.publishedAt;
    this.inSlice += 1;
    this.#afterUpdate();
  }
}
