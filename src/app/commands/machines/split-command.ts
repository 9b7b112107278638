/** `oddsmith tape split`: a tape as pieces that other machines fetch one by one. */

import { dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import { PIECE_KINDS, type PieceKind } from '../../../recording/pieces/manifest.ts';
import type { Split } from '../../../recording/pieces/split-tape.ts';
import { count, plural } from '../../../words/numbers.ts';
import { printable } from '../../../words/printable.ts';
import { EXIT } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag } from '../../cli/flags.ts';
import { makeDirectory } from '../../cli/out-directory.ts';

interface SplitFlags {
  readonly by: PieceKind;
  readonly out: string;
  readonly json?: boolean;
}

export function splitCommand(context: CommandContext): Command {
  const command = new Command('split')
    .description(
      'Split a tape into pieces, each a tape of its own, with a list of them (manifest.json). The same tape gives the same bytes.',
    )
    .argument('<tape>', 'the tape')
    .addOption(
      new Option('--by <kind>', 'a piece for each event, or for each day (UTC) on which events start')
        .choices(PIECE_KINDS)
        .makeOptionMandatory(),
    )
    .requiredOption('--out <dir>', 'a new directory for the pieces')
    .addOption(jsonFlag())
    .action((tape: string, flags: SplitFlags) => split(context, tape, flags));
  return example(command, '$ oddsmith tape split backtest/sample.tape --by event --out pieces');
}

async function split(context: CommandContext, tape: string, { by, out, json }: SplitFlags): Promise<void> {
  const { splitTape } = await import('../../../recording/pieces/split-tape.ts');
  const { startProgress } = await import('../../cli/progress.ts');
  const { terminal } = context;
  makeDirectory(dirname(out), 'Name another directory with --out.');
  const progress = startProgress(terminal, { unit: 'pieces', silent: json === true, now: () => performance.now() });
  const onPiece = async ({ pieces, of }: { readonly pieces: number; readonly of: number }): Promise<boolean> => {
    progress.update(pieces, of);
    // Signals arrive only when the event loop gets a turn.
    await turn();
    return !terminal.signal.aborted;
  };
  let done: Split | undefined;
  try {
    done = await splitTape({ tape, by, out, onPiece });
  } finally {
    progress.stop();
  }
  if (done === undefined) {
    context.exitCode = EXIT.interrupted;
    terminal.note('interrupted: nothing was written\n');
    return;
  }
  terminal.out(json === true ? splitJson(done, tape, out) : splitText(done, out));
}

function splitJson({ manifest, wasThere }: Split, tape: string, out: string): string {
  return `${JSON.stringify({ command: 'tape split', version: packageVersion(), path: tape, out, wasThere, ...manifest })}\n`;
}

function splitText({ manifest: { pieces, tape, by }, wasThere }: Split, out: string): string {
  const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  const held = `${plural(tape.markets, 'market')}, ${plural(tape.updates, 'update')}, ${count(Math.ceil(bytes / 1000))} kB`;
  const lines = [
    `${printable(out)}: ${plural(pieces.length, 'piece')} by ${by}, ${held}`,
    `content sha256 ${tape.content}`,
  ];
  if (wasThere) lines.push('they were there already: nothing to do');
  return `${lines.join('\n')}\n`;
}
