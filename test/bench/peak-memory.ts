/** The most memory that a process of Node held at any time, as it says itself when it ends. */

import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { claim } from './figure.ts';

const KIB_IN_MIB = 1024;
/** A process counts the memory of the one that it was forked from as its own peak: here that is a shell, which is small. */
const THROUGH_SHELL = '"$0" "$@"; exit $?';

export interface Peak {
  /** Resident memory at its highest: code, heap, buffers and all. Processes that it starts itself are not in it. */
  readonly mib: number;
  readonly stdout: string;
}

/** Runs Node with these arguments to its end. `directory` is for what the process leaves. */
export async function peakOf(directory: string, args: readonly string[]): Promise<Peak> {
  const left = join(directory, 'peak.txt');
  const hook = join(directory, 'tell-peak.mjs');
  rmSync(left, { force: true });
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs';
process.once('exit', () => writeFileSync(${JSON.stringify(left)}, String(process.resourceUsage().maxRSS)));
`,
  );
  const command = [process.execPath, '--import', pathToFileURL(hook).href, ...args];
  const child = spawn('sh', ['-c', THROUGH_SHELL, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  claim(code === 0, `a process whose memory is measured ended with ${code}: ${stderr}`);
  const mib = Number(readFileSync(left, 'utf8')) / KIB_IN_MIB;
  claim(mib > 0, 'a process did not say its memory');
  return { mib, stdout };
}
