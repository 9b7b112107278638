/** Where the packages for many machines are missing, as they are for whoever installs oddsmith alone, the commands name them. */

import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { builtMain } from '../../support/built-command.ts';
import { ROOT } from '../../support/places.ts';
import { startProcess } from '../../support/running-command.ts';
import { raceTape, SweepStage } from '../../support/sweep/sweep-stage.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

/** The build in a project that has all packages but these. */
function installedWithout(missing: readonly string[]): string {
  const project = temporaryDirectory('installed');
  const dist = dirname(dirname(builtMain()));
  cpSync(dist, join(project, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(project, 'package.json'));
  mkdirSync(join(project, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (missing.includes(name) || name.startsWith('.')) continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
  return join(project, 'dist/app/main.js');
}

test('a sweep and a worker without bullmq or ioredis say which line installs them, and threads do without', async () => {
  const redis = ['--redis', 'redis://127.0.0.1:1', '--json'];
  const [neither, noQueue, noClient] = [['bullmq', 'ioredis'], ['bullmq'], ['ioredis']].map(installedWithout);
  const start = (main = '', ...args: readonly string[]) => startProcess([process.execPath, main, ...args]).ended;
  const sweep = (main = '', ...args: readonly string[]) => {
    const stage = new SweepStage({ trials: 2, races: 1 });
    stage.writeConfig();
    return start(main, 'sweep', stage.config, ...args);
  };
  const [alone, ...refused] = await Promise.all([
    sweep(neither, '--jobs', '1', '--json'),
    start(neither, 'worker', '--tapes', raceTape(0, 1), ...redis),
    ...[neither, noQueue, noClient].map((main) => sweep(main, '--engine', 'bullmq', ...redis)),
  ]);
  expect(alone.code, alone.note + alone.out).toBe(0);
  for (const { code, out, note } of refused) {
    expect(code, note + out).toBe(2);
    expect(JSON.parse(out).error).toMatchObject({
      code: 'QUEUE_NOT_INSTALLED',
      next: expect.stringContaining('npm install bullmq@6 ioredis@6'),
    });
  }
});
