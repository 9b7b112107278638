/** Laws 1, 2, 4, 5 and 8 of the overlay, over random recordings with a fixed random flow of our orders. */

import { describe, expect, it } from 'vitest';
import { NO_TICK } from '../../src/core/number/ladder.ts';
import { AGAINST, FOR, oppositeIndex, type SideIndex } from '../../src/core/side.ts';
import type { UpdateColumns } from '../../src/recording/segment/update.ts';
import type { CancellationRule } from '../../src/simulator/overlay/fill-rules.ts';
import { fillRulesOf } from '../../src/simulator/overlay/fill-rules.ts';
import { cellOf } from '../../src/simulator/overlay/level-cell.ts';
import { budget } from '../support/budget.ts';
import type { OwnFill, PlacedOrder } from '../support/overlay/minimal-exchange.ts';
import {
  boundsBreach,
  facingBreach,
  neutralityBreach,
  searchBreach,
  spendBreach,
  watchPriority,
} from '../support/overlay/overlay-laws.ts';
import { type ModelAtMarket, OverlayReplay } from '../support/overlay/overlay-replay.ts';
import { randomScript, type Script, type ScriptHabits, type SeenThrough } from '../support/overlay/random-script.ts';
import { TapeLedger } from '../support/overlay/tape-ledger.ts';

const SEEDS = budget({ each: 60, deep: 1_000 });
const CANCELLATIONS: readonly CancellationRule[] = ['pro-rata', 'ahead', 'behind', 'log', { power: 3 }];
const BOUNDS = ['lowest', 'pessimistic', 'central', 'optimistic', 'highest'] as const;

/** What a source shows of each side, by seed; a seed without an entry has a source that shows all levels. */
const SOURCES: readonly (readonly [string, (seed: number) => SeenThrough | undefined])[] = [
  ['all levels', () => undefined],
  [
    'the best few levels',
    (seed) => ({ depth: 1 + (seed % 3), levelsOutOfSight: seed % 4 === 0 ? 'never' : { maxAgeMs: 50 * (seed % 5) } }),
  ],
];

function replayOf({ outcomes, window }: Script, cancellations: CancellationRule = 'pro-rata'): OverlayReplay {
  const { depth, levelsOutOfSight = 'always' } = window ?? {};
  const rules = BOUNDS.map((bound) => ({ ...fillRulesOf(bound, cancellations), levelsOutOfSight }));
  return new OverlayReplay(outcomes, rules, depth);
}

function expectNoBreach(breach: string | undefined, seed: number, at: number): void {
  if (breach !== undefined) expect.fail(`seed ${seed}, step ${at}: ${breach}`);
}

