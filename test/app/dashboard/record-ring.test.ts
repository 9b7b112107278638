/** The newest lines and alerts, and no more. */

import { expect, test } from 'vitest';
import { RecordRing } from '../../../src/app/web/dashboard/server/record-ring.ts';

const line = (text: string, alert?: string) => ({ at: 1, level: 'info', about: 'sent', alert, text }) as const;

test('keeps 500 lines, and gives those after a number in their order', () => {
  const ring = new RecordRing();
  expect(ring.after(-1)).toEqual([]);
  for (let n = 0; n < 1_200; n += 1) ring.add(line(String(n)));
  const all = ring.after(-1);
  expect(all).toHaveLength(500);
  expect(all.map(({ text }) => text)).toEqual(Array.from({ length: 500 }, (_, n) => String(700 + n)));
  expect(ring.after(1_197).map(({ text }) => text)).toEqual(['1198', '1199']);
  expect(ring.after(1_199)).toEqual([]);
  expect(ring.after(3), 'a reader who was away misses what is gone').toHaveLength(500);
});

test('keeps 100 alerts, the newest first, however many lines come between', () => {
  const ring = new RecordRing();
  for (let n = 0; n < 150; n += 1) {
    ring.add(line(`alert ${n}`, 'THROTTLED'));
    for (let other = 0; other < 10; other += 1) ring.add(line('other'));
  }
  expect(ring.alerts).toHaveLength(100);
  expect(ring.alerts[0]?.text).toBe('alert 149');
});

test('keeps no text without end', () => {
  const ring = new RecordRing();
  ring.add(line('x'.repeat(100_000)));
  expect(ring.after(-1)[0]?.text.length).toBeLessThan(1_010);
});
