/** The zoo: strategies that do what none should, alone and beside a good one, in backtests, on paper and live. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadStrategy } from '../../src/loader/strategy-loader.ts';
import type { ZooReport } from '../support/zoo/run-zoo.ts';
import { animalFile, ENDLESS, HALTED, HARMLESS, LATE, NOT_LOADED } from '../support/zoo/zoo.ts';

const RUNNER = fileURLToPath(new URL('../support/zoo/run-zoo.ts', import.meta.url));

/** A process of its own: no strategy may end it, nor what it leaves behind. */
async function reportOf(way: 'backtest' | 'paper' | 'live'): Promise<ZooReport> {
  const args = ['--conditions=oddsmith-source', RUNNER, way];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e9 });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as ZooReport;
}

describe.each(['backtest', 'paper', 'live'] as const)('in a %s', (way) => {
  it('each is halted for what it does, and the good strategy has what it has alone', async () => {
    const { good, goodLong, guests } = await reportOf(way);
    const [name = ''] = Object.keys(good.orders);
    for (const { halts, orders } of [good, goodLong]) {
      expect(halts).toEqual([]);
      expect(orders[name]?.length).toBeGreaterThan(10);
    }
    expect(Object.keys(guests)).toHaveLength(Object.keys(HALTED).length + HARMLESS.length);
    for (const [guest, { alone, beside }] of Object.entries(guests)) {
      expect(beside.orders[name], guest).toEqual((LATE.has(guest) ? goodLong : good).orders[name]);
      const code = HALTED[guest];
      for (const { halts, left } of [alone, beside]) {
        expect(
          halts.map((halt) => [halt.name, halt.code]),
          guest,
        ).toEqual(code === undefined ? [] : [[guest, code]]);
        for (const { details } of halts) {
          expect(details, guest).not.toBe('');
          expect(details.replaceAll('\n', ''), guest).not.toMatch(/\p{Cc}/u);
        }
        if (code !== undefined) expect(left, `${guest} left orders live`).toBe(0);
      }
    }
  });
});

it.each(Object.entries(NOT_LOADED))('%s is not loaded: %s', async (name, code) => {
  const result = await loadStrategy(animalFile(name));
  expect(result).toMatchObject({ kind: 'fault', fault: { code } });
  if (result.kind === 'fault') expect(result.fault.what + result.fault.why).not.toMatch(/\p{Cc}/u);
});

it.each(ENDLESS)('%s loads like any other: what it does comes later', async (name) => {
  expect((await loadStrategy(animalFile(name))).kind).toBe('loaded');
});
