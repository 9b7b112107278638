/** A script of updates and requests of ours, replayed over one recorded book and any number of fill models. */

import { instant } from '../../../src/core/number/units.ts';
import type { UpdateColumns } from '../../../src/recording/segment/update.ts';
import { applyUpdate } from '../../../src/simulator/overlay/apply-update.ts';
import type { FillRules } from '../../../src/simulator/overlay/fill-rules.ts';
import { windowMemoryMs } from '../../../src/simulator/overlay/out-of-sight.ts';
import { OverlayLiquidity } from '../../../src/simulator/overlay/overlay-liquidity.ts';
import { OwnOrders } from '../../../src/simulator/overlay/own-orders.ts';
import { RecordedBook } from '../../../src/simulator/overlay/recorded-book.ts';
import { pendingOf } from '../pending-update.ts';
import { MinimalExchange, type OwnRequest } from './minimal-exchange.ts';

export type ScriptStep =
  | { readonly kind: 'update'; readonly update: UpdateColumns }
  | { readonly kind: 'place'; readonly request: OwnRequest }
  | { readonly kind: 'cancel'; readonly client: number }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' };

const MS_PER_STEP = 10;

export interface ModelAtMarket {
  readonly model: OverlayLiquidity;
  readonly exchange: MinimalExchange;
}

export class OverlayReplay {
  readonly book: RecordedBook;
  readonly instances: readonly ModelAtMarket[];
  readonly #models: readonly OverlayLiquidity[];
  paused = false;
  /** The time by which half-lives and ages are measured. */
  now = instant(0);

  /** `depth`: how many levels the source shows, where it shows the best few. */
  constructor(outcomes: number, rules: readonly FillRules[], depth?: number) {
    this.book = new RecordedBook(
      outcomes,
      depth === undefined ? undefined : { depth, memoryMs: windowMemoryMs(rules) },
    );
    this.instances = rules.map((rule) => {
      const exchange = new MinimalExchange();
      const model = new OverlayLiquidity({
        ...{ book: this.book, orders: new OwnOrders(), rules: rule, sink: exchange },
        now: () => this.now,
      });
      exchange.tradeOn(model);
      return { model, exchange };
    });
    this.#models = this.instances.map((instance) => instance.model);
  }

  /** Carries out a step; `place` is its number, since steps are equally far apart in time. */
  doAt(place: number, step: ScriptStep): void {
    this.now = instant(place * MS_PER_STEP);
    this.do(step);
  }

  do(step: ScriptStep): void {
    switch (step.kind) {
      case 'update':
        applyUpdate(this.book, this.#models, { ...pendingOf(step.update), publishedAt: this.now });
        for (const { exchange } of this.instances) exchange.updateEnded();
        return;
      case 'place':
        for (const { exchange } of this.instances) exchange.place(step.request);
        return;
      case 'cancel':
        for (const { exchange } of this.instances) exchange.cancel(step.client);
        return;
      case 'pause':
        this.paused = true;
        for (const model of this.#models) model.pause();
        return;
      case 'resume':
        this.paused = false;
        for (const model of this.#models) model.resume();
    }
  }
}
