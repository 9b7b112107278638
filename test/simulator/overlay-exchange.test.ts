/**
 * The real exchange over an overlay matches what the minimal exchange matches, keeps its own laws, and settles without
 * residue.
 */

import { describe, expect, it } from 'vitest';
import { defined } from '../../src/core/checks/assert.ts';
import type { Tick } from '../../src/core/number/ladder.ts';
import type { Money } from '../../src/core/number/units.ts';
import { sideOf } from '../../src/core/side.ts';
import { applyUpdate } from '../../src/simulator/overlay/apply-update.ts';
import { type FillBound, type FillRules, fillRulesOf } from '../../src/simulator/overlay/fill-rules.ts';
import { windowMemoryMs } from '../../src/simulator/overlay/out-of-sight.ts';
import { OverlayLiquidity } from '../../src/simulator/overlay/overlay-liquidity.ts';
import { OwnOrders } from '../../src/simulator/overlay/own-orders.ts';
import { RecordedBook } from '../../src/simulator/overlay/recorded-book.ts';
import { CURRENCY, Stage } from '../matching/stage.ts';
import { OverlayReplay, type ScriptStep } from '../support/overlay/overlay-replay.ts';
import { randomScript, type SeenThrough } from '../support/overlay/random-script.ts';
import { pendingOf } from '../support/pending-update.ts';

const SEEDS = 60;
const BOUNDS: readonly FillBound[] = ['central', 'pessimistic', 'optimistic'];

describe('an exchange over an overlay', () => {
  it(`matches order by order what the minimal exchange matches, over ${SEEDS} seeds`, () => {
    let matched = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) matched += duel(seed, defined(BOUNDS[seed % 3], 'a bound'));
    expect(matched).toBeGreaterThan(500);
  }, 300_000);

  it(`and where takers meet levels that the source shows no more, over ${SEEDS} seeds`, () => {
    let matched = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const window = { depth: 1 + (seed % 2), levelsOutOfSight: 'never' } as const;
      matched += duel(seed, defined(BOUNDS[seed % 3], 'a bound'), window);
    }
    expect(matched).toBeGreaterThan(500);
  }, 300_000);
});

function duel(seed: number, bound: FillBound, window?: SeenThrough): number {
  const habits = { updates: 40, crossOwn: true, pauses: seed % 2 === 0 };
  const script = randomScript(seed, window === undefined ? habits : { ...habits, window });
  const rules = { ...fillRulesOf(bound), ...(window && { levelsOutOfSight: window.levelsOutOfSight }) };
  const replay = new OverlayReplay(script.outcomes, [rules], window?.depth);
  const exchange = defined(replay.instances[0], 'a fill model').exchange;
  const stand = new ExchangeStand(
    new RecordedBook(
      script.outcomes,
      window === undefined ? undefined : { depth: window.depth, memoryMs: windowMemoryMs([rules]) },
    ),
    rules,
  );
  script.steps.forEach((step, at) => {
    replay.do(step);
    stand.do(step);
    for (const order of exchange.orders.values()) {
      const state = [order.matched, order.unmatched, order.voided];
      expect(stand.stateOf(order.client), `seed ${seed}, step ${at}, order ${order.client}`).toEqual(state);
    }
  });
  stand.settle();
  expect(stand.model.isIdle).toBe(true);
  return [...exchange.orders.values()].filter((order) => order.matched > 0).length;
}

/** One market of a real exchange over a recorded book. */
class ExchangeStand {
  readonly model: OverlayLiquidity;
  readonly #stage: Stage;
  readonly #book: RecordedBook;
  readonly #market: number;
  readonly #wallet: number;
  readonly #orderByClient = new Map<number, number>();

  constructor(book: RecordedBook, rules: FillRules) {
    this.#book = book;
    this.model = new OverlayLiquidity({
      ...{ book, rules },
      orders: new OwnOrders(),
      sink: { fillResting: (slot, stake) => this.#fill(slot, stake) },
      now: () => this.#stage.exchange.now,
    });
    this.#stage = new Stage({ liquidityFor: () => this.model });
    this.#wallet = this.#stage.wallet(1_000_000);
    this.#stage.do({ kind: 'setOverdraft', wallet: this.#wallet, currency: CURRENCY, overdraft: 1e15 as Money });
    this.#market = this.#stage.market({ outcomes: book.outcomes });
  }

  do(step: ScriptStep): void {
    const market = this.#market;
    switch (step.kind) {
      case 'update':
        applyUpdate(this.#book, [this.model], pendingOf(step.update));
        return;
      case 'pause':
      case 'resume':
        this.#stage.do({ kind: 'suspend', market, suspended: step.kind === 'pause' });
        if (step.kind === 'pause') this.model.pause();
        else this.model.resume();
        return;
      case 'cancel': {
        const order = defined(this.#orderByClient.get(step.client), 'a known order');
        this.#stage.do({ kind: 'cancel', app: 1, orders: [order] });
        return;
      }
      case 'place': {
        const { client, outcome, side, tick, stake } = step.request;
        const [accepted] = this.#stage.do({
          kind: 'place',
          app: 1,
          requests: [
            {
              wallet: this.#wallet,
              market,
              side: sideOf(side),
              outcome,
              tick: tick as Tick,
              stake,
              keepWhenInPlay: false,
              matchBehavior: 'RetainUnmatched',
            },
          ],
        });
        if (accepted?.kind !== 'orderAccepted') throw new Error(`order ${client}: ${JSON.stringify(accepted)}`);
        this.#orderByClient.set(client, accepted.order);
      }
    }
  }

  /** Matched, unmatched and voided stake of an order. */
  stateOf(client: number): number[] {
    const order = defined(this.#stage.exchange.order(this.#orderByClient.get(client) ?? -1), `order ${client}`);
    const { stake, stakeUnmatched, stakeVoided } = order;
    return [stake - stakeUnmatched - stakeVoided, stakeUnmatched, stakeVoided];
  }

  settle(): void {
    this.#stage.do({ kind: 'lock', market: this.#market });
    this.#stage.do({ kind: 'settle', market: this.#market, winners: [0] });
    this.model.release();
  }

  #fill(slot: number, stake: Money): void {
    const { exchange } = this.#stage;
    exchange.matchWithRecorded({ at: exchange.now, order: exchange.orderOfSlot(slot), stake });
  }
}
