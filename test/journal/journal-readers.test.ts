/** All that read a journal agree on it, whatever order its records have: recovery, report, steps, fit and times. */

import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runOrders } from '../../src/app/parity/fit/run-orders.ts';
import { runTimes } from '../../src/app/parity/run-times.ts';
import { stepSequenceOf } from '../../src/app/parity/steps/step-sequence.ts';
import { runStory } from '../../src/app/run-report/run-orders.ts';
import { money } from '../../src/core/number/units.ts';
import type { JournalRecord, TimedRecord } from '../../src/core/run/journal.ts';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import { writeFormat1 } from '../support/journal/format-1.ts';
import { journalFolder, open, recordsOf, written } from '../support/journal/journal-folder.ts';
import { MadeRecords, reportedOrder, sentOrder } from '../support/journal/made-records.ts';

const UNIT = 1_000_000;
const newJournal = journalFolder();

/** Of an order that a reader knows: stake matched, stake left, and the code by which it was refused. */
type Seen = readonly [matched: number, left: number, refused?: string | undefined];
type SeenBy = ReadonlyMap<number, Seen>;

const sent: JournalRecord = { kind: 'sent', ...sentOrder(1) };
const CANCELLED = { status: 'Cancelled', stakeUnmatched: money(0), stakeVoided: money(5 * UNIT) } as const;

function told(matched: number, over: Parameters<typeof reportedOrder>[1] = {}): JournalRecord {
  const stakes = { stakeMatched: money(matched * UNIT), winningsMatched: money(matched * UNIT) };
  const status = matched === 0 ? 'Unmatched' : matched === 5 ? 'Matched' : 'PartiallyMatched';
  const report = { ...stakes, status, stakeUnmatched: money((5 - matched) * UNIT) } as const;
  return { kind: 'reported', ...reportedOrder(1, { ...report, ...over }) };
}

function timed(...records: readonly JournalRecord[]): readonly TimedRecord[] {
  return records.map((record, index) => ({ at: 1_000 + index, record }));
}

/** What recovery has not forgotten. */
function recovered(records: Iterable<TimedRecord>): SeenBy {
  const { orders } = rebuild('r1', records);
  return new Map(
    orders.flatMap(({ terms, report }) =>
      report === undefined ? [] : [[terms.client, [report.stakeMatched, report.stakeUnmatched]]],
    ),
  );
}

function reported(records: Iterable<TimedRecord>): {
  readonly orders: SeenBy;
  readonly fills: ReadonlyMap<number, number>;
} {
  const story = runStory(records);
  const fills = new Map<number, number>();
  for (const { order, stake } of story.fills) fills.set(order, (fills.get(order) ?? 0) + Math.round(stake * UNIT));
  const orders = story.orders.map(({ id, stakeMatched, stake, status, endedAt, reason }): [number, Seen] => {
    const matched = Math.round(stakeMatched * UNIT);
    const left = endedAt !== undefined || status === undefined ? 0 : Math.round(stake * UNIT) - matched;
    return [id, status === undefined || reason !== undefined ? [matched, left, reason] : [matched, left]];
  });
  return { orders: new Map(orders), fills };
}

function stepped(records: Iterable<TimedRecord>): SeenBy {
  const { orders } = stepSequenceOf(records, { from: 0, to: Number.POSITIVE_INFINITY });
  return new Map(
    [...orders].map(([client, { reports, rejected }]) => {
      const last = reports.at(-1);
      const seen = [last?.stakeMatched ?? 0, last?.stakeUnmatched ?? 0] as const;
      return [client, last === undefined ? [...seen, rejected] : seen] satisfies [number, Seen];
    }),
  );
}

function fitted(records: Iterable<TimedRecord>): SeenBy {
  return new Map(
    runOrders(records).map(({ terms, fills, taken, resting, endedAt }) => [
      terms.client,
      [fills.at(-1)?.matched ?? taken, endedAt === undefined ? (resting.at(-1)?.stake ?? 0) : 0],
    ]),
  );
}

