/** Labels of a time axis: each says what its neighbour does not. */

import { expect, test } from 'vitest';
import { timeLabels } from '../../src/web/parts/time-labels.ts';

const DAY = 86_400;
const at = (...parts: Parameters<typeof Date.UTC>): number => Date.UTC(...parts) / 1000;

test('ten years are ten years, not ten times the first of January', () => {
  const years = Array.from({ length: 10 }, (_, index) => at(2016 + index, 0, 1));
  expect(timeLabels(years, 365 * DAY)).toEqual([
    '2016',
    '2017',
    '2018',
    '2019',
    '2020',
    '2021',
    '2022',
    '2023',
    '2024',
    '2025',
  ]);
});

test('days have their year once, and again where it changes', () => {
  const days = [at(2025, 11, 30), at(2025, 11, 31), at(2026, 0, 1), at(2026, 0, 2)];
  expect(timeLabels(days, DAY)).toEqual(['30 Dec\n2025', '31 Dec', '01 Jan\n2026', '02 Jan']);
});

test('hours have their day once, with the year where the span needs it', () => {
  expect(timeLabels([at(2026, 7, 1, 12), at(2026, 7, 1, 18), at(2026, 7, 2)], 6 * 3600)).toEqual([
    '12:00\n01 Aug',
    '18:00',
    '00:00\n02 Aug',
  ]);
  expect(timeLabels([at(2025, 11, 31, 12), at(2026, 0, 1)], DAY / 2)).toEqual([
    '12:00\n31 Dec 2025',
    '00:00\n01 Jan 2026',
  ]);
});

test('seconds and parts of seconds are written out', () => {
  expect(timeLabels([at(2026, 7, 1, 12, 0, 5), at(2026, 7, 1, 12, 0, 10)], 5)).toEqual([
    '12:00:05\n01 Aug',
    '12:00:10',
  ]);
  expect(timeLabels([at(2026, 7, 1, 12, 0, 5) + 0.25], 0.25)).toEqual(['12:00:05.250\n01 Aug']);
});
