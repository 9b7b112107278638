/** `oddsmith tape index`: pictures for a tape that has none, so that a backtest with a window need not read it from the start. */

import { setImmediate as turn } from 'node:timers/promises';
import { Command } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import type { Indexed } from '../../../recording/index-tape.ts';
import { count, plural } from '../../../words/numbers.ts';
import { printable } from '../../../words/printable.ts';
import { EXIT } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag } from '../../cli/flags.ts';

export function indexCommand(context: CommandContext): Command {
  const command = new Command('index')
    .description(
      'Add pictures of its markets to a tape that was recorded live, or imported by an earlier version: a backtest whose window opens late then begins there. What is recorded, and the identity of the tape, stay as they are.',
    )
    .argument('<tape>', 'the tape')
    .addOption(jsonFlag())
    .action((tape: string, flags: { readonly json?: boolean }) => index(context, tape, flags.json === true));
  return example(command, '$ oddsmith tape index tapes/2026-11-20.tape');
}

async function index(context: CommandContext, tape: string, json: boolean): Promise<void> {
  const { indexTape } = await import('../../../recording/index-tape.ts');
  const { startProgress } = await import('../../cli/progress.ts');
  const { terminal } = context;
  const progress = startProgress(terminal, { unit: 'markets', silent: json, now: () => performance.now() });
  const onMarket = async ({ markets, of }: { readonly markets: number; readonly of: number }): Promise<boolean> => {
    progress.update(markets, of);
    // Signals arrive only when the event loop gets a turn.
    await turn();
    return !terminal.signal.aborted;
  };
  let done: Indexed | undefined;
  try {
    done = await indexTape({ tape, onMarket });
  } finally {
    progress.stop();
  }
  if (done === undefined) {
    context.exitCode = EXIT.interrupted;
    terminal.note('interrupted: the tape stays as it was\n');
    return;
  }
  terminal.out(
    json
      ? `${JSON.stringify({ command: 'tape index', version: packageVersion(), path: tape, ...done })}\n`
      : indexedText(done, tape),
  );
}

function indexedText({ markets, pictured, added, pictures, bytes }: Indexed, tape: string): string {
  const held = `${plural(pictures, 'picture')} in ${count(pictured)} of ${plural(markets, 'market')}, ${count(Math.ceil(bytes / 1000))} kB`;
  const rest = pictured < markets ? '; the others are short enough to be read from the start' : '';
  const lines = [`${printable(tape)}: ${held}${rest}`];
  if (added === 0) lines.push('nothing was to be added');
  return `${lines.join('\n')}\n`;
}
