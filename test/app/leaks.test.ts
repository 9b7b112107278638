/** A strategy that uses knowledge it was not given fails `--prove`, and no other strategy does. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { watchGuests } from '../../src/backtest/pieces/guest-watch.ts';
import { OddsmithError } from '../../src/core/checks/oddsmith-error.ts';
import { exportTape } from '../../src/recording/export.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { budget } from '../support/budget.ts';
import { CLEAN, LEAKS, type Leak } from '../support/leaks.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A small one that is settled. */
const ids = ['99000502'];
let dir = '';

beforeAll(() => {
  dir = temporaryDirectory('leaks');
  writeFileSync(join(dir, 'winners.json'), JSON.stringify(ids));
  const opened = Tape.open(SAMPLE_TAPE);
  const markets = opened.markets.filter(({ facts }) => ids.includes(facts.id)).map(({ index }) => index);
  writeFileSync(join(dir, 'recording.jsonl'), [...exportTape(opened, 'jsonl', { markets })].join(''));
  opened.close();
  writeFileSync(join(dir, 'signal.csv'), 'availableAt,market,outcome,value\n2030-01-01T00:00:00Z,1,1,0.9\n');
});

function prove({ name, code, isGranted = false }: Leak, instants: boolean | number): Promise<BacktestResult> {
  const file = join(dir, `${name}.ts`);
  writeFileSync(file, code.replaceAll('DIR', dir));
  const strategies = [{ file, params: {}, wallet: 'main', ...(isGranted && { files: [dir] }) }];
  const options = { strategies, markets: onlyMarkets(...ids), fills: 'central', prove: instants } as const;
  // As the command does: what a strategy rejects and nobody awaits is its own fault.
  return backtestOf([], options, { watchGuests });
}

describe.each(LEAKS)('$name', (leak) => {
  it(`is found out: ${leak.foundBy}`, async () => {
    // What is halted or says nothing is so at its first call: there is no need to look for more.
    const instants = leak.foundBy === 'halted' ? false : leak.foundBy !== 'nothing' || 4;
    const ended = await prove(leak, instants).catch((error: unknown) => error);
    if (leak.foundBy === 'nothing') {
      expect(ended).toMatchObject({ halts: [], orders: { sent: 0 }, proof: { instants: { length: 4 } } });
      return;
    }
    if (leak.foundBy === 'halted') {
      expect(ended).toMatchObject({ halts: [{ strategy: leak.name, code: 'STRATEGY_THROW' }] });
      if (leak.says !== undefined)
        expect(ended).toMatchObject({
          halts: [{ why: expect.stringMatching(leak.says), where: expect.stringMatching(/\.ts:\d+:\d+$/) }],
        });
      expect(ended).toMatchObject({ total: { central: { stakeMatched: 0, profitGross: 0 } } });
      return;
    }
    expect(ended).toBeInstanceOf(OddsmithError);
    if (!(ended instanceof OddsmithError)) return;
    const { code, where, what, why } = ended.parts;
    expect(code).toBe(leak.foundBy);
    if (code === 'STRATEGY_IMPORT') return;
    if (code === 'LOOKAHEAD') {
      expect(what).toMatch(/^The run looks ahead: with .*, '[a-z-]+' decided otherwise at or before 2026-.*Z\.$/);
      expect(where).toMatch(new RegExp(`:\\d+:\\d+, strategy '${leak.name}', market 99000\\d{3}, 2026-03-14T`));
      expect(why).toMatch(/With the recording as it is it said: .*; with .*: .*\. The decision depends on .*\./);
    } else if (code === 'PROOF_IDS')
      expect(why).toMatch(/The decision depends on which market and outcome it is, or the year/);
    else expect(why).toMatch(/The decision depends on files\./);
  });
});

describe.each(CLEAN)('$name', (leak) => {
  it('is proven', async () => {
    const instants = budget({ each: 5, deep: 20 });
    const result = await prove(leak, instants);
    expect(result.halts).toEqual([]);
    expect(result.proof?.instants).toHaveLength(instants);
    expect(result.proof?.instants.at(-1)?.steps).toBeGreaterThan(3);
  });
});
