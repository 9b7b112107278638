/** Short functions for hand-made updates of a market with one outcome, and one fill model to apply them to. Stakes are in thousandths. */

import { type Instant, type Money, STAKE_STEP } from '../../../src/core/number/units.ts';
import type { SideIndex } from '../../../src/core/side.ts';
import { AGAINST } from '../../../src/core/side.ts';
import { UpdateBuffer } from '../../../src/recording/segment/update-buffer.ts';
import { type FillBound, type FillRules, fillRulesOf } from '../../../src/simulator/overlay/fill-rules.ts';
import type { OverlayLiquidity } from '../../../src/simulator/overlay/overlay-liquidity.ts';
import type { MinimalExchange } from './minimal-exchange.ts';
import { OverlayReplay } from './overlay-replay.ts';

type Change =
  | { readonly traded: number; readonly tick: number }
  | { readonly lastTick: number }
  | { readonly side: SideIndex; readonly tick: number; readonly holds: number };

/** A fill model's rules without their allowance for the order's size and arrival. */
export const AT_ONCE = { size: 'ignored', arrival: 'at-once' } as const;

/** One market, one outcome, one fill model. Orders are numbered from 0. */
export class OneModel {
  readonly model: OverlayLiquidity;
  readonly exchange: MinimalExchange;
  readonly replay: OverlayReplay;
  #client = 0;

  /** `depth`: how many levels the source shows, where it shows the best few. */
  constructor(bound: FillBound, rules: Partial<FillRules> = {}, depth?: number) {
    this.replay = new OverlayReplay(1, [{ ...fillRulesOf(bound), ...rules }], depth);
    const instance = this.replay.instances[0]!;
    this.model = instance.model;
    this.exchange = instance.exchange;
  }

  update(...changes: readonly Change[]): void {
    const update = new UpdateBuffer();
    update.start(0 as Instant);
    for (const change of changes) {
      if ('traded' in change) update.trade(0, change.tick, change.traded * STAKE_STEP);
      else if ('lastTick' in change) update.lastPrice(0, change.lastTick);
      else update.level(0, change.side, change.tick, change.holds * STAKE_STEP);
    }
    this.replay.do({ kind: 'update', update });
  }

  place(side: SideIndex, tick: number, stake: number): number {
    const client = this.#client;
    this.#client += 1;
    this.exchange.place({ client, outcome: 0, side, tick, stake: (stake * STAKE_STEP) as Money });
    return client;
  }

  matched(client: number): number {
    return this.exchange.matched(client) / STAKE_STEP;
  }

  /** What of a level's recorded stake we consumed. */
  consumed(side: SideIndex, tick: number): number {
    return this.model.consumedAt(0, side, tick) / STAKE_STEP;
  }

  /** What a taker of the resting side can match: [tick, stake] pairs, best first. */
  shown(side: SideIndex): [number, number][] {
    const levels: [number, number][] = [];
    let tick = this.model.bestTick(0, side);
    while (tick !== -1) {
      levels.push([tick, this.model.amountAt(0, side, tick) / STAKE_STEP]);
      tick = this.model.nextTick(0, side, tick);
    }
    return levels;
  }

  /** What fills an Against or For taker of that stake, in queue order: an order's number, or 'recorded'. */
  takenFrom(side: SideIndex, tick: number, stake: number): ('recorded' | number)[] {
    const before = this.exchange.fills.length;
    this.place(side, tick, stake);
    const fills = this.exchange.fills.slice(before);
    return fills
      .filter((fill) => fill.how === 'own' || fill.fromRecorded)
      .map((f) => (f.how === 'own' ? f.client : 'recorded'));
  }
}

export function against(tick: number, holds: number): Change {
  return { side: AGAINST, tick, holds };
}

export function forSide(tick: number, holds: number): Change {
  return { side: 0, tick, holds };
}

export function traded(tick: number, stake: number): Change {
  return { traded: stake, tick };
}
