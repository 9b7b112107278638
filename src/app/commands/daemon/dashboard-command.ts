/** `oddsmith dashboard`: one page over the runs of a directory, and links that open the dashboard of a run. */

import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import { followed } from '../../../recording/tape/path-kind.ts';
import { CliError, EXIT } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, hostFlag, jsonFlag, portFlag } from '../../cli/flags.ts';
import { directoryOf } from './control-commands.ts';

interface DashboardFlags {
  readonly port: number;
  readonly host: string;
  readonly json?: boolean;
}

const PORT = 9_465;

export function dashboardCommand(context: CommandContext): Command {
  const command = new Command('dashboard')
    .description(
      'Serve one page over all runs below a directory, until Ctrl-C. Each run has a dashboard of its own: see `dashboard` in its configuration.',
    )
    .argument('<dir>', 'a directory with state directories of runs, such as runs')
    .addOption(portFlag(PORT))
    .addOption(hostFlag())
    .addOption(jsonFlag())
    .action((dir: string, flags: DashboardFlags) => serve(context, dir, flags))
    .addCommand(linkCommand(context));
  return example(command, '$ oddsmith dashboard runs --port 9465\n$ oddsmith dashboard link config/live.yaml');
}

function linkCommand(context: CommandContext): Command {
  const command = new Command('link')
    .description('Print a new link to the dashboard of a running daemon. It opens it once, within 15 minutes.')
    .argument('[config]', 'the configuration that the daemon was started with')
    .addOption(new Option('--dir <dir>', 'its state directory, in place of a configuration'))
    .addOption(jsonFlag())
    .action((config: string | undefined, { dir }: { readonly dir?: string }, own: Command) =>
      printLink(context, { config, dir, json: own.optsWithGlobals()['json'] === true }),
    );
  return example(command, '$ oddsmith dashboard link config/live.yaml\n$ oddsmith dashboard link --dir runs/live');
}

interface LinkChoice {
  readonly config: string | undefined;
  readonly dir: string | undefined;
  readonly json: boolean;
}

async function printLink({ terminal }: CommandContext, { config, dir, json }: LinkChoice): Promise<void> {
  const named = await directoryOf(config, { dir });
  const { askDaemon } = await import('../../live/control/control-client.ts');
  const reply = await askDaemon(named, { v: 1, command: 'dashboardLink' });
  if (reply.kind !== 'link') throw new Error(`a request for a link is answered by one, not by ${reply.kind}`);
  const { url } = reply;
  terminal.out(
    json ? `${JSON.stringify({ command: 'dashboard link', version: packageVersion(), url })}\n` : `${url}\n`,
  );
}

async function serve(context: CommandContext, dir: string, { port, host, json }: DashboardFlags): Promise<void> {
  const { terminal } = context;
  const root = resolve(dir);
  if (followed(root).kind !== 'directory') throw noDirectory(root);
  const { BotsSource } = await import('../../live/bots/bots-source.ts');
  const { openDashboard } = await import('../../web/dashboard/server/dashboard.ts');
  const { wallClock } = await import('../../../time/wall-clock.ts');
  const now = () => wallClock.now();
  let fail: (error: unknown) => void = () => undefined;
  const ended = new Promise<void>((done, failed) => {
    fail = failed;
    if (terminal.signal.aborted) return done();
    terminal.signal.addEventListener('abort', () => done(), { once: true });
  });
  const source = new BotsSource(root, now);
  const dashboard = await openDashboard({ port, setting: '--port', host, hosts: [], source, now, onFault: fail });
  try {
    if (dashboard.warning !== undefined) terminal.note(`${dashboard.warning}\n`);
    terminal.out(json === true ? linkJson(dashboard.link(), root) : linkText(dashboard.link()));
    await ended;
  } finally {
    await dashboard.close();
  }
  if (terminal.signal.reason !== 'SIGTERM') context.exitCode = EXIT.interrupted;
}

function linkJson(url: string, dir: string): string {
  return `${JSON.stringify({ command: 'dashboard', version: packageVersion(), url, dir })}\n`;
}

function linkText(url: string): string {
  return `${url}\nopens it once, within 15 minutes; Ctrl-C ends it\n`;
}

function noDirectory(dir: string): CliError {
  return new CliError({
    code: 'RUN_NOT_FOUND',
    what: 'There is no such directory.',
    where: dir,
    next: 'Name one that holds state directories of runs: `dir` in their configurations.',
  });
}