/** By reader, of order 1. */
function seenOf(records: Iterable<TimedRecord>) {
  const all = [...records];
  const report = reported(all);
  return {
    recovery: recovered(all).get(1),
    report: report.orders.get(1),
    steps: stepped(all).get(1),
    fit: fitted(all).get(1),
    filled: report.fills.get(1) ?? 0,
  };
}

function alike(seen: Seen, over: object = {}) {
  return { recovery: seen, report: seen, steps: seen, fit: seen, filled: seen[0], ...over };
}

const ALL: Seen = [5 * UNIT, 0];
const THREE: Seen = [3 * UNIT, 2 * UNIT];
const UNSAID: Seen = [0, 0, undefined];
const NOBODY = { recovery: undefined, fit: undefined };

test.each<[string, readonly JournalRecord[], object]>([
  ['a report that is older than one before it', [sent, told(0), told(5), told(2), told(5)], alike(ALL)],
  ['a report that comes twice', [sent, told(0), told(3), told(3)], alike(THREE)],
  ['a report before its order', [told(3), sent], alike(UNSAID, NOBODY)],
  ['fills out of order', [sent, told(0), told(2), told(1), told(3), told(2)], alike(THREE)],
  ['an order that is sent twice', [sent, told(0), told(3), sent, told(3)], alike(THREE)],
  ['an answer that was lost', [sent, { kind: 'unknown', client: 1, code: 'TIMEOUT' }, told(0), told(3)], alike(THREE)],
  [
    'a refusal of an order that was reported',
    [sent, told(3), { kind: 'rejected', client: 1, code: 'X' }],
    alike(THREE),
  ],
  ['a refusal', [sent, { kind: 'rejected', client: 1, code: 'X' }], alike([0, 0, 'X'], NOBODY)],
  [
    'an order that was proven absent and is there',
    [
      sent,
      { kind: 'rejected', client: 1, code: 'PROVEN_ABSENT' },
      { kind: 'reappeared', client: 1, order: 9 },
      told(3),
    ],
    alike(THREE),
  ],
  [
    // The fit compares an order up to its first end, and leaves this one out as unsure.
    'an order that had ended, lives again and is adopted by its number',
    [
      ...[sent, told(0, CANCELLED), { kind: 'reappeared', client: 1, order: 9, hadEnded: true } as const],
      ...[{ kind: 'adopted', order: 9, ...sentOrder(1) } as const, told(3)],
    ],
    alike(THREE, { fit: [0, 0] }),
  ],
  [
    'an order of another program',
    [{ kind: 'adopted', order: 9, ...sentOrder(1) }, told(5), told(3)],
    alike(ALL, { steps: undefined, fit: undefined }),
  ],
  [
    'a result that is corrected twice',
    [sent, told(5), told(5, { status: 'Won' }), told(5, { status: 'Voided' }), told(5, { status: 'Lost' }), told(2)],
    alike(ALL),
  ],
])('%s', (_, records, expected) => {
  expect(seenOf(timed(...records))).toEqual(expected);
});

test('the report of a market that was voided, and settled after all, has each fill once', () => {
  const voided = { status: 'Voided', stakeUnmatched: money(0), stakeVoided: money(5 * UNIT) } as const;
  const { report, steps, filled } = seenOf(timed(sent, told(5), told(0, voided), told(5, { status: 'Won' })));
  expect({ report, steps, filled }).toEqual({ report: ALL, steps: ALL, filled: 5 * UNIT });
});

test('a result counts by its difference, with the commission of all of it', () => {
  const settled = (profit: number, commission: number): JournalRecord => ({
    ...{ kind: 'settled', market: 'm1', wallet: 'main' },
    ...{ profit: money(profit * UNIT), commission: money(commission * UNIT) },
  });
  const records = timed(sent, told(5), settled(5, 2), settled(-3, 1));
  const { settlements } = runStory(records);
  const [result] = rebuild('r1', records).results;
  const [step] = stepSequenceOf(records, { from: 0, to: 2_000 }).settlements.values();
  expect(settlements.map(({ profit, commission }) => [profit, commission])).toEqual([
    [5, 2],
    [-3, -1],
  ]);
  expect([result?.net, result?.commission]).toEqual([2 * UNIT, UNIT]);
  expect([step?.net, step?.commission]).toEqual([2 * UNIT, UNIT]);
});

