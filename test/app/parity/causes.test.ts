/** Each cause, injected into one side of two runs that are the same else, and the name it is given. */

import { describe, expect, test } from 'vitest';
import { compareRuns } from '../../../src/app/parity/compare-runs.ts';
import type { EvidenceParts } from '../../../src/app/parity/evidence.ts';
import { hasBetween } from '../../../src/app/parity/parity-run.ts';
import { runTimes } from '../../../src/app/parity/run-times.ts';
import { money } from '../../../src/core/number/units.ts';
import type { ParityResult } from '../../../src/result/parity.ts';
import { MadeRun, START } from '../../support/paper/records.ts';

const CANCELLED = { status: 'Cancelled', stakeUnmatched: money(0), reason: 'UserRequest' } as const;

interface Scenario {
  readonly run: MadeRun;
  readonly replay: MadeRun;
  readonly mode?: 'live' | 'paper';
  /** When messages of the market arrive, ms after the start; each second if absent. */
  readonly heardAt?: readonly number[];
  readonly evidence?: Partial<EvidenceParts>;
}

function compared({ run, replay, mode = 'live', heardAt, evidence = {} }: Scenario): ParityResult {
  const times = (heardAt ?? Array.from({ length: 60 }, (_, second) => second * 1_000)).map((at) => START + at);
  const { downs, stops } = runTimes(run.records);
  return compareRuns({
    ...{ run: run.records, replay: replay.records, updates: times.length },
    span: { from: START, to: START + 60_000 },
    evidence: {
      ...{ mode, downs, stops, changed: new Set(), delayMaxMs: 400, gaps: () => [] },
      hasUpdate: (_market, { from, to }) => hasBetween(times, from, to),
      firstUpdate: () => times[0],
      ...evidence,
    },
  });
}

/** `number step cause`, with what it follows. */
function told({ differences }: ParityResult): readonly string[] {
  return differences.map(
    ({ number, step, cause, follows }) =>
      `#${number} ${step} ${cause}${follows === undefined ? '' : ` follows #${follows}`}`,
  );
}

/** An order a second, accepted after 100 ms, in both. */
function pair(): { readonly run: MadeRun; readonly replay: MadeRun } {
  const sides = { run: new MadeRun(), replay: new MadeRun() };
  for (const side of [sides.run, sides.replay]) for (const at of [1_000, 2_000]) side.report(at + 100, side.order(at));
  return sides;
}

describe('two runs that are the same', () => {
  test('have no difference, and all is counted', () => {
    const { run, replay } = pair();
    const result = compared({ run, replay });
    expect(result.differences).toEqual([]);
    expect(result.counts).toMatchObject({
      decision: { run: 2, replay: 2, same: 2 },
      order: { run: 2, replay: 2, same: 2 },
      reply: { run: 2, replay: 2, same: 2 },
    });
  });

  test('need not count their orders alike', () => {
    const { run, replay } = pair();
    replay.order(200, { market: 'other' });
    run.order(300, { market: 'other' });
    const [a, b] = [run.order(3_000), replay.order(3_000)];
    run.cancel(4_000, a).add(4_000, {
      kind: 'decided',
      strategy: 's',
      market: 'm',
      why: 'prices',
      intents: [{ kind: 'cancel', order: a }],
    });
    replay.cancel(4_000, b + 0).add(4_000, {
      kind: 'decided',
      strategy: 's',
      market: 'm',
      why: 'prices',
      intents: [{ kind: 'cancel', order: b }],
    });
    expect(told(compared({ run, replay })).filter((line) => !line.includes('#1'))).toEqual([]);
  });

  test('live answers and steps may be a little apart, those of a paper run may not', () => {
    const { run, replay } = pair();
    run.report(3_150, run.order(3_020));
    replay.report(3_100, replay.order(3_000));
    expect(told(compared({ run, replay }))).toEqual([]);
    expect(told(compared({ run, replay, mode: 'paper' }))).not.toEqual([]);
  });
});

