/** The overlay's laws over every odds recording with a ladder, compared with a second reading of the source. */

import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defined } from '../../src/core/checks/assert.ts';
import { NO_TICK, tickOfDecimal } from '../../src/core/number/ladder.ts';
import { AGAINST, FOR, type SideIndex } from '../../src/core/side.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { TapeMarket } from '../../src/recording/tape/tape-schema.ts';
import { cellOf } from '../../src/simulator/overlay/level-cell.ts';
import { EXPECTED } from '../support/betfair-manifest.ts';
import { type ReadRunner, readText, readUpdates } from '../support/betfair-reader.ts';
import type { Levels } from '../support/betfair-reader-trades.ts';
import { budget } from '../support/budget.ts';
import { boundsBreach, facingBreach, spendBreach, watchPriority } from '../support/overlay/overlay-laws.ts';
import type { ModelAtMarket } from '../support/overlay/overlay-replay.ts';
import { RecordedRun } from '../support/overlay/recorded-run.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { describeWithRecordings, recordingFile } from '../support/shared.ts';

const recordings = EXPECTED.filter(
  ({ bettingType, grade, refusal, failure }) =>
    bettingType === 'ODDS' && (grade === 'A' || grade === 'B') && refusal === undefined && failure === undefined,
);
const FULL_CHECK_EVERY = 1_000;
/** So many updates are read between two comparisons with the source; what any of them touched is compared. */
const COMPARE_EVERY = budget({ each: 5, deep: 1 });
const seen = {
  A: { updates: 0, levels: 0, neutral: 0, orders: 0, matched: 0, belowCentral: 0, aboveCentral: 0 },
  B: { updates: 0, levels: 0, neutral: 0, orders: 0, matched: 0, belowCentral: 0, aboveCentral: 0 },
};

describeWithRecordings('the overlay over recordings', () => {
  recordings.forEach(({ file }, index) => {
    test(`keeps its laws over ${file}`, () => replayFile(file, index + 1));
  });

  test('matched enough orders of each grade, and the bounds differ', () => {
    console.log('laws over recordings:', seen);
    for (const grade of [seen.A, seen.B]) {
      expect(grade.matched).toBeGreaterThanOrEqual(100);
      expect(grade.neutral).toBeGreaterThan(grade.updates / 4);
      expect(Math.min(grade.belowCentral, grade.aboveCentral)).toBeGreaterThan(0);
    }
  });
});

async function replayFile(file: string, seed: number): Promise<void> {
  const path = await recordedTape(file);
  const tape = Tape.open(path);
  try {
    expect(tape.markets.filter((market) => market.tradable).length).toBeGreaterThan(0);
    for (const market of tape.markets) if (market.tradable) replayMarket(tape, market, recordingFile(file), seed);
  } finally {
    tape.close();
    rmSync(path);
  }
}

function replayMarket(tape: Tape, market: TapeMarket, source: string, seed: number): void {
  const { outcomes, id } = market.facts;
  const run = new RecordedRun(market, tape.definitions(market.index), seed);
  const breaches: string[] = [];
  for (const instance of run.bounds) watchPriority(instance, breaches);
  const indexById = new Map(outcomes.map((outcome, index) => [outcome.id, index]));
  const cursor = tape.cursor({ markets: [market.index] });
  const count = market.grade === 'A' ? seen.A : seen.B;
  const touched = new Map<string, ReadRunner>();
  const compare = (where: string): void => {
    for (const [name, runner] of touched) {
      const index = defined(indexById.get(name), `${where}: runner ${name}`);
      count.levels += sameAsSource(run, index, runner, where);
    }
    touched.clear();
  };
  for (const read of readUpdates(readText(source))) {
    if (read.market !== id) continue;
    const update = defined(cursor.next(), `the tape of ${id} ends too early`);
    const where = `${id}, update ${update.sequence}, quoter seed ${seed}`;
    run.step(update);
    count.updates += 1;
    if (run.shy.model.isIdle) count.neutral += 1;
    for (const name of read.touched) touched.set(name, defined(read.runners.get(name), name));
    if (update.sequence % COMPARE_EVERY === 0) compare(where);
    fail(where, breaches[0]);
    if (run.matching) for (const instance of run.bounds.slice(1)) fail(where, facingBreach(instance));
    if (update.sequence % FULL_CHECK_EVERY === 0) checkAll(run, where);
  }
  expect(cursor.next()).toBeUndefined();
  compare(`${id}, at the end, quoter seed ${seed}`);
  checkAll(run, `${id}, at the end, quoter seed ${seed}`);
  countOrders(run, count);
}

