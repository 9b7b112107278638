/** The heap of a backtest, in a process of its own, since what is set stays set. */

import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const SMALL_HEAP = fileURLToPath(new URL('../../src/app/output/small-heap.ts', import.meta.url));

/** Makes garbage of which much survives, and says how many bytes new objects have, before and after. */
const PROCESS = `
const { getHeapSpaceStatistics } = await import('node:v8');
const newSpace = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
if (process.argv[1] === 'small') (await import(process.argv[2])).keepHeapSmall();
const before = newSpace();
let kept = [];
for (let i = 0; i < 3e6; i += 1) {
  kept.push({ i });
  if (kept.length === 3e5) kept = [];
}
console.log(JSON.stringify({ before, after: newSpace() }));
`;

function newSpaceOf(kind: 'small' | 'usual'): { readonly before: number; readonly after: number } {
  const args = ['--input-type=module', '-e', PROCESS, kind, SMALL_HEAP];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

describe('the heap of a backtest', () => {
  test('gives new objects little more room, where it would otherwise grow', () => {
    const usual = newSpaceOf('usual');
    expect(usual.after).toBeGreaterThan(8 * usual.before);
    // The engine rounds up, and has one half-space at first.
    expect(newSpaceOf('small').after).toBeLessThanOrEqual(usual.after / 4);
  });

  test('is set by flags that this engine knows: of others it complains on stderr', () => {
    const script = `(await import(${JSON.stringify(SMALL_HEAP)})).keepHeapSmall();`;
    const args = ['--input-type=module', '-e', script];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
