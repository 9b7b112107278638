/** A sandbox as a user starts one: the command in a process of its own, in a directory of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand } from '../built-command.ts';

/** What `sandbox --json` prints once it listens. */
export interface SandboxFacts {
  readonly url: string;
  readonly streamUrl: string;
  readonly appId: string;
  readonly apiKey: string;
  readonly walletId: string;
  readonly controlKey: string;
}

export interface SandboxProcess extends SandboxFacts {
  readonly directory: string;
  readonly pid: number;
  /** All that it wrote to stderr so far. */
  readonly errors: () => string;
  /** Ends it by the signal and gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Ends it and removes its directory. */
  remove(): Promise<void>;
}

/** No option but the port (any free one) and the form of what it prints, unless some are given. */
export async function startSandbox(
  options: { readonly args?: readonly string[]; readonly directory?: string } = {},
): Promise<SandboxProcess> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'oddsmith-sandbox-'));
  const child = spawn(process.execPath, [builtCommand(), 'sandbox', '--port', '0', '--json', ...(options.args ?? [])], {
    cwd: directory,
    // Every answer is judged by the OpenAPI document before it leaves.
    env: { ...process.env, ODDSMITH_CHECK_ANSWERS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const facts = await firstLine(child, () => errors);
  const stop = (signal: NodeJS.Signals = 'SIGTERM') =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
      child.once('exit', (code) => resolve(code));
      child.kill(signal);
    });
  return {
    ...(JSON.parse(facts) as SandboxFacts),
    directory,
    pid: child.pid ?? 0,
    errors: () => errors,
    stop,
    remove: async () => {
      await stop('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function firstLine(child: ChildProcess, errors: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.lastIndexOf('}\n');
      if (end >= 0) resolve(text.slice(0, end + 1));
    });
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code} before it listened: ${errors()}`)));
  });
}