describe.each(SOURCES)(`the overlay over %s, ${SEEDS} seeds`, (_, windowOf) => {
  function scriptOf(seed: number, habits: ScriptHabits): Script {
    const window = windowOf(seed);
    return randomScript(seed, window === undefined ? habits : { ...habits, window });
  }

  it('law 1: shows the recording but for what we consumed and rest, and exactly it where nothing of ours is left', () => {
    let neutralAfterOrders = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const script = scriptOf(seed, { updates: 30, crossOwn: true, pauses: seed % 3 === 0 });
      const replay = replayOf(script);
      const tape = new TapeLedger(script.outcomes);
      for (let at = 0; at < script.steps.length; at += 1) {
        const step = script.steps[at]!;
        if (step.kind === 'update') tape.read(step.update);
        replay.doAt(at, step);
        expectNoBreach(neutralityBreach(replay.book, replay.instances, tape), seed, at);
        for (const instance of replay.instances) {
          if (at % 4 === 0) expectNoBreach(searchBreach(replay.book, instance), seed, at);
          const unfilled = [...instance.exchange.orders.values()].some((order) => order.voided === order.stake);
          if (step.kind === 'update' && instance.model.isIdle && unfilled) neutralAfterOrders += 1;
        }
      }
    }
    console.log(`law 1: ${neutralAfterOrders} updates compared after orders of ours had come and gone`);
    expect(neutralAfterOrders).toBeGreaterThan(2 * SEEDS);
  });

  it('law 2: no recorded stake fills twice', () => {
    const filled = { rested: 0, taken: 0 };
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const script = scriptOf(seed, { updates: 60, crossOwn: true, pauses: false });
      const replay = replayOf(script);
      const audits = replay.instances.map((instance) => new SpendAudit(instance, script.outcomes));
      script.steps.forEach((step, at) => {
        if (step.kind === 'update') for (const audit of audits) audit.read(step.update);
        const hidden = levelsOutOfSight(replay);
        replay.doAt(at, step);
        const shown = hidden.filter(([, cell]) => replay.book.window?.isOutOfSight(cell) !== true);
        for (const audit of audits) for (const [level] of shown) audit.shownAgain(level);
        for (const audit of audits) expectNoBreach(audit.breach(replay, step.kind === 'update'), seed, at);
      });
      for (const audit of audits) {
        filled.rested += audit.rested;
        filled.taken += audit.taken;
      }
    }
    console.log('law 2: pieces checked', filled);
    expect(Math.min(filled.rested, filled.taken)).toBeGreaterThan(1_000);
  });

  it('law 4: orders of ours fill by price, then in their order', () => {
    let makers = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const script = scriptOf(seed, { updates: 60, crossOwn: true, pauses: seed % 3 === 0 });
      const replay = replayOf(script, CANCELLATIONS[seed % 5]);
      const breaches: string[] = [];
      for (const instance of replay.instances) watchPriority(instance, breaches);
      script.steps.forEach((step, at) => {
        replay.doAt(at, step);
        expectNoBreach(breaches[0], seed, at);
      });
      for (const { exchange } of replay.instances)
        makers += exchange.fills.filter((fill) => fill.how !== 'took').length;
    }
    expect(makers).toBeGreaterThan(1_000);
  });

  it('law 5: the five matched stakes of an order are in order at every moment, where no order of ours was before it', () => {
    const seen = { orders: 0, matched: 0, apart: [0, 0, 0, 0] };
    for (let seed = 1; seed <= SEEDS * 6; seed += 1) {
      const script = scriptOf(seed, { updates: 60, crossOwn: false, pauses: seed % 2 === 0, lone: true });
      const replay = replayOf(script, CANCELLATIONS[seed % 5]);
      script.steps.forEach((step, at) => {
        replay.doAt(at, step);
        expectNoBreach(boundsBreach(replay.instances), seed, at);
      });
      for (const { client, matched } of replay.instances[2]!.exchange.orders.values()) {
        seen.orders += 1;
        if (matched > 0) seen.matched += 1;
        const matchedByModel = replay.instances.map(({ exchange }) => exchange.matched(client));
        seen.apart = seen.apart.map((count, at) => count + (matchedByModel[at]! < matchedByModel[at + 1]! ? 1 : 0));
      }
    }
    console.log('law 5:', seen);
    expect(seen.matched).toBeGreaterThan(0.4 * SEEDS);
    // Each fill model differs from the next one in some orders; otherwise their order would say nothing.
    expect(Math.min(...seen.apart)).toBeGreaterThan(0.25 * SEEDS);
  });

  it('and of nearly all orders, where what they match also hangs on what became of orders before them', () => {
    let [orders, inOrder] = [0, 0];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const script = scriptOf(seed, { updates: 60, crossOwn: false, pauses: seed % 2 === 0 });
      const replay = replayOf(script, CANCELLATIONS[seed % 5]);
      script.steps.forEach((step, at) => {
        replay.doAt(at, step);
      });
      for (const { client } of replay.instances[0]!.exchange.orders.values()) {
        const matched = replay.instances.map(({ exchange }) => exchange.matched(client));
        orders += 1;
        if (matched.every((stake, at) => stake <= (matched[at + 1] ?? stake))) inOrder += 1;
      }
    }
    console.log(`law 5: ${inOrder} of ${orders} orders`);
    expect(inOrder / orders).toBeGreaterThan(0.98);
  });

  it('law 8: no order faces crossing stake that is left while the market matches; nothing is held after the end', () => {
    let resting = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const script = scriptOf(seed, { updates: 60, crossOwn: true, pauses: seed % 2 === 0 });
      const replay = replayOf(script, CANCELLATIONS[seed % 5]);
      let resumed = true;
      script.steps.forEach((step, at) => {
        replay.doAt(at, step);
        // A market that resumes matches crossing stake at the end of the update that says so.
        if (step.kind === 'update') resumed = !replay.paused;
        if (!resumed || replay.paused || step.kind === 'resume') return;
        for (const instance of replay.instances) {
          if (instance.model.rules.crossing === 'reserved') continue;
          expectNoBreach(facingBreach(instance), seed, at);
          resting += instance.exchange.resting().length;
        }
      });
      for (const instance of replay.instances) expectNothingHeld(seed, instance);
    }
    expect(resting).toBeGreaterThan(10_000);
  });
});

