/** Ends of a command that its thread cannot report itself, and output that must not be lost when a thread ends. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WORDS, WORDS_COUNT } from '../../../src/app/thread/thread-messages.ts';
import { beginCall } from '../../../src/engine/guest/decision-mark.ts';
import { StuckWatch } from '../../../src/engine/guest/stuck-watch.ts';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { builtCommand, startProcess } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { run } from '../fake-terminal.ts';

const folder = temporaryDirectory('ends');

const GREEDY = `import { defineStrategy } from 'oddsmith';
const kept: number[][] = [];
export default defineStrategy({
  name: 'greedy',
  decide() {
    for (let i = 0; i < 200; i += 1) kept.push(new Array(5000).fill(i + 0.5));
    return [];
  },
});
`;

test('a strategy that takes all memory ends its backtest with words, not with the process', async () => {
  writeFileSync(join(folder, 'greedy.ts'), GREEDY);
  const args = ['backtest', '--strategy', 'greedy.ts', '--tape', SAMPLE_TAPE, '--json'];
  const { code, out } = await startProcess(builtCommand(args, ['--max-old-space-size=150']), { cwd: folder }).ended;
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ error: { code: 'OUT_OF_MEMORY' } });
});

test('a command prints the same in a thread of its own as without one', async () => {
  const here = await run('demo', '--json', '--out', join(folder, 'here'));
  const apart = await startProcess(builtCommand(['demo', '--json', '--out', join(folder, 'apart')]), { cwd: folder })
    .ended;
  const steady = (text: string) => ({
    ...JSON.parse(text),
    elapsedMs: 0,
    updatesPerSecond: 0,
    tapes: [],
    strategies: [],
  });
  expect(apart.code).toBe(here.code);
  expect(steady(apart.out)).toEqual(steady(here.out));
});

test('a look that comes late counts no more than one that comes in time: the machine may have slept', () => {
  const words = new Int32Array(WORDS_COUNT);
  const watch = new StuckWatch(words, WORDS.turns, 0);
  beginCall(words, { index: 0, world: 0 }, 0);
  expect(watch.look(100, 500)).toBe(false);
  expect(watch.look(3_600_000, 500)).toBe(false);
  for (const at of [100, 200]) expect(watch.look(3_600_000 + at, 500)).toBe(false);
  expect(watch.look(3_600_300, 500)).toBe(true);
});

test('a strategy that is asked again and again is slow, and a loop that turns is alive', () => {
  const words = new Int32Array(WORDS_COUNT);
  const watch = new StuckWatch(words, WORDS.turns, 0);
  for (let at = 100; at < 10_000; at += 100) {
    if (at % 200 === 0) beginCall(words, { index: 0, world: 0 }, 0);
    else words[WORDS.turns] = at;
    expect(watch.look(at, 250)).toBe(false);
  }
});
