/** Runs a command in this thread, or in one of its own that this one watches. */

import { isMainThread, parentPort, workerData } from 'node:worker_threads';

/** Commands that run strategies. They run in a thread, so that the main thread, which alone receives signals, can react to them while a strategy works. */
const WITH_STRATEGIES: ReadonlySet<string | undefined> = new Set(['backtest', 'demo', 'run', 'parity', 'sweep']);

/** `entry` is the module that begins the process, and each thread. */
export async function runCommandLine(entry: string): Promise<void> {
  const args = process.argv.slice(2);
  if (!isMainThread && parentPort !== null) {
    const { runCommandHere } = await import('./command-in-thread.ts');
    return await runCommandHere(workerData, parentPort);
  }
  if (WITH_STRATEGIES.has(args[0]) && !args.includes('--help') && !args.includes('-h')) {
    const { runCommandApart } = await import('./command-apart.ts');
    process.exitCode = await runCommandApart(args, entry);
    return;
  }
  const { runCli } = await import('./cli.ts');
  const { processTerminal } = await import('../cli/terminal.ts');
  process.exitCode = await runCli(args, processTerminal());
}
