/** Runs the tour against a fresh sandbox and writes its answers into docs/sandbox-tour.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '../vendor/sandbox-process.ts';
import { blocksOf, withAnswers } from './tour-page.ts';
import { runTour } from './tour-run.ts';

const FILE = fileURLToPath(new URL('../../../docs/sandbox-tour.md', import.meta.url));

const page = readFileSync(FILE, 'utf8');
const sandbox = await startSandbox({ args: ['--memory'] });
try {
  writeFileSync(FILE, withAnswers(page, await runTour(blocksOf(page), sandbox)));
} finally {
  await sandbox.remove();
}
