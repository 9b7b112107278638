/** A sandbox as a user starts one: the command in a process of its own, in a directory of its own. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand, startProcess } from '../running-command.ts';

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
  const words = builtCommand(['sandbox', '--port', '0', '--json', ...(options.args ?? [])]);
  // Every answer is judged by the OpenAPI document before it leaves.
  const command = startProcess(words, { cwd: directory, env: { ODDSMITH_CHECK_ANSWERS: '1' } });
  await command.until(/}\n$/);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    command.kill(signal);
    return (await command.ended).code;
  };
  return {
    ...(JSON.parse(command.said.out) as SandboxFacts),
    directory,
    pid: command.pid,
    errors: () => command.said.note,
    stop,
    remove: async () => {
      await stop('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
