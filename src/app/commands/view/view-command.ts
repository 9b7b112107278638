/** `oddsmith view`: serves a page over a run and its tapes, on which any market is played back with the run’s own orders in it. */

import { Command, Option } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import { CliError, EXIT, errorBlock } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, hostFlag, jsonFlag, portFlag, repeated } from '../../cli/flags.ts';
import { ownCommand } from '../../cli/own-command.ts';
import type { ViewServer } from '../../web/view/server/view-server.ts';

interface ViewFlags {
  readonly port: number;
  readonly host: string;
  readonly market?: string;
  readonly tape?: readonly string[];
  readonly open?: boolean;
  readonly json?: boolean;
}

const PORT = 9_466;

export function viewCommand(context: CommandContext): Command {
  const command = new Command('view')
    .description(
      'Serve a page over a run and its tapes, until Ctrl-C: the full ladder of any market at any instant, played back and forth, with the orders and fills of the run in it.',
    )
    .argument('<run-dir>', 'the directory that a backtest wrote, or that of a live or paper run, also while it goes on')
    .addOption(new Option('--market <id>', 'open it there'))
    .addOption(
      repeated('--tape <file>', 'a tape of the run, where it is no longer where the run found it (repeatable)'),
    )
    .option('--open', 'open it in the browser')
    .addOption(portFlag(PORT))
    .addOption(hostFlag())
    .addOption(jsonFlag())
    .action((directory: string, flags: ViewFlags) => view(context, directory, flags));
  return example(
    command,
    `$ oddsmith view runs/backtest-1-6c5b1b6f4e --open
$ oddsmith view runs/backtest-1-6c5b1b6f4e --market 99000401 --port 0 --json
$ oddsmith view runs/backtest-1-6c5b1b6f4e --tape archive/august.tape
$ oddsmith view runs/live`,
  );
}

async function view(context: CommandContext, directory: string, flags: ViewFlags): Promise<void> {
  const { terminal } = context;
  const { runSourceOf } = await import('../../web/view/run/run-source.ts');
  const { RunView } = await import('../../web/view/run-view.ts');
  const { openViewServer } = await import('../../web/view/server/view-server.ts');
  const { wallClock } = await import('../../../time/wall-clock.ts');
  const ending = new AbortController();
  const ends = AbortSignal.any([terminal.signal, ending.signal]);
  let fail: (error: unknown) => void = () => undefined;
  const ended = new Promise<void>((done, failed) => {
    fail = failed;
    if (ends.aborted) return done();
    ends.addEventListener('abort', () => done(), { once: true });
  });
  const source = runSourceOf(directory, flags.tape ?? []);
  try {
    const shown = new RunView({ source, newLink: `${ownCommand()} view ${directory}`, pause: () => pause(ends) });
    // Also what cannot be shown at all is said here, and not on the page.
    const { markets } = shown.welcome();
    if (flags.market !== undefined) requireMarket(markets, flags.market);
    const now = () => wallClock.now();
    const server = await openViewServer({ port: flags.port, host: flags.host, source: shown, now, onFault: fail });
    try {
      await tell(context, server, { directory, flags });
      await ended;
    } finally {
      await server.close();
    }
  } finally {
    ending.abort();
    source.close();
  }
  if (terminal.signal.reason !== 'SIGTERM') context.exitCode = EXIT.interrupted;
}

/** Requests and signals have a turn. */
async function pause(ends: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  ends.throwIfAborted();
}

interface Told {
  readonly directory: string;
  readonly flags: ViewFlags;
}

async function tell({ terminal }: CommandContext, server: ViewServer, { directory, flags }: Told): Promise<void> {
  const { url, warning } = server;
  if (warning !== undefined) terminal.note(`${warning}\n`);
  const link = server.link(flags.market);
  const json = { command: 'view', version: packageVersion(), url, link, dir: directory };
  terminal.out(
    flags.json === true ? `${JSON.stringify(json)}\n` : `${link}\nopens it once, within 15 minutes; Ctrl-C ends it\n`,
  );
  if (flags.open !== true) return;
  const { openLinkInBrowser } = await import('./open-link.ts');
  try {
    await openLinkInBrowser(server.link(flags.market));
  } catch (error) {
    // The page is served all the same, and the link is printed.
    if (!(error instanceof CliError)) throw error;
    terminal.note(errorBlock(error.parts));
  }
}

function requireMarket(
  rows: readonly { readonly id: string; readonly why: string | undefined }[],
  market: string,
): void {
  const row = rows.find(({ id }) => id === market);
  if (row !== undefined && row.why === undefined) return;
  throw new CliError({
    code: 'NO_MARKETS',
    what: row === undefined ? 'The run and its tapes have no such market.' : 'The market cannot be opened.',
    where: `--market ${market}`,
    ...(row?.why === undefined ? {} : { why: row.why }),
    next: 'Leave --market away: the page lists all markets.',
  });
}
