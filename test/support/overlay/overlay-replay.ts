/** A script of updates and our own requests, replayed over one recorded book and any number of lanes. */

import { instant } from '../../../src/core/number/units.ts';
import type { UpdateColumns } from '../../../src/recording/segment/update.ts';
import { applyUpdate } from '../../../src/simulator/overlay/apply-update.ts';
import type { FillRules } from '../../../src/simulator/overlay/fill-rules.ts';
import { OverlayLiquidity } from '../../../src/simulator/overlay/overlay-liquidity.ts';
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

export interface ModelAtMarket {
  readonly lane: OverlayLiquidity;
  readonly entry: OwnDesk;
}

export class OverlayReplay {
  readonly book: RecordedBook;
  readonly instances: readonly ModelAtMarket[];
  readonly #lanes: readonly OverlayLiquidity[];
  paused = false;
  /** In which half-lives and ages count. */
  now = instant(0);

  /** `depth`: how many levels the source shows, where it shows the best few. */
  constructor(outcomes: number, rules: readonly FillRules[], depth?: number) {
    this.book = new RecordedBook(outcomes, depth === undefined ? undefined : { depth, memoryMs: memoryMsOf(rules) });
    this.instances = rules.map((rule) => {
      const entry = new OwnDesk();
      const lane = new OverlayLiquidity({
        ...{ book: this.book, orders: new OwnOrders(), rules: rule, sink: entry },
        now: () => this.now,
      });
      entry.tradeOn(lane);
      return { lane, entry };
    });
    this.#lanes = this.instances.map((instance) => instance.lane);
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
        for (const { entry } of this.instances) entry.updateEnded();
        return;
      case 'place':
        for (const { entry } of this.instances) entry.place(step.request);
        return;
      case 'cancel':
        for (const { entry } of this.instances) entry.cancel(step.client);
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
