/** `--prove` on the sample recording: honest strategies pass, one with chance of its own is named. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/app/backtest-run.ts';
import { CliError } from '../../src/app/cli-error.ts';
import { Tape } from '../../src/recording/tape.ts';
import { OPTIONS } from '../support/scripted-run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const tape = join(root, 'backtest', 'sample.tape');
const hooks = { onProgress: () => {}, signal: new AbortController().signal };
let work = '';
let ids: readonly string[] = [];

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'oddsmith-proof-'));
  const opened = Tape.open(tape);
  ids = opened.markets.slice(0, 2).map(({ facts }) => facts.id);
  opened.close();
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

function prove(file: string) {
  const strategies = [{ file, params: {}, wallet: 'main' }];
  const markets = { ids, types: [], events: [] };
  return runBacktest({ ...OPTIONS, strategies, tapes: [tape], markets, fills: 'central', prove: true }, hooks);
}

describe('the proof against lookahead', () => {
  it('holds for a sample strategy, over more and more steps', async () => {
    const { proof } = await prove(join(root, 'strategies', 'passive-quoter.ts'));
    const steps = proof?.instants.map((instant) => instant.steps) ?? [];
    expect(steps).toHaveLength(3);
    expect(steps[0]).toBeGreaterThan(20);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });

  it('names the first decision of a strategy that decides by chance', async () => {
    const file = join(work, 'chance.ts');
    writeFileSync(
      file,
      `import { randomInt } from 'node:crypto';
import { back, defineStrategy, favourites } from 'oddsmith';
export default defineStrategy({
  name: 'chance',
  decide({ market }) {
    const [favourite] = favourites(market);
    return favourite !== undefined && market.tradable && randomInt(20) === 0 ? [back(favourite, { stake: 2 })] : [];
  },
});
`,
    );
    const failure = await prove(file).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CliError);
    if (!(failure instanceof CliError)) return;
    expect(failure.parts.code).toBe('LOOKAHEAD');
    expect(failure.parts.where).toMatch(/^strategy .chance., market 990001\d\d, 2026-/);
    expect(failure.exitCode).toBe(2);
  });
});
