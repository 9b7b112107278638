/** What one side sent, cancelled or refused and the other refused, by codes other than the rate, whichever of the two comes first. */

import { describe, expect, test } from 'vitest';
import type { EvidenceParts } from '../../../src/app/parity/evidence.ts';
import { money } from '../../../src/core/number/units.ts';
import { comparedSides, told } from '../../support/paper/made-sides.ts';
import { MadeRun, START } from '../../support/paper/records.ts';

const CANCELLED = { status: 'Cancelled', stakeUnmatched: money(0), stakeVoided: money(2_000_000) } as const;

const STARTED = { kind: 'started', run: 'r', version: '0.0.9', mode: 'live', config: '', strategies: [] } as const;

interface Scenario {
  readonly name: string;
  readonly make: (run: MadeRun, replay: MadeRun) => unknown;
  readonly told: readonly string[];
  readonly evidence?: Partial<EvidenceParts>;
  readonly details?: string;
}

/** Both send an order in the market at 1,000 and have the same answer. */
function same(run: MadeRun, replay: MadeRun): readonly [number, number] {
  const [a, b] = [run.order(1_000), replay.order(1_000)];
  run.report(1_100, a);
  replay.report(1_100, b);
  return [a, b];
}

const quiet = { hasUpdate: () => false };

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a limit on all orders, which are the same on both sides: the rule itself differs',
    make: (run, replay) => {
      same(run, replay);
      run.order(3_000, { market: 'n' });
      replay.refused(3_002, 'LIMIT_WALLET', { market: 'n' });
    },
    told: ['#1 order rule', '#2 refusal rule follows #1'],
    details: 'the replay alone refuses: LIMIT_WALLET',
  },
  {
    name: 'the same the other way round',
    make: (run, replay) => {
      same(run, replay);
      run.refused(3_002, 'LIMIT_WALLET', { market: 'n' });
      replay.order(3_000, { market: 'n' });
    },
    told: ['#1 order rule', '#2 refusal rule follows #1'],
  },
  {
    name: 'a limit on money that an older version measured by required funds',
    make: (run, replay) => {
      run.add(0, STARTED);
      same(run, replay);
      run.refused(3_002, 'LIMIT_MARKET', { market: 'n' });
      replay.order(3_000, { market: 'n' });
    },
    told: ['#1 order version', '#2 refusal version follows #1'],
    details:
      'LIMIT_MARKET of the run alone: oddsmith 0.0.9 ran it, and measured its limits on money by the funds that the exchange asks for, and not by what can be lost',
  },
  {
    name: 'a limit on money after the run went on with a version that measures losses',
    make: (run, replay) => {
      run.add(0, STARTED);
      same(run, replay);
      run.add(2_000, { ...STARTED, limitsOn: 'loss' });
      run.refused(3_002, 'LIMIT_MARKET', { market: 'n' });
      replay.order(3_000, { market: 'n' });
    },
    told: ['#1 order rule', '#2 refusal rule follows #1'],
  },
  {
    name: 'the funds of the wallet, which all versions measure alike',
    make: (run, replay) => {
      run.add(0, STARTED);
      same(run, replay);
      run.refused(3_002, 'INSUFFICIENT_FUNDS', { market: 'n' });
      replay.order(3_000, { market: 'n' });
    },
    told: ['#1 order rule', '#2 refusal rule follows #1'],
  },
  {
    name: 'a limit that counts an order which only one side sent',
    make: (run, replay) => {
      replay.order(2_000, { market: 'm' });
      run.order(3_000, { market: 'n' });
      replay.refused(3_002, 'LIMIT_WALLET', { market: 'n' });
    },
    told: [
      '#1 decision unexplained',
      '#2 order unexplained follows #1',
      '#3 order unexplained follows #1',
      '#4 refusal unexplained follows #1',
    ],
  },
  {
    name: 'a limit of a market does not count an order in another one',
    make: (run, replay) => {
      replay.order(2_000, { market: 'm' });
      run.order(3_000, { market: 'n' });
      replay.refused(3_002, 'LIMIT_MARKET', { market: 'n' });
    },
    told: ['#1 decision unexplained', '#2 order unexplained follows #1', '#3 order rule', '#4 refusal rule follows #3'],
  },
  {
    name: 'a limit does not count an order that ended long ago without a match',
    make: (run, replay) => {
      const order = replay.order(2_000, { market: 'm' });
      replay.report(2_100, order, 0, CANCELLED);
      run.order(3_000, { market: 'n' });
      replay.refused(3_002, 'LIMIT_WALLET', { market: 'n' });
    },
    told: ['#1 decision unexplained', '#2 order unexplained follows #1', '#3 order rule', '#4 refusal rule follows #3'],
  },
  {
    name: 'a limit that counts an order whose end only one side knew',
    make: (run, replay) => {
      const [a, b] = same(run, replay);
      run.report(2_999, a, 0, CANCELLED);
      replay.report(3_010, b, 0, CANCELLED);
      run.order(3_000, { market: 'n' });
      replay.refused(3_002, 'LIMIT_WALLET', { market: 'n' });
    },
    told: ['#1 order latency', '#2 refusal latency follows #1'],
    details: 'LIMIT_WALLET of the replay alone: the state of For 2 at 1.51 on o was known to one only',
  },
  {
    name: 'the market was suspended between the two times',
    make: (run, replay) => {
      run.order(3_000, { market: 'n' }, 'order');
      replay.refused(3_002, 'MARKET_SUSPENDED', { market: 'n' }, {}, 'order');
    },
    told: ['#1 order latency', '#2 refusal latency follows #1'],
    details: 'judged 2 ms apart, and the market changed in between',
  },
  {
    name: 'nothing on the tapes suspended it between the two times',
    make: (run, replay) => {
      run.order(3_000, { market: 'n' }, 'order');
      replay.refused(3_002, 'MARKET_SUSPENDED', { market: 'n' }, {}, 'order');
    },
    evidence: quiet,
    told: ['#1 order rule', '#2 refusal rule follows #1'],
  },
  {
    name: 'both judged on the same update, so that the market was the same',
    make: (run, replay) => {
      run.order(3_000, { market: 'n' });
      replay.refused(3_002, 'MARKET_SUSPENDED', { market: 'n' });
    },
    told: ['#1 order rule', '#2 refusal rule follows #1'],
  },
  {
    name: 'the limit of orders a second was changed between the two times',
    make: (run, replay) => {
      run.add(10, { kind: 'limits', limits: { ordersPerSecond: 5 } });
      run.order(3_000, { market: 'n' });
      run.add(3_001, { kind: 'limits', limits: { ordersPerSecond: 0 } });
      replay.refused(3_002, 'LIMIT_RATE', { market: 'n' }, { limit: 0, value: 0 });
    },
    told: ['#1 order operator', '#2 refusal operator follows #1'],
    details: 'the limit of orders a second was changed',
  },
  {
    name: 'only another limit was changed then',
    make: (run, replay) => {
      run.add(10, { kind: 'limits', limits: { ordersPerSecond: 1, order: 10 } });
      run.order(3_000, { market: 'n' });
      run.add(3_001, { kind: 'limits', limits: { ordersPerSecond: 1, order: 20 } });
      replay.refused(3_002, 'LIMIT_RATE', { market: 'n' }, { limit: 1, value: 1 });
    },
    told: ['#1 order unexplained', '#2 refusal unexplained follows #1'],
  },
  {
    name: 'trading was halted between the two times',
    make: (run, replay) => {
      run.refused(3_000, 'LIMIT_MARKET', { market: 'n' });
      run.add(3_001, { kind: 'trading', from: 'running', to: 'halted', cause: 'noon', by: 'file' });
      replay.refused(3_002, 'HALTED', { market: 'n' });
    },
    told: ['#1 refusal operator', '#2 refusal operator follows #1'],
    details: 'trading is halted: noon',
  },
  {
    name: 'of two refusals the one whose rule is asked first is the difference',
    make: (run, replay) => {
      run.refused(3_000, 'SELF_MATCH', { market: 'n' });
      replay.refused(3_000, 'LIMIT_RATE', { market: 'n' }, { limit: 1, value: 1 });
    },
    told: ['#1 refusal rule', '#2 refusal rule follows #1'],
    details: 'the run alone refuses: SELF_MATCH',
  },
  {
    name: 'a cancellation of an order whose end the replay knew already',
    make: (run, replay) => {
      const [a, b] = same(run, replay);
      replay.report(2_999, b, 2);
      for (const [made, order] of [
        [run, a],
        [replay, b],
      ] as const) {
        const intents = [{ kind: 'cancel', order } as const];
        made.add(3_000, { kind: 'decided', strategy: 's', market: 'm', why: 'prices', intents });
      }
      run.cancel(3_000, a);
      replay.add(3_000, { kind: 'refused', strategy: 's', market: 'm', code: 'ORDER_NOT_LIVE' });
      run.report(3_005, a, 2);
    },
    told: ['#1 refusal latency', '#2 cancel latency follows #1'],
    details: 'knew of a fill',
  },
  {
    name: 'what takes the place of a replaced order, refused by one side for the rate',
    make: (run, replay) => {
      const [a, b] = same(run, replay);
      for (const [made, order] of [
        [run, a],
        [replay, b],
      ] as const) {
        const intents = [{ kind: 'replace', order, price: 1.6 } as const];
        made.add(3_000, { kind: 'decided', strategy: 's', market: 'm', why: 'prices', intents });
        made.cancel(3_000, order);
      }
      // A decision of the same instant in another market, whose order takes the room in the replay.
      run.report(3_004, a, 0, CANCELLED).sent(3_004, { tick: 59 });
      run.refused(3_005, 'LIMIT_RATE', { market: 'n' }, { limit: 1, value: 1 });
      replay.order(3_005, { market: 'n' });
      replay.report(3_120, b, 0, CANCELLED);
      replay.add(3_120, { kind: 'refused', strategy: 's', market: 'm', code: 'LIMIT_RATE', limit: 1, value: 1 });
    },
    told: [
      '#1 order latency',
      '#2 refusal latency follows #1',
      '#3 order latency follows #1',
      '#4 refusal latency follows #1',
    ],
    details: 'was sent 115 ms before, and the run judged this order before that one',
  },
  {
    name: 'an order that a decision places in another market than its own',
    make: (run, replay) => {
      const place = { kind: 'place', market: 'n', outcome: 'o', side: 'For', price: 1.51, stake: 2 } as const;
      for (const made of [run, replay])
        made.add(3_000, { kind: 'decided', strategy: 's', market: 'm', why: 'prices', intents: [place] });
      run.sent(3_000, { market: 'n' });
      replay.add(3_000, { kind: 'refused', strategy: 's', market: 'n', code: 'LIMIT_RATE', limit: 4, value: 4 });
    },
    told: ['#1 refusal unexplained', '#2 order unexplained follows #1'],
    details: 'held 0 of 4 orders, 0 in the run',
  },
];