/** Compares one model's fills with the tape, update by update and in sum. */
class SpendAudit {
  rested = 0;
  taken = 0;
  readonly #instance: ModelAtMarket;
  readonly #update: TapeLedger;
  readonly #whole: TapeLedger;
  readonly #takenAt = new Map<string, number>();
  #known = 0;

  constructor(instance: ModelAtMarket, outcomes: number) {
    this.#instance = instance;
    this.#update = new TapeLedger(outcomes);
    this.#whole = new TapeLedger(outcomes);
  }

  read(update: UpdateColumns): void {
    this.#update.startOver();
    this.#update.read(update);
    this.#whole.read(update);
  }

  shownAgain({ outcome, side, tick }: LevelPlace): void {
    this.#update.comesAgain(outcome, side, tick);
  }

  breach(replay: OverlayReplay, afterUpdate: boolean): string | undefined {
    const { exchange } = this.#instance;
    for (const fill of exchange.fills.slice(this.#known)) {
      const order = exchange.orders.get(fill.client)!;
      this.#update.fill(fill, order);
      this.#whole.fill(fill, order);
      if (fill.how === 'recorded') this.rested += 1;
      const over = fill.how === 'took' && fill.fromRecorded ? this.#overtaken(order, fill) : undefined;
      if (over !== undefined) return over;
    }
    this.#known = exchange.fills.length;
    const consumed = spendBreach(replay.book, this.#instance, this.#whole);
    return consumed ?? (afterUpdate ? this.#update.breach() : undefined);
  }

  /** Takers consume at most what ever came to rest at a level. */
  #overtaken(order: PlacedOrder, fill: OwnFill): string | undefined {
    this.taken += 1;
    const maker = oppositeIndex(order.side);
    const name = `${order.outcome} ${maker} ${fill.tick}`;
    const taken = (this.#takenAt.get(name) ?? 0) + fill.stake;
    this.#takenAt.set(name, taken);
    const came = this.#whole.cameToRest(order.outcome, maker, fill.tick);
    return taken > came ? `took ${taken} of ${came} at ${name}` : undefined;
  }
}

interface LevelPlace {
  readonly outcome: number;
  readonly side: SideIndex;
  readonly tick: number;
}

/** Levels that the source does not show now, with their cells. */
function levelsOutOfSight({ book }: OverlayReplay): (readonly [LevelPlace, number])[] {
  const found: (readonly [LevelPlace, number])[] = [];
  if (book.window === undefined) return found;
  for (let outcome = 0; outcome < book.outcomes; outcome += 1) {
    for (const side of [FOR, AGAINST]) {
      for (
        let tick = book.bestTick(outcome, side);
        tick !== NO_TICK;
        tick = book.worseInRow(outcome * 2 + side, tick)
      ) {
        const cell = cellOf(outcome, side, tick);
        if (book.window.isOutOfSight(cell)) found.push([{ outcome, side, tick }, cell]);
      }
    }
  }
  return found;
}

function expectNothingHeld(seed: number, { model, exchange }: ModelAtMarket): void {
  for (const order of exchange.resting()) exchange.cancel(order.client);
  model.release();
  model.resume();
  model.updateEnded();
  expect(model.isIdle, `seed ${seed}`).toBe(true);
}
