/** Orders that one side sent and the other refused for the rate: the cause is proven from both seconds, or it stays unexplained. */

import { describe, expect, test } from 'vitest';
import { comparedSides, told } from '../../support/paper/made-sides.ts';
import { MadeRun, type Quote, START } from '../../support/paper/records.ts';

const LIMIT = 2;

/** One side in short: `at market` sends, `at !market` is refused for the rate. */
type Acts = readonly (readonly [at: number, market: string, quote?: Quote])[];

function side(acts: Acts, limit = LIMIT): MadeRun {
  const made = new MadeRun();
  for (const [at, market, quote = {}] of acts) {
    if (market.startsWith('!'))
      made.refused(
        at,
        'LIMIT_RATE',
        { ...quote, market: market.slice(1) },
        { limit, value: limit, wouldBe: limit + 1 },
      );
    else made.order(at, { ...quote, market });
  }
  return made;
}

interface Scenario {
  readonly name: string;
  readonly run: Acts;
  readonly replay: Acts;
  /** Times at which the run acted on what is not on its tapes. */
  readonly missed?: readonly number[];
  readonly limit?: number;
  readonly told: readonly string[];
  /** In the details of the first difference. */
  readonly details?: string;
}

const EXPLAINED: readonly Scenario[] = [
  {
    name: 'the run sends first, and the replay has sent another order in between',
    run: [
      [3_000, 'a'],
      [3_100, 'b'],
      [3_101, '!c'],
    ],
    replay: [
      [3_000, 'a'],
      [3_101, 'c'],
      [3_102, '!b'],
    ],
    // The order comes first in time, then the other side's refusal of it; what the run then refuses follows from that order.
    told: [
      '#1 order latency',
      '#2 refusal latency follows #1',
      '#3 order latency follows #1',
      '#4 refusal latency follows #1',
    ],
    details:
      'LIMIT_RATE of the replay alone: the second before held 2 of 2 orders, 1 in the run: For 2 at 1.51 on o was sent 1 ms before, and the run judged this order before that one',
  },
  {
    name: 'the refusal of the replay is the first difference, since an order left the second of the run a few ms earlier',
    run: [
      [2_000, 'a'],
      [2_500, 'b'],
      [3_001, 'c'],
    ],
    replay: [
      [2_003, 'a'],
      [2_500, 'b'],
      [3_001, '!c'],
    ],
    told: ['#1 refusal latency', '#2 order latency follows #1'],
    details: 'held 2 of 2 orders, 1 in the run: For 2 at 1.51 on o was sent 998 ms before, in the run 1001 ms before',
  },
  {
    name: 'the refusal of the run is the first difference, since it decided a little earlier than the replay',
    run: [
      [2_000, 'a'],
      [2_500, 'b'],
      [2_999, '!c'],
    ],
    replay: [
      [2_000, 'a'],
      [2_500, 'b'],
      [3_001, 'c'],
    ],
    told: ['#1 refusal latency', '#2 order latency follows #1'],
    details:
      'LIMIT_RATE of the run alone: the second before held 2 of 2 orders, 1 in the replay: For 2 at 1.51 on o was sent 999 ms before, in the replay 1001 ms before',
  },
  {
    name: 'in the same ms the two sides judged the markets in another order',
    run: [
      [3_000, 'a'],
      [3_100, 'b'],
      [3_100, '!c'],
    ],
    replay: [
      [3_000, 'a'],
      [3_100, 'c'],
      [3_100, '!b'],
    ],
    // Refusals are told before orders of the same ms.
    told: [
      '#1 refusal latency',
      '#2 refusal latency follows #1',
      '#3 order latency follows #1',
      '#4 order latency follows #1',
    ],
  },
  {
    name: 'an order that only the run sent, since it acted on an update that is not on its tapes, stands in its second',
    run: [
      [3_000, 'b'],
      [3_050, 'a'],
      [3_100, '!c'],
    ],
    replay: [
      [3_000, 'b'],
      [3_100, 'c'],
    ],
    missed: [3_050],
    told: [
      '#1 decision missedPoll',
      '#2 order missedPoll follows #1',
      '#3 refusal missedPoll follows #1',
      '#4 order missedPoll follows #1',
    ],
  },
  {
    name: 'what was refused and came at the next reading stands in the second after that, too',
    run: [
      [2_000, 'a'],
      [2_500, 'b'],
      [3_001, 'c'],
      [3_200, 'c', { tick: 60 }],
      [3_900, '!d'],
      [4_050, 'd'],
    ],
    replay: [
      [2_003, 'a'],
      [2_500, 'b'],
      [3_001, '!c'],
      [3_200, 'c', { tick: 60 }],
      [3_900, 'd'],
      [4_050, '!d'],
    ],
    told: [
      '#1 refusal latency',
      '#2 order latency follows #1',
      '#3 refusal latency follows #1',
      '#4 refusal latency follows #1',
    ],
  },
  {
    name: 'each of two orders of one decision',
    run: [
      [3_000, 'b'],
      [3_000, 'c'],
      [3_002, '!a'],
      [3_002, '!a', { side: 'Against' }],
    ],
    replay: [
      [3_000, 'a'],
      [3_000, 'a', { side: 'Against' }],
      [3_004, '!b'],
      [3_004, '!c'],
    ],
    told: [
      '#1 order latency',
      '#2 order latency',
      '#3 order latency follows #1',
      '#4 order latency follows #1',
      '#5 refusal latency follows #1',
      '#6 refusal latency follows #1',
      '#7 refusal latency follows #1',
      '#8 refusal latency follows #2',
    ],
  },
];