describe('a refusal that only one side gave', () => {
  test.each(SCENARIOS)('$name', ({ make, evidence, told: lines, details }) => {
    const [run, replay] = [new MadeRun(), new MadeRun()];
    make(run, replay);
    const result = comparedSides(run, replay, evidence);
    expect(told(result)).toEqual(lines);
    const own = result.differences.filter(({ follows }) => follows === undefined).at(-1);
    if (details !== undefined) expect(own?.details).toContain(details);
  });
});

describe('the same decision at several readings', () => {
  /** Refused at each reading, 175 ms apart; the replay decides once more, at the end of the second reading. */
  test('is compared with that of the same reading, not of the one before', () => {
    const [run, replay] = [new MadeRun(), new MadeRun()];
    for (const at of [3_000, 3_175, 3_350, 3_525]) run.refused(at, 'LIMIT_MARKET');
    for (const at of [2_900, 3_003, 3_178, 3_353, 3_528]) replay.refused(at, 'LIMIT_MARKET');
    const { differences } = comparedSides(run, replay);
    expect(differences.map(({ at, step, run: ours }) => [at - START, step, ours])).toEqual([
      [2_900, 'decision', undefined],
      [2_900, 'refusal', undefined],
    ]);
  });

  test('on an answer that came before the reading on one side and after it on the other is one difference of nothing', () => {
    const [run, replay] = [new MadeRun(), new MadeRun()];
    run.refused(3_000, 'LIMIT_MARKET', {}, {}, 'order').refused(3_030, 'LIMIT_MARKET');
    replay.refused(3_030, 'LIMIT_MARKET').refused(3_090, 'LIMIT_MARKET', {}, {}, 'order');
    expect(told(comparedSides(run, replay))).toEqual([]);
  });
});

test('an order that one side sent at once, and the other at a later reading, after it was refused', () => {
  const [run, replay] = [new MadeRun(), new MadeRun()];
  run.order(3_000);
  replay.refused(3_000, 'LIMIT_MARKET').order(3_900);
  const { differences } = comparedSides(run, replay);
  expect(differences.map(({ step, run: ours, replay: theirs }) => [step, ours, theirs])).toEqual([
    ['refusal', undefined, 'LIMIT_MARKET: place For 2 at 1.51 on o'],
    ['order', 'For 2 at 1.51 on o (900 ms before the replay)', 'For 2 at 1.51 on o'],
    ['decision', undefined, 'prices: place For 2 at 1.51 on o'],
  ]);
  expect(differences.map(({ follows }) => follows)).toEqual([undefined, 1, 1]);
});
