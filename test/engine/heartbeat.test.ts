/** The heartbeat's states, as a table of what happens and what is to be done. */

import { describe, expect, it } from 'vitest';
import type { HeartbeatState } from '../../src/core/run/trading-state.ts';
import { Heartbeat, type HeartbeatAction, type HeartbeatAim } from '../../src/engine/live/heartbeat.ts';

const SETTINGS = { timeoutMs: 30_000, pollBudgetMs: 4_000, atEnd: 'clear' } as const;
const YES = { kind: 'heartbeat', active: true, timeoutMs: 30_000 } as const;
const LAPSED = { kind: 'heartbeat', active: false, timeoutMs: 30_000 } as const;
const LOST = { kind: 'unknown', code: 'TIMEOUT', details: '' } as const;

/** What happens at a second, and what is true after it. */
type Step =
  | {
      readonly s: number;
      readonly nextAction: HeartbeatAction | undefined;
      readonly polledS?: number;
      readonly wants?: HeartbeatAim;
    }
  | {
      readonly s: number;
      readonly armed: typeof YES | typeof LAPSED | typeof LOST;
      readonly sentS?: number;
      readonly is: HeartbeatState;
    }
  | { readonly s: number; readonly cleared: typeof LAPSED | typeof LOST; readonly is: HeartbeatState }
  | { readonly s: number; readonly look: HeartbeatState }
  | { readonly s: number; readonly lapse: HeartbeatState }
  | { readonly s: number; readonly back: HeartbeatState };

const CASES: Readonly<Record<string, readonly Step[]>> = {
  'is armed only when it is wanted, and only by a pipeline that reads': [
    { s: 0, nextAction: undefined, wants: 'asItIs' },
    { s: 0, nextAction: undefined, polledS: -5 },
    { s: 0, nextAction: 'arm' },
    { s: 0, armed: YES, is: 'active' },
  ],
  'is refreshed after a third of its timeout, counted from the sending': [
    { s: 0, nextAction: 'arm' },
    { s: 3, armed: YES, sentS: 0, is: 'active' },
    { s: 9.9, nextAction: undefined },
    { s: 10, nextAction: 'arm' },
    { s: 10.5, nextAction: undefined },
  ],
  'a pipeline that has read nothing for longer than its budget lets it lapse': [
    { s: 0, nextAction: 'arm' },
    { s: 0, armed: YES, is: 'active' },
    { s: 15, nextAction: undefined, polledS: 10 },
    { s: 21, look: 'late' },
    { s: 29.9, nextAction: undefined, polledS: 10 },
    { s: 30, look: 'lapsed' },
    { s: 30, nextAction: undefined, polledS: 10 },
    { s: 33, nextAction: 'arm', polledS: 33 },
    { s: 34, armed: LAPSED, is: 'lapsed' },
    { s: 36, nextAction: 'clear', polledS: 10 },
    { s: 37, cleared: LAPSED, is: 'cleared' },
    { s: 40, nextAction: 'arm' },
    { s: 41, armed: YES, sentS: 40, is: 'active' },
  ],
  'a lapse that nobody told of may be none: a refresh tells': [
    { s: 0, nextAction: 'arm' },
    { s: 0, armed: YES, is: 'active' },
    { s: 30, look: 'lapsed' },
    { s: 30, nextAction: 'arm' },
    { s: 31, armed: YES, sentS: 30, is: 'active' },
  ],
  'an unanswered refresh is late at once and tried again': [
    { s: 0, nextAction: 'arm' },
    { s: 0, armed: YES, is: 'active' },
    { s: 10, nextAction: 'arm' },
    { s: 11, armed: LOST, is: 'late' },
    { s: 11.4, nextAction: undefined },
    { s: 11.6, nextAction: 'arm' },
    { s: 12, armed: YES, sentS: 11.6, is: 'active' },
  ],
  'an exchange that says it lapsed is believed, and only DELETE leads out': [
    { s: 0, nextAction: 'arm' },
    { s: 0, armed: LAPSED, is: 'lapsed' },
    { s: 2, nextAction: 'clear' },
    { s: 3, cleared: LOST, is: 'lapsed' },
    { s: 5, nextAction: 'clear' },
    { s: 6, cleared: LAPSED, is: 'cleared' },
    { s: 8, nextAction: undefined, wants: 'asItIs' },
    { s: 8, nextAction: 'arm' },
  ],
  'a confirmation of a refresh sent before a lapse was heard of does not end the lapse': [
    { s: 0, nextAction: 'arm' },
    { s: 0, armed: YES, is: 'active' },
    { s: 10, nextAction: 'arm' },
    { s: 11, lapse: 'lapsed' },
    { s: 12, armed: YES, sentS: 10, is: 'lapsed' },
  ],
  'a clock that goes back makes it late, and a refresh due': [
    { s: 1_000, nextAction: 'arm' },
    { s: 1_000, armed: YES, is: 'active' },
    { s: 1_001, look: 'active' },
    { s: 500, back: 'late' },
    { s: 500, nextAction: 'arm', polledS: 500 },
    { s: 501, armed: YES, sentS: 500, is: 'active' },
    { s: 511, nextAction: 'arm' },
  ],
};