/** What no proof explains must stay unexplained, or parity flatters. */
const UNEXPLAINED: readonly Scenario[] = [
  {
    name: 'both seconds hold clearly fewer orders than the limit',
    run: [
      [3_000, 'a'],
      [3_100, 'c'],
    ],
    replay: [
      [3_000, 'a'],
      [3_102, '!c'],
    ],
    limit: 5,
    told: ['#1 order unexplained', '#2 refusal unexplained follows #1'],
    details: 'LIMIT_RATE of the replay alone: the second before held 1 of 5 orders, 1 in the run',
  },
  {
    name: 'fewer than the limit, and an order of the replay alone in its second',
    run: [[3_100, 'c']],
    replay: [
      [3_050, 'a'],
      [3_100, '!c'],
    ],
    limit: 5,
    told: [
      '#1 decision unexplained',
      '#2 order unexplained follows #1',
      '#3 refusal unexplained',
      '#4 order unexplained follows #3',
    ],
  },
  {
    name: 'the side that sent was at the limit as well',
    run: [
      [3_000, 'a'],
      [3_050, 'b'],
      [3_100, 'c'],
    ],
    replay: [
      [3_000, 'a'],
      [3_050, 'b'],
      [3_100, '!c'],
    ],
    told: ['#1 refusal unexplained', '#2 order unexplained follows #1'],
    details: 'held 2 of 2 orders, 2 in the run',
  },
  {
    name: 'the second of the refusal holds orders that are themselves unexplained',
    run: [
      [2_000, 'a'],
      [3_001, 'c'],
    ],
    replay: [
      [2_003, 'a'],
      [2_100, 'b'],
      [2_200, 'b'],
      [3_001, '!c'],
    ],
    told: [
      '#1 decision unexplained',
      '#2 order unexplained follows #1',
      '#3 decision unexplained follows #1',
      '#4 order unexplained follows #1',
      '#5 refusal unexplained follows #1',
      '#6 order unexplained follows #1',
    ],
  },
];

describe('explained', () => {
  test.each(EXPLAINED)('$name', ({ run, replay, limit, missed = [], told: lines, details }) => {
    const hasUpdate = (_market: string, { from, to }: { readonly from: number; readonly to: number }) =>
      missed.every((at) => START + at < from || START + at > to);
    const result = comparedSides(side(run, limit), side(replay, limit), { hasUpdate });
    expect(told(result)).toEqual(lines);
    if (details !== undefined) expect(result.differences[0]?.details).toContain(details);
  });
});

describe('unexplained', () => {
  test.each(UNEXPLAINED)('$name', ({ run, replay, limit, told: lines, details }) => {
    const result = comparedSides(side(run, limit), side(replay, limit));
    expect(told(result)).toEqual(lines);
    if (details !== undefined) expect(result.differences[0]?.details).toContain(details);
  });

  const figures = { limit: LIMIT, value: LIMIT, wouldBe: LIMIT + 1 };

  test('what differs in the same market for another reason is no reason', () => {
    const [run, replay] = [new MadeRun(), new MadeRun()];
    for (const [made, matched] of [
      [run, 2],
      [replay, 0],
    ] as const) {
      const order = made.order(1_000, { market: 'c' });
      made.report(1_100, order).report(2_000, order, matched);
    }
    run.order(9_000, { market: 'c' });
    replay.refused(9_000, 'LIMIT_RATE', { market: 'c' }, figures);
    expect(told(comparedSides(run, replay))).toEqual([
      '#1 fill queue',
      '#2 refusal unexplained',
      '#3 order unexplained follows #2',
    ]);
  });

  test('nor is a stop of an operator', () => {
    const [run, replay] = [new MadeRun(), new MadeRun()];
    run.add(1_000, { kind: 'trading', from: 'running', to: 'reduceOnly', cause: 'noon', by: 'command' });
    run.order(9_000, { market: 'c' });
    replay.refused(9_000, 'LIMIT_RATE', { market: 'c' }, figures);
    expect(told(comparedSides(run, replay))).toEqual(['#1 refusal unexplained', '#2 order unexplained follows #1']);
  });

  test('a refusal of no decision that is known', () => {
    const [run, replay] = [new MadeRun(), new MadeRun()];
    for (const made of [run, replay]) made.order(3_000);
    run.add(3_000, { kind: 'refused', strategy: 's', market: 'm', code: 'LIMIT_RATE', ...figures });
    expect(told(comparedSides(run, replay))).toEqual(['#1 refusal unexplained']);
  });

  test('in a paper run, whose times are the same bit for bit, times are no reason', () => {
    const run = side([
      [3_000, 'a'],
      [3_100, 'b'],
      [3_100, '!c'],
    ]);
    const replay = side([
      [3_000, 'a'],
      [3_100, 'c'],
      [3_100, '!b'],
    ]);
    const causes = comparedSides(run, replay, { mode: 'paper' }).differences.map(({ cause }) => cause);
    expect(new Set(causes)).toEqual(new Set(['unexplained']));
  });
});

describe('a limit that is lowered, and orders of other programs', () => {
  /** A foreign order is in the second of the run alone. */
  function adopting(limit: number): readonly [MadeRun, MadeRun] {
    const run = new MadeRun();
    const replay = new MadeRun();
    for (const made of [run, replay]) made.order(3_000, { market: 'a' });
    run.adopted(3_050).refused(3_100, 'LIMIT_RATE', { market: 'c' }, { limit, value: 2, wouldBe: 3 });
    replay.order(3_100, { market: 'c' });
    return [run, replay];
  }

  test('an adopted order took the room', () => {
    const result = comparedSides(...adopting(2));
    expect(told(result)).toEqual(['#1 refusal operator', '#2 order operator follows #1']);
    expect(result.differences[0]?.details).toContain('another program');
  });

  test('one is not enough where two are too many', () => {
    expect(told(comparedSides(...adopting(1)))[0]).toBe('#1 refusal unexplained');
  });
});