describe('missedPoll', () => {
  test('the run acted on an update that is not on its tapes', () => {
    const { run, replay } = pair();
    run.order(3_500);
    const result = compared({ run, replay });
    expect(told(result)).toEqual(['#1 decision missedPoll', '#2 order missedPoll follows #1']);
    expect(result.differences[0]?.details).toContain('not on its tapes');
  });

  test('the tape has a gap', () => {
    const { run, replay } = pair();
    replay.order(3_000);
    const gap = { from: START + 2_500, to: START + 3_500, why: 'prices could not be read (TIMEOUT)' };
    const result = compared({ run, replay, evidence: { gaps: () => [gap] } });
    expect(told(result)).toEqual(['#1 decision missedPoll', '#2 order missedPoll']);
    expect(result.differences[0]?.details).toContain('TIMEOUT');
  });

  test('the run had noticed that prices are old', () => {
    const { run, replay } = pair();
    run.add(2_900, { kind: 'freshness', feed: 'prices', market: 'm', isLate: true, ageMs: 6_000, budgetMs: 5_000 });
    run.refused(3_000, 'FEED_STALE');
    replay.order(3_000);
    expect(told(compared({ run, replay }))).toEqual(['#1 refusal missedPoll', '#2 order missedPoll follows #1']);
  });
});

describe('latency', () => {
  test.each([
    [380, 'within the model'],
    [900, 'beyond the 400 ms of the model'],
  ])('an answer after %i ms, %s', (delay, where) => {
    const { run, replay } = pair();
    run.report(3_000 + delay, run.order(3_000));
    replay.report(3_020, replay.order(3_000));
    const result = compared({ run, replay });
    expect(told(result)).toEqual(['#1 reply latency']);
    expect(result.differences[0]?.details).toContain(where);
  });

  test('what the strategy decided on the late answer follows, and so does the other fill', () => {
    const { run, replay } = pair();
    const [a, b] = [run.order(3_000), replay.order(3_000)];
    run.report(3_900, a).order(3_900, { tick: 60 }, 'order');
    replay.report(3_100, b, 2).order(3_100, { tick: 70 }, 'order');
    expect(told(compared({ run, replay }))).toEqual([
      '#1 reply latency',
      '#2 fill latency follows #1',
      '#3 decision latency follows #1',
      '#4 order latency follows #1',
      '#5 decision latency follows #1',
      '#6 order latency follows #1',
    ]);
  });

  test('an answer that was lost', () => {
    const { run, replay } = pair();
    const [a, b] = [run.order(3_000), replay.order(3_000)];
    run.add(8_000, { kind: 'unknown', client: a, code: 'TIMEOUT' }).report(8_100, a);
    replay.report(3_100, b);
    expect(told(compared({ run, replay }))).toEqual(['#1 reply latency']);
  });
});

describe('queue and liquidity', () => {
  test.each([
    ['rested and was filled in the run alone', 2, 0, 'queue'],
    ['rested and was filled in the replay alone', 0, 2, 'queue'],
    ['rested and was filled in part', 1, 2, 'queue'],
  ] as const)('%s', (_name, ours, theirs, cause) => {
    const { run, replay } = pair();
    const [a, b] = [run.order(3_000), replay.order(3_000)];
    run.report(3_100, a);
    replay.report(3_100, b);
    if (ours > 0) run.report(9_000, a, ours);
    if (theirs > 0) replay.report(9_000, b, theirs);
    expect(told(compared({ run, replay }))).toEqual([`#1 fill ${cause}`]);
  });

  test.each([
    ['RetainUnmatched', 1, 2],
    ['CancelUnmatched', 2, 0],
  ] as const)('%s: other stake was there on arrival', (matchBehavior, ours, theirs) => {
    const { run, replay } = pair();
    const quote = { matchBehavior };
    run.report(3_100, run.order(3_000, quote), ours);
    replay.report(3_100, replay.order(3_000, quote), theirs);
    expect(told(compared({ run, replay }))).toEqual(['#1 fill liquidity']);
  });

  test('a fill that differs in a model that is the same follows from what differed before it', () => {
    const { run, replay } = pair();
    const [a, b] = [run.order(3_000), replay.order(3_000)];
    run.order(3_500, { side: 'Against' });
    run.report(3_100, a);
    replay.report(3_100, b).report(9_000, b, 2);
    expect(told(compared({ run, replay, mode: 'paper' }))).toEqual([
      '#1 decision missedPoll',
      '#2 order missedPoll follows #1',
      '#3 fill missedPoll follows #1',
    ]);
  });
});

