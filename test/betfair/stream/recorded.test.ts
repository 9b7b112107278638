/** What was recorded of the real stream, folded by our caches: markets beside the importer's fold at each update, and orders by hand. */

import { describe, expect } from 'vitest';
import type { WholeChange } from '../../../src/betfair/stream/connection/stream-event.ts';
import { OrderCache } from '../../../src/betfair/stream/orders/order-cache.ts';
import { faultOfChange, MarketFold, type RunnerFold } from '../../../src/betfair/wire/fold/market-fold.ts';
import { tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { instant } from '../../../src/core/number/units.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import { readText, readUpdates } from '../../support/betfair-reader.ts';
import { keyOf } from '../../support/betfair-reader-trades.ts';
import { budget } from '../../support/budget.ts';
import { recordedTape } from '../../support/recorded-tape.ts';
import {
  allRecordings,
  betfairApiFile,
  describeWithRecordings,
  recordingFile,
  testWithRecordings,
} from '../../support/shared.ts';
import { TapePicture } from '../../support/tape-picture.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines as they were recorded.
type Json = any;

interface Message {
  readonly pt: number;
  readonly clk: unknown;
  readonly mc: Json[];
}

/** The messages of a recording, each of all its lines, up to the first line that is damaged. */
function* messagesOf(name: string): Generator<Message> {
  let last: Message | undefined;
  for (const line of readText(recordingFile(name)).split('\n')) {
    if (line.trim() === '') continue;
    let message: Json;
    try {
      message = JSON.parse(line);
    } catch {
      break;
    }
    const { pt, clk, mc = [] } = message;
    if (last !== undefined && typeof clk === 'string' && last.clk === clk && last.pt === pt) last.mc.push(...mc);
    else {
      if (last !== undefined) yield last;
      last = { pt, clk, mc: [...mc] };
    }
  }
  if (last !== undefined) yield last;
}

/** A market as the lines so far add up, whether they tell all levels, and which runners the last message spoke of. */
class Followed {
  readonly fold: MarketFold;
  isWhole = false;
  touched: readonly RunnerFold[] = [];

  constructor(id: string) {
    this.fold = new MarketFold(id);
  }

  take(changes: readonly Json[]): void {
    for (const change of changes) {
      expect(faultOfChange(change)).toBeUndefined();
      this.fold.apply(change);
    }
    const told = changes.flatMap(({ rc }) => rc ?? []);
    this.isWhole ||= told.some((runner) => runner.atb !== undefined || runner.atl !== undefined);
    const isImage = changes.some(({ img }) => img === true);
    this.touched = isImage
      ? [...this.fold.runners.values()]
      : told.flatMap((runner) => this.fold.runners.get(`${runner.id} ${runner.hc ?? 0}`) ?? []);
  }
}

/** Each market after each message that speaks of it. */
function* followed(name: string): Generator<Followed> {
  const markets = new Map<string, Followed>();
  for (const { mc } of messagesOf(name))
    for (const id of new Set(mc.map((change) => change.id))) {
      const market = markets.get(id) ?? new Followed(id);
      markets.set(id, market);
      market.take(mc.filter((change) => change.id === id));
      yield market;
    }
}

const rounded = (levels: Iterable<readonly [number, number]>) =>
  [...levels].map(([price, size]) => [price, Math.round(size * 1e6)]).sort(([one = 0], [other = 0]) => one - other);

describeWithRecordings('the markets of every recording', () => {
  const some = allRecordings().filter((_, index) => index % 4 === 0);
  describe.each(budget({ each: some, deep: allRecordings() }))('%s', (name) => {
    testWithRecordings('have the levels, last and starting prices of the importer at each update', async () => {
      const path = await recordedTape(name).catch(() => undefined);
      // Of one file nothing can be imported, since no line of it has a definition.
      if (path === undefined) return expect(name).toBe('mzaja-betfair-database__1.209492553');
      const tape = Tape.open(path);
      const sides = new Map(
        tape.markets.map(({ facts }, index) => [
          facts.id,
          { cursor: tape.cursor({ markets: [index] }), picture: new TapePicture(tape, index) },
        ]),
      );
      let compared = 0;
      for (const market of followed(name)) {
        const side = sides.get(market.fold.id);
        const update = side?.cursor.next();
        if (side === undefined || update === undefined) continue;
        side.picture.apply(update);
        for (const runner of market.touched) compared += compare(market, runner, side.picture);
      }
      tape.close();
      expect(compared).toBeGreaterThan(0);
    });
  });
});

/** Of a source of the best few levels the importer keeps more than the stream tells: there only its prices are compared. */
function compare({ isWhole }: Followed, runner: RunnerFold, picture: TapePicture): number {
  const index = picture.indexById.get(idOf(runner));
  const outcome = index === undefined ? undefined : picture.outcomes[index];
  if (outcome === undefined) return 0;
  const [near, far] = outcome.startingPrices;
  // A last price that a reduction took off the ladder is on no tape.
  const last = tickOfDecimal(runner.number('ltp') ?? 0) === undefined ? outcome.lastPrice : runner.number('ltp');
  const levels = isWhole ? [rounded(runner.byPrice.atb), rounded(runner.byPrice.atl)] : [];
  const ours = [levels, last, priceOf(runner.number('spn')), priceOf(runner.number('spf'))];
  const imported = [isWhole ? [rounded(outcome.back), rounded(outcome.lay)] : [], outcome.lastPrice, near, far];
  // Comparing texts takes a hundredth of the time.
  if (JSON.stringify(ours) !== JSON.stringify(imported)) expect(ours).toEqual(imported);
  return 1;
}

function idOf({ id, handicap }: RunnerFold): string {
  return keyOf({ id, hc: handicap });
}

/** As a tape has it: 0 where there is none. */
function priceOf(decimal: number | undefined): number {
  return decimal !== undefined && decimal > 1 ? Math.round(decimal * 1000) / 1000 : 0;
}

testWithRecordings(
  'the best few levels are those that a second reader sees, but where sides contradict each other',
  () => {
    let compared = 0;
    let odd = 0;
    for (const name of allRecordings()) {
      let left = budget({ each: 3_000, deep: Number.POSITIVE_INFINITY });
      const updates = readUpdates(readText(recordingFile(name)));
      for (const { fold, isWhole, touched } of followed(name)) {
        const { value } = updates.next();
        left -= 1;
        if (value === undefined || isWhole || left < 0) break;
        expect(value.market).toBe(fold.id);
        for (const runner of touched) {
          const read = value.runners.get(idOf(runner));
          const windows = [windowOf(runner.byLevel.batb), windowOf(runner.byLevel.batl)];
          const seen = [read?.backWindow, read?.layWindow];
          compared += 1;
          if (JSON.stringify(windows) !== JSON.stringify(seen)) odd += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(10_000);
    // A message that moves levels may leave one where it contradicts the others: the second reader leaves it out.
    expect(odd).toBeLessThan(compared / 100);
  },
);

function windowOf(levels: ReadonlyMap<number, readonly [number, number]>): readonly (readonly [number, number])[] {
  return [...levels].sort(([one], [other]) => one - other).map(([, row]) => row);
}

/** The recorded order stream and frames, each as a change of its own. */
function changeOf(line: string, type: WholeChange['type'] = 'update'): WholeChange {
  const { op, pt, clk, oc, mc } = JSON.parse(line);
  const at = instant(pt);
  const feed = op === 'ocm' ? 'orders' : 'markets';
  return { feed, type, publishedAt: at, receivedAt: at, clk, changes: oc ?? mc ?? [], isLate: false, lines: [line] };
}

testWithRecordings('the recorded order stream is read order by order', () => {
  const cache = new OrderCache();
  const lines = betfairApiFile('answers', 'order-stream__1.177596575').trim().split('\n');
  const news = lines.flatMap((line) => cache.take(changeOf(line)));
  expect(news).toMatchObject([
    { kind: 'order', order: { betId: '221073337451', sizeRemaining: 0.8, status: 'EXECUTABLE', side: 'BACK' } },
    { kind: 'order', order: { betId: '221073337451', sizeCancelled: 0.8, status: 'EXECUTION_COMPLETE' } },
    { kind: 'order', order: { betId: '221073362321', selectionId: 37711602, customerStrategyRef: 'c5b4208c2' } },
    // Its end was not told any more.
    { kind: 'vanished', betIds: ['221073362321'] },
    { kind: 'closed', marketId: '1.177596575' },
  ]);
});

testWithRecordings('the recorded order frames are read with every field', () => {
  const cache = new OrderCache();
  const taken = (name: string, type?: WholeChange['type']) =>
    cache.take(changeOf(betfairApiFile('answers', `streaming_ocm_${name}.json`), type));
  const told = (['SUB_IMAGE', 'UPDATE', 'FULL_IMAGE', 'NEW_FULL_IMAGE', 'EMPTY_IMAGE'] as const).map((name) =>
    taken(name, name === 'SUB_IMAGE' ? 'image' : 'update'),
  );
  expect(told.flat().filter(({ kind }) => kind === 'unreadable')).toEqual([]);
  expect(told.map((news) => news.map(({ kind }) => kind).join(' '))).toEqual([
    ...['closed image', 'order', 'order order order order order', 'order order order order order', ''],
  ]);
  const first = told[2]?.[0];
  expect(first).toMatchObject({
    order: {
      ...{ betId: '175706685825', marketId: '1.161613698', selectionId: 7017905, handicap: 8.5, side: 'BACK' },
      ...{ status: 'EXECUTION_COMPLETE', priceSize: { price: 2, size: 2 }, averagePriceMatched: 2, sizeMatched: 2 },
      ...{ sizeRemaining: 0, sizeLapsed: 0, sizeCancelled: 0, sizeVoided: 0, regulatorCode: 'REG_LGA' },
      ...{ persistenceType: 'LAPSE', orderType: 'LIMIT', placedDate: '2019-08-22T13:33:13.000Z' },
      ...{ matchedDate: '2019-08-22T13:33:13.000Z', cancelledDate: '2016-11-07T19:24:30.000Z', bspLiability: 0 },
    },
  });
});
