/** `oddsmith tape serve`: pieces of a tape over HTTP, for workers on other machines. */

import { Command } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import { count, plural } from '../../../words/numbers.ts';
import { printable } from '../../../words/printable.ts';
import { EXIT } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, hostFlag, jsonFlag, portFlag } from '../../cli/flags.ts';
import { listenError } from '../../output/sandbox-messages.ts';
import type { PieceServer } from './piece-server.ts';

interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly json?: boolean;
}

const PORT = 8650;

export function serveCommand(context: CommandContext): Command {
  const command = new Command('serve')
    .description(
      'Serve the pieces of a tape over HTTP, read only, until Ctrl-C. Anyone who reaches the address may read them.',
    )
    .argument('<dir>', 'what `tape split` wrote')
    .addOption(portFlag(PORT))
    .addOption(hostFlag())
    .addOption(jsonFlag())
    .action((directory: string, flags: ServeFlags) => serve(context, directory, flags));
  return example(command, '$ oddsmith tape serve pieces --host 0.0.0.0');
}

async function serve(context: CommandContext, directory: string, { port, host, json }: ServeFlags): Promise<void> {
  const { servePieces } = await import('./piece-server.ts');
  const { terminal } = context;
  let served = 0;
  const onServed = ({ status }: { readonly status: number }): void => {
    if (status === 200) served += 1;
  };
  const server = await servePieces({ directory, host, port, onServed }).catch((error: unknown) => {
    throw listenError(error, { host, port }) ?? error;
  });
  try {
    terminal.out(json === true ? jsonOf(server, directory) : servedText(server, directory));
    await new Promise<void>((resolve) => {
      if (terminal.signal.aborted) return resolve();
      terminal.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    await server.close();
  }
  if (json !== true) terminal.note(`${plural(served, 'answer')} served\n`);
  if (terminal.signal.reason !== 'SIGTERM') context.exitCode = EXIT.interrupted;
}

function jsonOf({ address, manifest }: PieceServer, directory: string): string {
  const { pieces, tape } = manifest;
  return `${JSON.stringify({ command: 'tape serve', version: packageVersion(), address, manifest: `${address}/manifest.json`, directory, pieces: pieces.length, tape })}\n`;
}

function servedText({ address, manifest: { pieces } }: PieceServer, directory: string): string {
  const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  return `${printable(directory)}: ${plural(pieces.length, 'piece')}, ${count(Math.ceil(bytes / 1000))} kB
workers fetch them with --tapes ${address}/manifest.json
Ctrl-C ends it
`;
}
