/** A strategy that is given as an object fails `prove` where it uses knowledge that it was not given, and no other one does. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backtest, OddsmithError } from 'oddsmith/backtest';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { budget } from '../support/budget.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { CLEAN_OBJECTS } from '../support/proof/clean-objects.ts';
import { OBJECT_LEAKS } from '../support/proof/object-leaks.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A small one that is settled. */
const market = '99000502';
const options = { tape: SAMPLE_TAPE, markets: { ids: [market] }, fills: 'central' as const };
let dir = '';

beforeAll(() => {
  dir = temporaryDirectory('object-leaks');
  writeFileSync(join(dir, 'winners.json'), JSON.stringify([market]));
  writeFileSync(join(dir, 'signal.csv'), `availableAt,market,outcome,value\n2030-01-01T00:00:00Z,${market},1,0.9\n`);
});

afterEach(() => {
  delete process.env['ODDSMITH_TEST_TIP'];
});

describe.each(OBJECT_LEAKS)('$name', ({ name, code, says, make }) => {
  it(`is found out: ${code}`, async () => {
    const plugin = make({ dir, tape: SAMPLE_TAPE, market });
    const found: unknown = await backtest({ ...options, strategies: [plugin], fills: 'central', prove: 8 }).catch(
      (error) => error,
    );
    expect(found).toBeInstanceOf(OddsmithError);
    if (!(found instanceof OddsmithError)) return;
    expect(found.code).toBe(code);
    expect(`${found.what} ${found.why}`).toMatch(says);
    expect(found.where).toMatch(new RegExp(`strategy '${name}', market ${market}, 2026-03-14T`));
    expect(found.next).not.toBe('');
  });
});

describe.each(CLEAN_OBJECTS)('$name', ({ make }) => {
  it.each(budget({ each: [7], deep: [1, 7, 23] }))(
    'is proven with seed %i',
    async (seed) => {
      const { plugin, params } = make();
      const { summary } = await backtest({
        ...options,
        seed,
        strategies: [{ plugin, params }],
        fills: 'central',
        prove: 8,
      });
      expect(summary.halts).toEqual([]);
      expect(summary.proof?.instants).toHaveLength(8);
      expect(summary.proof?.instants.at(-1)?.steps).toBeGreaterThan(0);
    },
    60_000,
  );
});

it('what a proof changes in this program for a call is as it was afterwards', async () => {
  const { Date: date } = globalThis;
  const { random } = Math;
  const { env } = process;
  const fs = await import('node:fs');
  const { readFileSync } = fs;
  const make = OBJECT_LEAKS.find(({ name }) => name === 'file-in-a-call')?.make ?? expect.fail('there is one');
  const proof = () =>
    backtest({ ...options, strategies: [make({ dir, tape: SAMPLE_TAPE, market })], fills: 'central', prove: 2 }).catch(
      (error: unknown) => error,
    );
  const found = await Promise.all([proof(), proof()]);
  expect(found).toMatchObject([{ code: 'PROOF_FILES' }, { code: 'PROOF_FILES' }]);
  expect([globalThis.Date, Math.random, process.env, fs.readFileSync, fs.default.readFileSync]).toEqual([
    ...[date, random, env, readFileSync, readFileSync],
  ]);
  expect(fs.readFileSync).toBe(fs.default.readFileSync);
});
