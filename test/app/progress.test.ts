import { expect, test } from 'vitest';
import { duration, startProgress } from '../../src/app/cli/progress.ts';
import type { Terminal } from '../../src/app/cli/terminal.ts';

function terminalInto(lines: string[]): Terminal {
  return {
    out: () => expect.fail('progress is no result'),
    outAll: () => expect.fail('progress is no result'),
    note: (text) => void lines.push(text),
    interactive: false,
    colourOut: false,
    colourNote: false,
    width: 80,
    signal: new AbortController().signal,
  };
}

test('where no one watches, a line comes every ten seconds', () => {
  const lines: string[] = [];
  let now = 0;
  const progress = startProgress(terminalInto(lines), { unit: 'updates', silent: false, now: () => now });
  for (now = 1000; now <= 25_000; now += 1000) progress.update(now, 100_000, '2026-08-01');
  progress.stop();
  expect(lines).toEqual([
    '10,000 of 100,000 (10%) updates, 1,000/s, 1m 30s left, 2026-08-01\n',
    '20,000 of 100,000 (20%) updates, 1,000/s, 1m 20s left, 2026-08-01\n',
  ]);
});

test('a terminal that cannot redraw gets lines and no control characters', () => {
  const lines: string[] = [];
  let now = 0;
  const terminal = { ...terminalInto(lines), interactive: true, isDumb: true };
  const progress = startProgress(terminal, { unit: 'updates', silent: false, now: () => now });
  for (now = 1000; now <= 11_000; now += 1000) progress.update(now, 100_000);
  progress.stop();
  expect(lines).toEqual(['10,000 of 100,000 (10%) updates, 1,000/s, 1m 30s left\n']);
});

test('with --json nothing is printed', () => {
  const lines: string[] = [];
  let now = 0;
  const progress = startProgress(terminalInto(lines), { unit: 'updates', silent: true, now: () => now });
  now = 60_000;
  progress.update(1, 2);
  expect(lines).toEqual([]);
});

test('durations are short', () => {
  expect([0.2, 59, 61, 3599.5, 7320].map(duration)).toEqual(['1s', '59s', '1m 01s', '1h 00m', '2h 02m']);
});
