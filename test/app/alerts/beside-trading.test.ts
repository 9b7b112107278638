/** What a bot does, and when, is the same with ways of sending alerts that fail, hang or are not there. */

import { expect, test } from 'vitest';
import { Notifications } from '../../../src/app/live/alerts/notifications.ts';
import { DaemonLog } from '../../../src/app/live/log/daemon-log.ts';
import { recordLine } from '../../../src/app/live/log/record-line.ts';
import { Secret } from '../../../src/exchange-live/connection/secret.ts';
import type { WireReply } from '../../../src/exchange-live/connection/transport.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { scriptedTransport } from '../../support/alerts/scripted-transport.ts';
import { stage } from '../../support/engine/bot-stage.ts';

const MINUTES = 10;

/** A bot with trouble enough: a feed falls silent again and again, and it is halted and resumed. */
function troubledRun(answer: ((number: number) => WireReply | undefined) | undefined) {
  const steps: string[] = [];
  const seen = { sent: 0, dropped: 0, inStep: 0 };
  let isInStep = false;
  const listener = (clock: SimulatedClock) => {
    const log = new DaemonLog({
      now: () => clock.now(),
      level: 'error',
      base: {},
      secrets: [],
      write: () => undefined,
    });
    const transport = scriptedTransport(clock);
    const counted = {
      ...transport,
      send: (...call: Parameters<typeof transport.send>) => {
        seen.sent += 1;
        if (isInStep) seen.inStep += 1;
        return transport.send(...call);
      },
    };
    if (answer !== undefined) {
      transport.script = answer;
      const way = { kind: 'webhook', url: new Secret('http://h/'), headers: [], from: 'warn' } as const;
      const options = { name: 'b', ways: [way], perMinute: 60, repeatMs: 1_000, deadMan: undefined, secrets: [] };
      const notifications = new Notifications({ options, clock, log, connect: () => counted });
      clock.schedule(
        () => {
          seen.dropped = notifications.counts().ways[0]?.dropped ?? 0;
        },
        (MINUTES * 60 - 1) * 1_000,
      );
    }
    return (at: number, record: Parameters<typeof recordLine>[0]) => {
      steps.push(JSON.stringify([at, record]));
      isInStep = true;
      // More than one would say in a storm.
      for (let times = 0; times < 20; times += 1) log.write(recordLine(record));
      isInStep = false;
    };
  };
  const run = stage({ listener });
  for (let minute = 0; minute < MINUTES; minute += 1) {
    run.until(minute * 60_000 + 10_000);
    run.exchange.silent.add('orders');
    run.until(minute * 60_000 + 20_000);
    run.exchange.silent.delete('orders');
    run.bot.halt('command', `minute ${minute}`);
    run.until(minute * 60_000 + 30_000);
    run.bot.resume('command');
  }
  run.until(MINUTES * 60_000);
  return { steps, asked: run.exchange.asked.map(({ what, at }) => `${at} ${what}`), ...seen };
}

test.each([
  ['answers', () => ({ kind: 'reply', status: 200, body: '' }) as const],
  ['never answers', () => undefined],
  ['answers 500', () => ({ kind: 'reply', status: 500, body: '' }) as const],
  ['asks for a pause', () => ({ kind: 'reply', status: 429, body: '', retryAfter: '120' }) as const],
  ['cannot be reached', () => ({ kind: 'unsent', details: 'connect ECONNREFUSED' }) as const],
])('a way that %s: every step and every request at the same instant as without it', (_, answer) => {
  const without = troubledRun(undefined);
  const run = troubledRun(answer);
  expect(run.steps.length).toBeGreaterThan(100);
  expect(run.asked.length).toBeGreaterThan(100);
  expect(run.steps).toEqual(without.steps);
  expect(run.asked).toEqual(without.asked);
  expect(run.sent, 'there was something to send').toBeGreaterThan(3);
  expect(run.inStep, 'nothing is sent within a step').toBe(0);
});