describe('a journal on disk', () => {
  const TAIL = timed(told(2), told(3));
  const unsure = (records: readonly TimedRecord[]) => runOrders(records).map(({ isUnsure }) => isUnsure);

  test('that was compacted and has lost what was packed is read from its checkpoint on', () => {
    const file = newJournal();
    const head = timed(sent, told(0), told(2));
    const checkpoint = { at: 1_002, record: { kind: 'checkpoint', state: rebuild('r1', head) } } as const;
    const journal = written(file, [...head, checkpoint, checkpoint]);
    journal.compact();
    for (const { at, record } of TAIL) journal.append(at, record);
    journal.commit();
    journal.close();
    expect(seenOf(recordsOf(file))).toEqual(alike(THREE));
    rmSync(`${file}.past`);
    const rest = recordsOf(file);
    expect(rest.map(({ record }) => record.kind)).toEqual(['checkpoint', 'checkpoint', 'reported', 'reported']);
    expect(seenOf(rest)).toEqual(alike(THREE));
    expect(unsure(rest)).toEqual([true]);
  });

  test('of an older version has neither the names of events nor notes', () => {
    const file = newJournal();
    writeFormat1(file, { run: 'r1', records: timed(sent, told(0), told(2)), lastClient: 1 });
    const journal = open(file);
    for (const { at, record } of TAIL) journal.append(at, record);
    journal.commit();
    journal.close();
    expect(seenOf(recordsOf(file))).toEqual(alike(THREE));
    expect(unsure(recordsOf(file))).toEqual([false]);
    rmSync(`${file}.format-1`);
    expect(seenOf(recordsOf(file))).toEqual(alike(THREE));
  });
});

describe('laws, over seeded lives that a kill may end after any record', () => {
  const lives = Array.from({ length: 40 }, (_, index) => ({
    seed: index + 1,
    records: MadeRecords.of(index + 1, 160),
  }));
  const killed = lives.flatMap(({ seed, records }) =>
    [40, 90, 159, 160].map((end) => ({ where: `seed ${seed}, ${end} records`, records: records.slice(0, end) })),
  );

  test('whatever recovery knows of an order, the others know', () => {
    let orders = 0;
    for (const { where, records } of killed) {
      const [report, steps] = [reported(records), stepped(records)];
      const fit = new Map(runOrders(records).map((order) => [order.terms.client, order]));
      for (const [client, seen] of recovered(records)) {
        orders += 1;
        expect(report.orders.get(client)?.[0], `${where}, order ${client}`).toBe(seen[0]);
        expect(report.fills.get(client) ?? 0, `${where}, fills of ${client}`).toBe(seen[0]);
        const { isUnsure = true, fills = [], taken } = fit.get(client) ?? {};
        if (!isUnsure) expect(fills.at(-1)?.matched ?? taken, `${where}, fit of ${client}`).toBe(seen[0]);
        // Adopted orders are no steps of a strategy.
        if (steps.has(client)) expect(steps.get(client), `${where}, steps of ${client}`).toEqual(seen);
      }
    }
    expect(orders).toBeGreaterThan(900);
  });

  test('a strategy is halted, and trading stopped, for all or for none', () => {
    for (const { where, records } of killed) {
      const { haltedStrategies, trading } = rebuild('r1', records);
      const open = runTimes(records).stops.filter(({ to }) => to === Number.POSITIVE_INFINITY);
      const halted = open.flatMap(({ strategy }) => strategy ?? []).sort();
      expect(halted, where).toEqual(haltedStrategies.map(({ strategy }) => strategy).sort());
      expect(
        open.some(({ why }) => why.startsWith('trading is')),
        where,
      ).toBe(trading !== 'running');
    }
  });
});