describe('rule', () => {
  test('a refusal of the exchange', () => {
    const { run, replay } = pair();
    run.add(3_100, { kind: 'rejected', client: run.order(3_000), code: 'SUSPENDED_MARKET' });
    replay.report(3_100, replay.order(3_000));
    const result = compared({ run, replay });
    expect(told(result)).toEqual(['#1 reply rule']);
    expect(result.differences[0]?.run).toContain('rejected SUSPENDED_MARKET');
  });

  test('a guard of the bot, and the order that the replay sent instead', () => {
    const { run, replay } = pair();
    run.refused(3_000, 'HEARTBEAT_NOT_ACTIVE');
    replay.order(3_000);
    const result = compared({ run, replay });
    expect(told(result)).toEqual(['#1 refusal operator', '#2 order operator follows #1']);
    expect(result.differences[0]?.details).toContain('HEARTBEAT_NOT_ACTIVE');
  });

  test('a halt cancels what the strategy did not', () => {
    const { run, replay } = pair();
    const [a, b] = [run.order(3_000), replay.order(3_000)];
    run
      .report(3_100, a)
      .add(4_000, { kind: 'trading', from: 'running', to: 'halted', cause: 'wrong team news', by: 'command' });
    run.cancel(4_000, a);
    replay.report(3_100, b);
    const result = compared({ run, replay });
    expect(told(result)).toEqual(['#1 cancel operator']);
    expect(result.differences[0]?.details).toContain('wrong team news');
  });

  test('another reason for which a remainder was voided', () => {
    const { run, replay } = pair();
    const [a, b] = [run.order(3_000), replay.order(3_000)];
    run.report(3_100, a).report(5_000, a, 0, { status: 'Cancelled', reason: 'HeartbeatLapsed' });
    replay.report(3_100, b);
    expect(told(compared({ run, replay }))).toEqual(['#1 end operator']);
  });

  test('another commission on the same bets', () => {
    const { run, replay } = pair();
    const settled = { kind: 'settled', market: 'm', wallet: 'main', profit: 2_000_000 } as const;
    run.add(9_000, { ...settled, commission: 0 } as never);
    replay.add(9_000, { ...settled, commission: 40_000 } as never);
    expect(told(compared({ run, replay }))).toEqual(['#1 settlement rule']);
  });
});

describe('what concerns the strategy', () => {
  test('strategyChanged: its code is not the one that ran', () => {
    const { run, replay } = pair();
    run.order(3_000, { tick: 60 });
    replay.order(3_000, { tick: 70 });
    const result = compared({ run, replay, evidence: { changed: new Set(['s']) } });
    expect(told(result)).toEqual([
      '#1 decision strategyChanged',
      '#2 order strategyChanged follows #1',
      '#3 order strategyChanged follows #1',
    ]);
  });

  test('nonDeterminism: the same inputs, another decision', () => {
    const { run, replay } = pair();
    run.order(3_000, { tick: 60 });
    replay.order(3_000, { tick: 70 });
    const again = { nonDeterministic: new Set(['s m']) };
    expect(told(compared({ run, replay }))[0]).toBe('#1 decision ownStake');
    expect(told(compared({ run, replay, evidence: again }))[0]).toBe('#1 decision nonDeterminism');
    expect(told(compared({ run, replay, mode: 'paper' }))[0]).toBe('#1 decision nonDeterminism');
  });

  test('nonDeterminism: the same update, and only one of them decides', () => {
    const { run, replay } = pair();
    run.order(3_000);
    expect(told(compared({ run, replay, evidence: { nonDeterministic: new Set(['s m']) } }))).toEqual([
      '#1 decision nonDeterminism',
      '#2 order nonDeterminism follows #1',
    ]);
  });

  test('other strategies and markets are judged by themselves', () => {
    const { run, replay } = pair();
    run.order(3_000);
    run.order(4_000, { strategy: 't' });
    replay.order(4_000, { strategy: 't', tick: 51 });
    expect(told(compared({ run, replay })).filter((line) => !line.includes('follows'))).toEqual([
      '#1 decision ownStake',
      '#3 decision ownStake',
    ]);
  });
});

