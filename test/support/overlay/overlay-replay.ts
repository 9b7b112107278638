/** A script of updates and our own requests, replayed over one recorded book and any number of lanes. */

import { instant } from '../../../src/core/units.ts';
import type { UpdateColumns } from '../../../src/recording/update.ts';
import { applyUpdate } from '../../../src/simulator/overlay/apply-update.ts';
import type { FillRules } from '../../../src/simulator/overlay/fill-rules.ts';
import { OverlayLane } from '../../../src/simulator/overlay/overlay-lane.ts';
import { OwnOrders } from '../../../src/simulator/overlay/own-orders.ts';
import { RecordedBook } from '../../../src/simulator/overlay/recorded-book.ts';
import { pendingOf } from '../pending-update.ts';
import { OwnDesk, type OwnRequest } from './own-desk.ts';

export type ScriptStep =
  | { readonly kind: 'update'; readonly update: UpdateColumns }
  | { readonly kind: 'place'; readonly request: OwnRequest }
  | { readonly kind: 'cancel'; readonly client: number }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' };

const MS_PER_STEP = 10;

export interface LaneAtDesk {
  readonly lane: OverlayLane;
  readonly desk: OwnDesk;
}

export class OverlayReplay {
  readonly book: RecordedBook;
  readonly seats: readonly LaneAtDesk[];
  readonly #lanes: readonly OverlayLane[];
  paused = false;
  /** In which half-lives and ages count. */
  now = instant(0);

  /** `depth`: how many levels the source shows, where it shows the best few. */
  constructor(outcomes: number, rules: readonly FillRules[], depth?: number) {
    this.book = new RecordedBook(outcomes, depth === undefined ? undefined : { depth, memoryMs: memoryMsOf(rules) });
    this.seats = rules.map((rule) => {
      const desk = new OwnDesk();
      const lane = new OverlayLane({
        ...{ book: this.book, orders: new OwnOrders(), rules: rule, sink: desk },
        now: () => this.now,
      });
      desk.tradeOn(lane);
      return { lane, desk };
    });
    this.#lanes = this.seats.map((seat) => seat.lane);
  }

  /** The steps of a script are as far apart as this says. */
  doAt(place: number, step: ScriptStep): void {
    this.now = instant(place * MS_PER_STEP);
    this.do(step);
  }

  do(step: ScriptStep): void {
    switch (step.kind) {
      case 'update':
        applyUpdate(this.book, this.#lanes, { ...pendingOf(step.update), publishedAt: this.now });
        for (const { desk } of this.seats) desk.updateEnded();
        return;
      case 'place':
        for (const { desk } of this.seats) desk.place(step.request);
        return;
      case 'cancel':
        for (const { desk } of this.seats) desk.cancel(step.client);
        return;
      case 'pause':
        this.paused = true;
        for (const lane of this.#lanes) lane.pause();
        return;
      case 'resume':
        this.paused = false;
        for (const lane of this.#lanes) lane.resume();
    }
  }
}

/** The longest that one of them asks for; below zero: none asks. */
export function memoryMsOf(rules: readonly FillRules[]): number {
  const ages = rules.map(({ levelsOutOfSight: rule }) => (typeof rule === 'object' ? rule.maxAgeMs : -1));
  return Math.max(-1, ...ages);
}