/** Laws 2 and 5, and the volume bound of passive fills. */
function checkAll(run: RecordedRun, where: string): void {
  fail(where, boundsBreach(run.bounds));
  run.bounds.forEach((instance, index) => {
    const ledger = defined(run.ledgers[index], 'a ledger for each model');
    fail(where, ledger.breach());
    fail(where, spendBreach(run.replay.book, instance, ledger));
  });
}

/**
 * Law 1: book and models compared with the source. For grade B: all that is known, and the best levels are the window.
 */
function sameAsSource(run: RecordedRun, outcome: number, runner: ReadRunner, where: string): number {
  const back = sameSide(run, outcome, AGAINST, { known: runner.back, window: runner.backWindow }, where);
  return back + sameSide(run, outcome, FOR, { known: runner.lay, window: runner.layWindow }, where);
}

function sameSide(
  run: RecordedRun,
  outcome: number,
  side: SideIndex,
  read: { readonly known: Levels; readonly window: ReadRunner['backWindow'] },
  where: string,
): number {
  const place = `${where}, outcome ${outcome}, side ${side}`;
  const { book } = run.replay;
  let levels = 0;
  for (let tick = book.bestTick(outcome, side); tick !== NO_TICK; tick = book.worseInRow(outcome * 2 + side, tick))
    levels += 1;
  if (levels !== read.known.size) fail(place, `${levels} levels, in the source ${read.known.size}`);
  const inWindow = new Set(read.window.map(([price]) => price));
  for (const [price, size] of read.known) {
    const tick = defined(tickOfDecimal(price), `${place}: price ${price}`);
    const recorded = Math.round(size * 1e6);
    if (book.amountAt(outcome, side, tick) !== recorded) fail(place, `tick ${tick} does not hold ${recorded}`);
    const isHidden = book.window?.isOutOfSight(cellOf(outcome, side, tick)) === true;
    if (book.window !== undefined && isHidden === inWindow.has(price))
      fail(place, `price ${price} is ${isHidden ? 'in' : 'not in'} the window, and taken for the opposite`);
    for (const instance of run.replay.instances) {
      const { model } = instance;
      const own = model.isIdle ? 0 : ownAt(instance, outcome, side, tick);
      const rest = model.isIdle ? 0 : own - model.consumedAt(outcome, side, tick);
      const shown = model.amountAt(outcome, side, tick);
      // A level found gone outside the source's window holds no recorded stake.
      if (shown !== recorded + rest && !(isHidden && shown === own))
        fail(place, `${model.rules.bound} model, tick ${tick}`);
    }
  }
  const { model } = run.shy;
  if (!model.isIdle) return levels;
  let tick = model.bestTick(outcome, side);
  for (const [price, size] of read.window) {
    const shown = model.amountAt(outcome, side, tick);
    if (tick !== tickOfDecimal(price) || shown !== Math.round(size * 1e6))
      fail(place, `window ${price}, shown ${tick}`);
    tick = model.nextTick(outcome, side, tick);
  }
  return levels;
}

function ownAt({ exchange }: ModelAtMarket, outcome: number, side: SideIndex, tick: number): number {
  let stake = 0;
  for (const order of exchange.resting()) {
    if (order.outcome === outcome && order.side === side && order.tick === tick) stake += order.unmatched;
  }
  return stake;
}

function countOrders(run: RecordedRun, count: (typeof seen)['A']): void {
  const [low, central, high] = run.bounds.map((instance) => instance.exchange);
  for (const { client, matched } of defined(central, 'the central model').orders.values()) {
    count.orders += 1;
    if (matched > 0) count.matched += 1;
    if (defined(low, 'the pessimistic model').matched(client) < matched) count.belowCentral += 1;
    if (defined(high, 'the optimistic model').matched(client) > matched) count.aboveCentral += 1;
  }
}

function fail(where: string, breach: string | undefined): void {
  if (breach !== undefined) throw new Error(`${where}: ${breach}`);
}
