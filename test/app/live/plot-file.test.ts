/** plots.csv of a paper or live run: heading once, changes alone, a point a second of each line, and an end to its size. */

import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlotFile } from '../../../src/app/live/record/plot-file.ts';
import { instant } from '../../../src/core/number/units.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { stage } from '../../support/engine/bot-stage.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const START = Date.UTC(2026, 2, 24, 14);
const point = (at: number, name: string, value: number, strategy = 's') => ({
  ...{ at: START + at, strategy, marketId: '1.1', name, value },
});

function opened(path: string, bytesMax?: number) {
  const clock = new SimulatedClock(instant(START));
  const stopped: string[] = [];
  const file = new PlotFile({
    ...{ path, clock, onStopped: (why: string) => void stopped.push(why) },
    ...(bytesMax !== undefined && { bytesMax }),
  });
  return { clock, file, stopped };
}

const HEAD = 'run,flow,strategy,marketId,name,at,value';
const linesOf = (path: string): readonly string[] => readFileSync(path, 'utf8').trimEnd().split('\r\n');

test('keeps the last value of each second, each only where it changed, and goes on where an earlier process ended', async () => {
  const path = join(temporaryDirectory('plots'), 'plots.csv');
  const { clock, file } = opened(path);
  file.add(point(0, 'fair', 2));
  file.add(point(300, 'fair', 2.5));
  file.add(point(400, 'trend', 1));
  clock.runUntil(START + 1_000);
  file.add(point(1_100, 'fair', 2.5));
  file.add(point(1_200, 'trend', Number.NaN));
  await file.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const first = [
    HEAD,
    '1,central,s,1.1,fair,2026-03-24T14:00:00.300Z,2.5',
    '1,central,s,1.1,trend,2026-03-24T14:00:00.400Z,1',
    '1,central,s,1.1,trend,2026-03-24T14:00:01.200Z,',
  ];
  expect(linesOf(path)).toEqual(first);
  const next = opened(path);
  next.file.add(point(5_000, 'fair', 3));
  await next.file.close();
  expect(linesOf(path)).toEqual([...first, '1,central,s,1.1,fair,2026-03-24T14:00:05.000Z,3']);
});

test('writes nothing where nothing is plotted, and twenty names of a market', async () => {
  const path = join(temporaryDirectory('plots'), 'plots.csv');
  const { file } = opened(path);
  await file.close();
  expect(existsSync(path)).toBe(false);
  for (let name = 0; name < 25; name += 1) file.add(point(0, `n${name}`, 1));
  await file.close();
  expect(linesOf(path)).toHaveLength(21);
});

test.each([
  ['it is full', 'plots.csv', 60, /has 0 bytes/],
  ['it cannot be written', 'directory', undefined, /EISDIR/],
])('says once that it stopped when %s', async (_what, name, bytesMax, why) => {
  const directory = temporaryDirectory('plots');
  mkdirSync(join(directory, 'directory'));
  const { file, stopped, clock } = opened(join(directory, name), bytesMax);
  file.add(point(0, 'fair', 2));
  clock.runUntil(START + 1_000);
  await file.close();
  file.add(point(2_000, 'fair', 3));
  await file.close();
  expect(stopped).toEqual([expect.stringMatching(why)]);
});

test('a running bot hands over what its strategy plots, by name', () => {
  const plotted: object[] = [];
  const { until } = stage({
    decide: ({ plot, market }) => {
      plot({ best: market.outcomes[0]?.bestPrice('For') });
      return [];
    },
    onPlotted: (each) => void plotted.push(each),
  });
  until(5_000);
  expect(plotted[0]).toMatchObject({ name: 'best', strategy: expect.any(String), marketId: expect.any(String) });
});
