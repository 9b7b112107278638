/** The ladders that the view shows at any instant are those of the recording, read from its start. */

import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { instant } from '../../../src/core/number/units.ts';
import { AGAINST, FOR } from '../../../src/core/side.ts';
import { Recorder } from '../../../src/recording/live/recorder.ts';
import { DEFINITION, LEVEL, TRADE } from '../../../src/recording/segment/update.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import { budget } from '../../support/budget.ts';
import { DEFINITION as DEFINED, withTape } from '../../support/imported-stream.ts';
import { type MadeUpdate, writeMade } from '../../support/made-tape.ts';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { MadeBook } from '../../support/record/made-book.ts';
import { recordedTape } from '../../support/recorded-tape.ts';
import { describeWithRecordings } from '../../support/shared.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { foundOf, judgeMarket, naiveOverview, viewOf } from '../../support/view/judged-view.ts';

const INSTANTS = budget({ each: 200, deep: 2_000 });
const opened: Tape[] = [];
afterAll(() => {
  for (const tape of opened) tape.close();
});

function open(path: string): Tape {
  const tape = Tape.open(path);
  opened.push(tape);
  return tape;
}

async function judgeAll(tapes: readonly Tape[], seed: number): Promise<{ instants: number; parts: number }> {
  const view = viewOf(tapes);
  const total = { instants: 0, parts: 0 };
  const rows = view.welcome().markets.filter(({ why }) => why === undefined);
  for (const { id, updates } of rows) {
    const judged = await judgeMarket(view, { tapes, id, instants: INSTANTS, seed });
    expect(judged.updates).toBe(updates);
    total.instants += judged.instants;
    total.parts += judged.parts;
    const market = await foundOf(view.market(id));
    const naive = naiveOverview(tapes, market);
    expect(market.states).toEqual(naive.states);
    expect(market.prices.outcomes).toEqual(naive.outcomes);
  }
  return total;
}

test('of all markets of the bundled sample', async () => {
  const tape = open(SAMPLE_TAPE);
  const { instants } = await judgeAll([tape], 1);
  expect(instants).toBeGreaterThan(14 * INSTANTS);
});

describeWithRecordings('of real recordings', () => {
  test.each([
    ['with full ladders, non-runners and play', 'betfair_parser__1.185781277.bz2'],
    ['with three winners and three non-runners', 'betfair_parser__1.205822330.bz2'],
    ['of several markets, many times suspended', 'betfair-adapter-rs__29788457'],
    ['of the best three levels', 'profitbox__ADVANCED__1.231242248.bz2'],
    ['of the last price alone, with non-runners', 'flumine__BASIC-1.132153978.gz'],
    ['of 55 outcomes with five winners', 'mzaja-betfair-database__1.230478683.bz2'],
    ['of a line', 'profitbox__self_recorded__1.248776885.jsonl.gz'],
    ['of 66 Asian handicaps', 'betfair_parser__1.242971311.bz2'],
  ])(
    '%s',
    async (_what, file) => {
      await judgeAll([open(await recordedTape(file))], 2);
    },
    60_000,
  );
});