describe('the heartbeat', () => {
  for (const [name, steps] of Object.entries(CASES)) {
    it(name, () => {
      const heartbeat = new Heartbeat(SETTINGS);
      for (const [index, step] of steps.entries()) check(heartbeat, step, `step ${index}`);
    });
  }

  it('takes news of an earlier lapse for a reason to ask, and no more', () => {
    const heartbeat = new Heartbeat(SETTINGS);
    heartbeat.onRequested(100_000, 'arm');
    heartbeat.onArmReply(YES, 100_000);
    heartbeat.onLapse('an order said so', 90_000);
    expect(heartbeat.state).toBe('late');
    heartbeat.onRequested(101_000, 'arm');
    heartbeat.onArmReply(YES, 101_000);
    heartbeat.onLapse('an order said so', 131_500);
    expect(heartbeat.state).toBe('lapsed');
  });

  it('of an earlier process is refreshed as one that may stand', () => {
    const heartbeat = new Heartbeat(SETTINGS, 'active');
    expect(heartbeat.state).toBe('late');
    expect(heartbeat.checkDeadlines(0)).toBeUndefined();
    expect(heartbeat.nextAction(0, { polledAt: 0, wants: 'asItIs' })).toBe('arm');
  });

  it('is cleared once at the end, and nothing is asked where none stands', () => {
    const heartbeat = new Heartbeat(SETTINGS);
    expect(heartbeat.nextAction(0, { polledAt: 0, wants: 'cleared' })).toBeUndefined();
    heartbeat.onRequested(0, 'arm');
    heartbeat.onArmReply(YES, 0);
    expect(heartbeat.nextAction(5_000, { polledAt: 0, wants: 'cleared' })).toBe('clear');
    heartbeat.onClearReply(LAPSED);
    expect(heartbeat.nextAction(9_000, { polledAt: 9_000, wants: 'cleared' })).toBeUndefined();
  });

  it('is cleared at the end though a refresh hangs, and once more where that refresh was heard late', () => {
    const heartbeat = new Heartbeat(SETTINGS);
    heartbeat.onRequested(0, 'arm');
    expect(heartbeat.isGone).toBe(false);
    expect(heartbeat.nextAction(4_000, { polledAt: 4_000, wants: 'asItIs' })).toBeUndefined();
    expect(heartbeat.nextAction(5_000, { polledAt: 5_000, wants: 'cleared' })).toBe('clear');
    heartbeat.onRequested(5_000, 'clear');
    expect(heartbeat.nextAction(7_000, { polledAt: 7_000, wants: 'cleared' })).toBeUndefined();
    heartbeat.onClearReply(LAPSED);
    expect(heartbeat.isGone).toBe(true);
    heartbeat.onArmReply(YES, 0);
    expect(heartbeat.isGone).toBe(false);
    expect(heartbeat.nextAction(9_000, { polledAt: 9_000, wants: 'cleared' })).toBe('clear');
  });
});

function check(heartbeat: Heartbeat, step: Step, what: string): void {
  const now = step.s * 1_000;
  if ('nextAction' in step) {
    const { polledS = step.s, wants = 'armed' } = step;
    const nextAction = heartbeat.nextAction(now, { polledAt: polledS * 1_000, wants });
    expect(nextAction, what).toBe(step.nextAction);
    if (nextAction !== undefined) heartbeat.onRequested(now, nextAction);
    return;
  }
  if ('armed' in step) {
    heartbeat.onArmReply(step.armed, (step.sentS ?? step.s) * 1_000);
    expect(heartbeat.state, what).toBe(step.is);
  } else if ('cleared' in step) {
    heartbeat.onClearReply(step.cleared);
    expect(heartbeat.state, what).toBe(step.is);
  } else if ('look' in step) {
    heartbeat.checkDeadlines(now);
    expect(heartbeat.state, what).toBe(step.look);
  } else if ('lapse' in step) {
    heartbeat.onLapse('an order said so');
    expect(heartbeat.state, what).toBe(step.lapse);
  } else {
    heartbeat.onClockSetBack(now);
    expect(heartbeat.state, what).toBe(step.back);
  }
}
