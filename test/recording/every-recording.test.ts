/** Every recording of the manifest compared with the second reader, update by update and level by level. */

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ImportFailure } from '../../src/recording/betfair/decompress/import-failure.ts';
import { type ImportReport, importBetfair } from '../../src/recording/betfair/import.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { verifyTape } from '../../src/recording/verify.ts';
import { EXPECTED, type Expected } from '../support/betfair-manifest.ts';
import { type ReadUpdate, readText, readUpdates } from '../support/betfair-reader.ts';
import { describeWithRecordings, recordingFile } from '../support/shared.ts';
import { type PicturedOutcome, TapePicture } from '../support/tape-picture.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describeWithRecordings('every recording', () => {
  for (const expected of EXPECTED) {
    test(`${expected.file} is imported as the manifest leads one to expect`, () => checkFile(expected));
  }
});

async function checkFile(expected: Expected): Promise<void> {
  const source = recordingFile(expected.file);
  const path = join(temporaryDirectory('recording'), `${expected.file}.tape`);
  if (expected.failure !== undefined) {
    const failure = await importBetfair({ files: [source], tape: path }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ImportFailure);
    expect((failure as ImportFailure).code).toBe(expected.failure);
    expect([existsSync(path), existsSync(`${path}.partial`)]).toEqual([false, false]);
    if (expected.imported === 0) return;
  }
  const onError = expected.failure === undefined ? 'fail' : 'skip';
  const report = await importBetfair({ files: [source], tape: path, onError });
  const tape = Tape.open(path);
  try {
    checkCounts(expected, report, tape);
    expect(verifyTape(path)).toEqual([]);
    checkSettlement(expected, tape);
    compare(tape, source);
  } finally {
    tape.close();
    rmSync(path);
  }
}

function checkCounts(expected: Expected, report: ImportReport, tape: Tape): void {
  expect(report.updatesRead).toBe(expected.updates);
  expect(report.updatesImported).toBe(expected.imported);
  expect(tape.markets.length).toBe(expected.markets);
  expect(tape.markets.reduce((sum, market) => sum + market.updates, 0)).toBe(expected.imported);
  for (const market of tape.markets) {
    expect(market).toMatchObject({ bettingType: expected.bettingType, grade: expected.grade });
    expect(market.tradable).toBe(expected.refusal === undefined);
    expect(market.refusal ?? '').toMatch(expected.refusal ?? /^$/);
  }
}

function checkSettlement(expected: Expected, tape: Tape): void {
  const last = tape.definitions(0).at(-1);
  const count = (status: string) => last?.outcomes.filter((outcome) => outcome.status === status).length;
  expect(count('Winner')).toBe(expected.winners);
  const removed = new Set<number>();
  for (const definition of tape.definitions(0)) {
    definition.outcomes.forEach((outcome, index) => {
      if (outcome.status === 'Removed') removed.add(index);
    });
  }
  expect(removed.size).toBe(expected.removed ?? 0);
  if (expected.voided === true) expect(last?.status).toBe('Voided');
  else if ((expected.winners ?? 0) > 0) expect(last?.status).toBe('Settled');
}

function compare(tape: Tape, source: string): void {
  const pictures = new Map(tape.markets.map((market) => [market.facts.id, new TapePicture(tape, market.index)]));
  const definitions = tape.markets.map((market) => tape.definitions(market.index));
  const cursors = tape.markets.map((market) => tape.cursor({ markets: [market.index] }));
  for (const read of readUpdates(readText(source))) {
    const picture = pictures.get(read.market);
    if (picture === undefined) continue;
    const { index } = picture.market;
    const update = cursors[index]?.next();
    if (update === undefined) throw new Error(`the tape ends before update ${picture.updates} of ${read.market}`);
    if (update.sequence !== picture.updates || update.publishedAt !== read.publishedAt) {
      throw new Error(`update ${picture.updates} has sequence ${update.sequence} and time ${update.publishedAt}`);
    }
    picture.apply(update);
    compareUpdate(picture, read);
    compareDefinition(definitions[index]?.[picture.definition], read, picture);
  }
  for (const cursor of cursors) expect(cursor.next()).toBeUndefined();
}

function compareUpdate(picture: TapePicture, read: ReadUpdate): void {
  const where = `update ${picture.updates - 1} of ${read.market}`;
  const ids = new Set([...read.touched, ...[...picture.touched].map((index) => picture.idOf(index))]);
  for (const id of ids) {
    const outcome = picture.outcomes[picture.indexById.get(id) as number] as PicturedOutcome;
    const runner = read.runners.get(id);
    if (runner === undefined) throw new Error(`${where}: unknown runner ${id}`);
    sameLevels(`${where}, ${id} back`, outcome.back, runner.back);
    sameLevels(`${where}, ${id} lay`, outcome.lay, runner.lay);
    if (picture.market.grade === 'B') {
      sameWindow(`${where}, ${id} back`, outcome.back, runner.backWindow, (price, as) => price >= as);
      sameWindow(`${where}, ${id} lay`, outcome.lay, runner.layWindow, (price, as) => price <= as);
      const bestBack = runner.backWindow[0]?.[0] ?? 0;
      const bestLay = runner.layWindow[0]?.[0] ?? Number.POSITIVE_INFINITY;
      if (bestBack >= bestLay) throw new Error(`${where}, ${id}: the book is crossed`);
    }
    const isOnLadder = picture.market.prices !== undefined || onLadder(runner.lastPrice);
    if (isOnLadder && outcome.lastPrice !== runner.lastPrice) throw new Error(`${where}, ${id}: last price`);
    if (outcome.startingPrices[0] !== rounded(runner.near)) throw new Error(`${where}, ${id}: near price`);
    if (outcome.startingPrices[1] !== rounded(runner.far)) throw new Error(`${where}, ${id}: far price`);
  }
  if (picture.market.prices === undefined) sameTrades(where, picture, read);
}