const LINE = {
  ...DEFINED,
  bettingType: 'LINE',
  numberOfWinners: 0,
  lineMinUnit: 0.5,
  lineMaxUnit: 999.5,
  lineInterval: 1,
};
const HANDICAP = {
  ...DEFINED,
  ...{ bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE', numberOfWinners: 0 },
  runners: [-0.75, 0.75, -0.5, 0.5].map((hc, at) => ({ id: 7 + (at % 2), hc, sortPriority: at + 1, status: 'ACTIVE' })),
};

/** Levels come and go at prices that are mostly off the odds ladder, as they come: their ticks are in no order. */
function madeChanges(
  definition: typeof LINE | typeof HANDICAP,
  priceOf: (random: Random) => number,
): readonly object[] {
  const random = Random.fromSeed(12);
  const pair = (): readonly number[] => [priceOf(random), random.below(4) * 25];
  return Array.from({ length: 2_500 }, (_, step) => {
    const { id, hc } =
      definition.runners.map((runner) => ({ hc: 0, ...runner }))[random.below(definition.runners.length)] ?? {};
    const trades = step % 5 === 0 ? { trd: [[priceOf(random), 10 * step + 10]], ltp: priceOf(random) } : {};
    const change = { id, hc, [step % 2 === 0 ? 'atb' : 'atl']: [pair(), pair()], ...trades };
    return { rc: [change], ...(step === 0 ? { marketDefinition: definition } : {}) };
  });
}

test.each([
  ['points of a line', LINE, (random: Random) => 0.5 + random.below(400), undefined],
  [
    'a finer ladder, of outcomes with handicaps',
    HANDICAP,
    (random: Random) => 1.01 + random.below(2_000) / 1000,
    '7 −0.75',
  ],
])('of a market that no run can play, with the prices of %s', async (_what, definition, priceOf, title) => {
  await withTape(madeChanges(definition, priceOf), async (tape) => {
    const view = viewOf([tape]);
    const [row] = view.welcome().markets;
    expect(row).toMatchObject({ id: '1.5', why: undefined, refusal: expect.stringContaining(definition.bettingType) });
    await judgeAll([tape], 6);
    const market = await foundOf(view.market('1.5'));
    const prices = market.ownPrices ?? [];
    expect(prices.length).toBeGreaterThan(350);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    expect(market.parts.length).toBeGreaterThan(2);
    if (title !== undefined) expect(market.outcomes.map((outcome) => outcome.title)).toContain(title);
  });
});

test('a market of which nothing is recorded says so', async () => {
  await withTape([{ marketDefinition: { ...DEFINED, runners: [] } }], async (tape) => {
    const view = viewOf([tape]);
    expect(view.welcome().markets).toMatchObject([{ id: '1.5', why: expect.stringContaining('NO_RUNNERS') }]);
    expect(await view.market('1.5')).toMatchObject({ kind: 'not', status: 409 });
  });
});

test('of a market on the tapes of two days', async () => {
  const midnight = Date.UTC(2026, 10, 21);
  const settings = { address: 'http://made', knowsTrades: true, commissionPpm: 0, silenceMaxMs: 9_000 };
  const directory = temporaryDirectory('view');
  const recorder = new Recorder({ ...settings, directory, times: 'received' }, instant(midnight - 60_000));
  const book = new MadeBook('1');
  const random = Random.fromSeed(5);
  recorder.record(book, 'listed', instant(midnight - 60_000));
  for (let step = 1; step < 8_000; step += 1) {
    const at = instant(midnight - 60_000 + step * 15);
    book.rests(
      random.below(2),
      random.below(2) === 0 ? FOR : AGAINST,
      50 + random.below(60),
      random.below(5) * 1_000_000,
    );
    if (step % 10 === 0) book.matched(random.below(2), FOR, 50 + random.below(30), step * 1_000_000);
    if (step >= 2_000 && step % 2_000 < 6) book.suspended = step % 2_000 < 5;
    // Nothing is recorded for a while around midnight: the second tape begins with what came meanwhile.
    if (Math.abs(at - midnight) < 5_000) recorder.commit(at);
    else recorder.record(book, book.suspended ? 'status' : 'prices', at);
  }
  const tapes = recorder.finish(instant(midnight + 70_000)).map(({ path }) => open(path));
  expect(tapes.length).toBe(2);
  const { parts } = await judgeAll(tapes, 3);
  expect(parts).toBeGreaterThan(3);
});

test('of a market with so many levels that not every part has a picture of its own', async () => {
  const [outcomes, ticks] = [40, 350];
  const begin = 1_700_000_000_000;
  const full = Array.from({ length: outcomes * ticks }, (_, cell): MadeUpdate['events'] => {
    const [outcome, tick] = [Math.floor(cell / ticks), cell % ticks];
    const levels = [FOR, AGAINST].map((side) => [LEVEL, outcome, side, tick, 10_000 + cell * 10_000] as const);
    return [...levels, [TRADE, outcome, 0, tick, 5_000]];
  }).flat();
  const updates: MadeUpdate[] = [
    { market: 0, at: begin, receivedAt: begin, events: [[DEFINITION, 0, 0, 0, 0], ...full] },
  ];
  const random = Random.fromSeed(9);
  for (let step = 1; step < 40_000; step += 1) {
    const at = begin + step * 100 - (step % 3 === 0 ? 100 : 0);
    const [outcome, tick] = [random.below(outcomes), random.below(ticks)];
    const level = [LEVEL, outcome, random.below(2), tick, random.below(9) * 10_000] as const;
    updates.push({
      market: 0,
      at,
      receivedAt: at,
      events: step % 2 === 0 ? [level] : [level, [TRADE, outcome, 0, tick, 5_000]],
    });
  }
  const file = join(temporaryDirectory('view'), 'wide.tape');
  writeMade(file, 1, updates);
  const tapes = [open(file)];
  const { parts } = await judgeMarket(viewOf(tapes), { tapes, id: 'm0', instants: 5, seed: 4 });
  expect(parts).toBeGreaterThan(25);
});
