/** Runs the blocks of a page one after the other in one shell, as a reader does who pastes them. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../places.ts';
import { startProcess } from '../running-command.ts';
import type { SandboxFacts } from '../vendor/sandbox-process.ts';
import type { TourBlock } from './tour-page.ts';

/** A character that no answer holds. */
const MARK = '\u001e';

const PATIENCE_MS = 240_000;

/** What each block printed, stdout and stderr as they came. */
export async function runTour(blocks: readonly TourBlock[], facts: SandboxFacts): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'oddsmith-tour-'));
  try {
    const factsFile = join(directory, 'sandbox.json');
    const script = join(directory, 'tour.sh');
    writeFileSync(factsFile, JSON.stringify(facts));
    writeFileSync(script, blocks.map(({ commands }) => `printf '\\036'\n${commands}\n`).join(''));
    const words = ['bash', '-c', 'mkdir -p runs && exec bash "$0" 2>&1 < /dev/null', script];
    // In the project's directory, where `ws` is found.
    const terms = { cwd: ROOT, env: { FACTS: factsFile }, patienceMs: PATIENCE_MS };
    const { out } = await startProcess(words, terms).ended;
    return out
      .split(MARK)
      .slice(1)
      .map((answer) => answer.trimEnd());
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
