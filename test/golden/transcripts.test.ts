/** No change of results goes unnoticed: the sample strategies' transcripts are those that were kept. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { goldenRuns } from '../support/golden-runs.ts';

it('gives the transcripts kept in backtest/golden.json (npm run make:golden writes them anew)', async () => {
  const kept: unknown = JSON.parse(readFileSync(new URL('../../backtest/golden.json', import.meta.url), 'utf8'));
  expect(await goldenRuns()).toEqual(kept);
});
