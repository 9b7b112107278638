/** Win and place of one race are played together under `isolate: event`, other races of the meeting are not; a match stays whole. */

import { describe, expect, it } from 'vitest';
import { eventGroupOf } from '../../src/core/market.ts';
import type { Instant } from '../../src/core/number/units.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { madeFacts } from '../support/made-market.ts';
import { DAY, MINUTE, madeDay } from '../support/made-races.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

const at = (minutes: number) => ({ expectedStartTime: (DAY + minutes * MINUTE) as Instant });
const group = (change: Parameters<typeof madeFacts>[2]) =>
  eventGroupOf(madeFacts('1.1', 2, { eventId: '7', ...change }));

describe('the group of a market', () => {
  it.each([
    ['a match', {}, '7'],
    ['a match with a start, which its markets may name differently', at(0), '7'],
    ['a race of a meeting', { venue: 'Ascot', ...at(0) }, '7@2023-11-14T22:13:20.000Z'],
    ['another race of the meeting', { venue: 'Ascot', ...at(5) }, '7@2023-11-14T22:18:20.000Z'],
    ['a race without a start', { venue: 'Ascot' }, '7'],
  ] as const)('%s', (_, change, name) => {
    expect(group(change)).toBe(name);
    expect(group({ ...change, marketTypeId: 'PLACE' })).toBe(name);
  });
});

it('isolate: event plays the markets of a race together, so that a strategy sees all of them and no others', async () => {
  const seeing = temporaryFile(
    'seeing.ts',
    `import { defineStrategy } from 'oddsmith';
let seen = '';
export default defineStrategy({ name: 'seeing', decide({ markets }) {
  const ids = markets.all().map(({ id }) => id).sort().join(' ');
  if (ids.length > seen.length) { seen = ids; console.log(seen); }
  return [];
} });
`,
  );
  const lines: string[] = [];
  const change = { tapes: [madeDay()], isolate: 'event' } as const;
  const result = await backtestOf([seeing], change, { onWords: (line) => lines.push(line) });
  const central = result.runs.filter(({ flow }) => flow === 'central');
  expect(central.map(({ piece }) => piece)).toEqual([
    'meeting@2023-11-14T22:13:20.000Z',
    'meeting@2023-11-14T22:18:20.000Z',
    'meeting@2023-11-14T22:23:20.000Z',
    'match',
  ]);
  const seen = lines.map((line) => line.replace(/^seeing: /, '')).filter((ids) => ids.includes(' '));
  expect(seen).toEqual(['place-0 win-0', 'place-1 win-1', 'place-2 win-2', 'odds totals']);
});
