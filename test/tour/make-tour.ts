/** Runs the tour against a fresh sandbox and writes its answers into docs/sandbox-tour.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { blocksOf, withAnswers } from '../support/tour/tour-page.ts';
import { runTour } from '../support/tour/tour-run.ts';
import { startSandbox } from '../support/vendor/sandbox-process.ts';

const FILE = fileURLToPath(new URL('../../docs/sandbox-tour.md', import.meta.url));

const page = readFileSync(FILE, 'utf8');
const sandbox = await startSandbox({ args: ['--memory'] });
try {
  writeFileSync(FILE, withAnswers(page, await runTour(blocksOf(page), sandbox)));
} finally {
  await sandbox.remove();
}