describe('what a live run adds', () => {
  test('ownStake: own orders rest in the recorded prices when the two part', () => {
    const { run, replay } = pair();
    run.order(3_000);
    const result = compared({ run, replay });
    expect(told(result)).toEqual(['#1 decision ownStake', '#2 order ownStake follows #1']);
    expect(result.differences[0]?.details).toContain('our own For 2');
  });

  test('unexplained: nothing of ours rests, and one replay alone proves nothing of the strategy', () => {
    const { run, replay } = { run: new MadeRun(), replay: new MadeRun() };
    run.order(3_000);
    expect(told(compared({ run, replay }))[0]).toBe('#1 decision unexplained');
  });

  test('operator: a halt voids what rested', () => {
    const { run, replay } = pair();
    const [a, b] = [run.order(3_000), replay.order(3_000)];
    run.report(3_100, a).add(4_000, { kind: 'trading', from: 'running', to: 'halted', cause: 'noon', by: 'file' });
    run.report(4_900, a, 0, CANCELLED);
    replay.report(3_100, b);
    const result = compared({ run, replay });
    expect(told(result)).toEqual(['#1 end operator']);
    expect(result.differences[0]?.details).toContain('noon');
  });
});

describe('restart', () => {
  function restarted(run: MadeRun): MadeRun {
    run.records.unshift({ at: START, record: { kind: 'phase', from: 'arming', to: 'trading', cause: '' } });
    return run
      .add(3_000, { kind: 'limits', limits: {} })
      .add(6_000, { kind: 'started', run: 'r', version: '', mode: 'live', config: '', strategies: [] })
      .add(7_000, { kind: 'phase', from: 'arming', to: 'trading', cause: '' });
  }

  test('what the replay decided while the process was down', () => {
    const { run, replay } = pair();
    restarted(run);
    replay.order(5_000);
    expect(told(compared({ run, replay }))).toEqual(['#1 decision restart', '#2 order restart']);
  });

  test('what the strategy decided otherwise afterwards, since it had forgotten', () => {
    const { run, replay } = pair();
    restarted(run);
    run.order(8_000, { tick: 60 });
    expect(told(compared({ run, replay }))).toEqual(['#1 decision restart', '#2 order restart follows #1']);
  });
});

describe('chains', () => {
  test('end when the two are together again: what differs later has a cause of its own', () => {
    const { run, replay } = pair();
    const lost = run.order(3_500);
    run.report(3_600, lost).report(3_700, lost, 0, CANCELLED);
    for (const side of [run, replay])
      for (let at = 4_000; at < 12_000; at += 1_000) side.report(at + 100, side.order(at));
    run.order(20_000);
    expect(told(compared({ run, replay }))).toEqual([
      '#1 decision missedPoll',
      '#2 order missedPoll follows #1',
      '#3 decision ownStake',
      '#4 order ownStake follows #3',
    ]);
  });

  test.each([
    ['rests that only one side has', undefined],
    ['that was filled in one alone holds the positions apart', 2],
  ])('do not end while an order %s', (_, matched) => {
    const { run, replay } = pair();
    run.report(3_600, run.order(3_500), matched);
    for (const side of [run, replay])
      for (let at = 4_000; at < 12_000; at += 1_000) side.report(at + 100, side.order(at));
    run.order(20_000);
    expect(told(compared({ run, replay })).slice(2)).toEqual([
      '#3 decision missedPoll follows #1',
      '#4 order missedPoll follows #1',
    ]);
  });
});

test('unexplained: an order without a decision that differs', () => {
  const { run, replay } = pair();
  run.order(3_000);
  run.records.splice(run.records.length - 2, 1);
  expect(told(compared({ run, replay }))).toEqual(['#1 order unexplained']);
});

test('steps of which the tapes know nothing are not compared, and counted', () => {
  const { run, replay } = pair();
  run.order(70_000);
  expect(compared({ run, replay })).toMatchObject({ notCompared: 2, differences: [] });
});
