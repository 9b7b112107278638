/** A process killed at any moment loses no change that it had reported as made, and one without room says so. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openWorldLog } from '../../../src/sandbox/world-log/world-log.ts';
import { Random } from '../../support/random.ts';
import { builtCommand, startProcess } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { depositsOf, KILL_START } from './log-deposits.ts';

const WRITER = fileURLToPath(new URL('./log-writer.ts', import.meta.url));
const ROUNDS = 6;
const SEED = 20_261;

/** Runs the writer until it has made about `changes` changes, then kills it. */
async function runAndKill(file: string, saidFile: string, changes: number): Promise<void> {
  const flags = ['--conditions=oddsmith-source'];
  const child = spawn(process.execPath, [...flags, WRITER, file, saidFile], { stdio: ['ignore', 'pipe', 'inherit'] });
  let dots = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    dots += chunk.length;
    if (dots * 10 >= changes) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
}

test(`every change that was said to be made is there after SIGKILL (seed ${SEED})`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-kill-'));
  const file = join(folder, 'world.sqlite');
  const saidFile = join(folder, 'said');
  const random = new Random(SEED);
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await runAndKill(file, saidFile, random.pick([1, 30, 700, 4_000, 12_000]) + random.between(0, 400));
      const said = Number(readFileSync(saidFile, 'utf8'));
      const log = openWorldLog({ file, now: KILL_START });
      const kept = depositsOf(log.world);
      expect(kept, `round ${round}`).toBeGreaterThanOrEqual(said);
      // Changes written but not yet reported: at most the one during which the process was killed.
      expect(kept - said).toBeLessThanOrEqual(1);
      expect(log.opening).toEqual({ isNew: false, changes: kept + 3, cut: undefined });
      expect(log.world.exchange.brokenLaws()).toEqual([]);
      log.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a sandbox that finds no room for its world ends with that, and not as a fault of its own', async () => {
  const state = join(temporaryDirectory('full'), 'sandbox.world');
  const words = builtCommand(['sandbox', '--crowd', '--port', '0', '--state', state]).map((word) => `'${word}'`);
  const ended = await startProcess(['sh', '-c', `ulimit -f 200; exec ${words.join(' ')}`], { patienceMs: 300_000 })
    .ended;
  expect(ended.note).toMatch(/^error WORLD_LOG_WRITE {2}/);
  expect(ended.code).toBe(5);
});