function sameLevels(where: string, tape: ReadonlyMap<number, number>, read: ReadonlyMap<number, number>): void {
  let differs = tape.size !== read.size;
  for (const [price, size] of read)
    if (Math.abs((tape.get(price) ?? Number.NaN) - size) > 1e-9 || !tape.has(price)) differs = true;
  if (differs) throw new Error(`${where}: tape ${JSON.stringify([...tape])}, source ${JSON.stringify([...read])}`);
}

/**
 * Checks that the best levels of the tape's book are what the source displayed: all of them are there, and no other
 * level is as good as the worst of them.
 */
function sameWindow(
  where: string,
  tape: ReadonlyMap<number, number>,
  shown: readonly (readonly [number, number])[],
  isAsGood: (price: number, as: number) => boolean,
): void {
  const worst = shown.at(-1)?.[0];
  let best = 0;
  if (worst !== undefined) for (const price of tape.keys()) if (isAsGood(price, worst)) best += 1;
  const all = shown.every(([price]) => tape.has(price));
  if (!all || best !== shown.length)
    throw new Error(`${where}: ${best} best levels, displayed ${JSON.stringify(shown)}`);
}

function sameTrades(where: string, picture: TapePicture, read: ReadUpdate): void {
  const text = (trades: readonly { outcome: string; price: number; stake: number }[]) =>
    trades
      .map((trade) => `${trade.outcome} ${trade.price} ${trade.stake.toFixed(3)}`)
      .sort()
      .join('; ');
  if (text(picture.trades) !== text(read.trades)) {
    throw new Error(`${where}: trades ${text(picture.trades)}, source ${text(read.trades)}`);
  }
}

function onLadder(price: number | undefined): boolean {
  return price === undefined || LADDER_PRICES.has(price);
}

const LADDER_PRICES = new Set<number>();
for (const [to, step] of [
  [200, 1],
  [300, 2],
  [400, 5],
  [600, 10],
  [1000, 20],
  [2000, 50],
  [3000, 100],
  [5000, 200],
  [10_000, 500],
  [100_000, 1000],
] as const) {
  let price = LADDER_PRICES.size === 0 ? 101 : Math.max(...LADDER_PRICES) * 100 + step;
  for (; price <= to + 0.5; price += step) LADDER_PRICES.add(Math.round(price) / 100);
}

function rounded(price: number | undefined): number {
  return price === undefined ? 0 : Math.round(price * 1000) / 1000;
}

const STATUS: Record<string, string> = { INACTIVE: 'Initializing', OPEN: 'Open', SUSPENDED: 'Open' };
const RUNNER_STATUS: Record<string, string> = {
  ACTIVE: 'Active',
  WINNER: 'Winner',
  PLACED: 'Winner',
  LOSER: 'Loser',
  REMOVED: 'Removed',
  HIDDEN: 'Hidden',
};

function compareDefinition(
  definition: ReturnType<Tape['definitions']>[number] | undefined,
  read: ReadUpdate,
  picture: TapePicture,
): void {
  const source = read.definition;
  if (definition === undefined) throw new Error('an update without a definition');
  const status = STATUS[source.status] ?? definition.status;
  const runners = (source.runners ?? []) as { id: number; hc?: number; status: string; adjustmentFactor?: number }[];
  const expected = {
    status,
    suspended: source.status === 'SUSPENDED',
    inPlay: source.inPlay,
    delay: source.betDelay * 1000,
    base: source.marketBaseRate * 10_000,
    start: Date.parse(source.marketTime),
    runners: runners.map((runner) => RUNNER_STATUS[runner.status]).join(),
    // Of every runner, as the source says it; one that was removed without a factor lowers nothing.
    factors: runners
      .map(({ status, adjustmentFactor }) => adjustmentFactor ?? (status === 'REMOVED' ? 0 : undefined))
      .map((factor) => (factor === undefined ? '' : Math.round(factor * 1e4)))
      .join(),
  };
  const own = runners.map(
    (runner) =>
      definition.outcomes[picture.indexById.get(runner.hc ? `${runner.id}@${runner.hc}` : `${runner.id}`) as number],
  );
  const actual = {
    status: definition.status,
    suspended: definition.suspended,
    inPlay: definition.inPlayStatus === 'InPlay',
    delay: definition.inPlayDelayMs,
    base: definition.commissionPpm,
    start: definition.expectedStartTime,
    runners: own.map((outcome) => outcome?.status).join(),
    factors: own.map((outcome) => outcome?.factorPpm ?? '').join(),
  };
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`update ${picture.updates - 1}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  }
}
