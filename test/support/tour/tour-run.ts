/** Runs the blocks of a page one after the other in one shell, as a reader does who pastes them. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxFacts } from '../vendor/sandbox-process.ts';
import type { TourBlock } from './tour-page.ts';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
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
    const said = await shell(script, { FACTS: factsFile });
    return said
      .split(MARK)
      .slice(1)
      .map((answer) => answer.trimEnd());
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** In the project's directory, where `ws` is found. */
function shell(script: string, facts: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', 'mkdir -p runs && exec bash "$0" 2>&1 < /dev/null', script], {
      cwd: PROJECT,
      env: { ...process.env, ...facts },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: PATIENCE_MS,
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', () => resolve(said));
  });
}
