/** `oddsmith import`: raw recordings into a tape. */

import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Command, Option } from 'commander';
import { ImportFailure } from '../../../recording/betfair/decompress/import-failure.ts';
import type { ImportReport } from '../../../recording/betfair/import.ts';
import { shellWord } from '../../../recording/tape/recording-hint.ts';
import type { TapeMode } from '../../../recording/tape/tape-target.ts';
import { fitted } from '../../../report/text/fitted.ts';
import { CliError, EXIT } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag, wholeNumber } from '../../cli/flags.ts';
import { makeDirectory } from '../../cli/out-directory.ts';
import { ownCommand } from '../../cli/own-command.ts';

interface ImportFlags {
  readonly tape: string;
  readonly onError: 'skip' | 'fail';
  readonly jobs?: number;
  readonly append?: boolean;
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

export function importCommand(context: CommandContext): Command {
  const betfair = new Command('betfair')
    .description(
      'Betfair stream recordings (plain, .gz, .bz2, .zip, .zst, tar of them) into a tape. The kind of a file is found from its bytes.',
    )
    .argument('<file-or-dir...>', 'recordings, or directories of them')
    .requiredOption('--tape <file>', 'the tape to write')
    .addOption(
      new Option(
        '--on-error <how>',
        'a damaged file: leave it out and exit with 5 in the end, or keep what is whole of it',
      )
        .choices(['skip', 'fail'])
        .default('fail'),
    )
    .addOption(
      wholeNumber('--jobs <n>', 'files imported at once (default: one for each core); the tape is the same', {
        min: 1,
        max: 256,
      }),
    )
    .addOption(new Option('--append', 'add to a tape that exists').conflicts('overwrite'))
    .option('--overwrite', 'replace a tape that exists')
    .addOption(jsonFlag())
    .action((paths: readonly string[], flags: ImportFlags) => importPaths(context, paths, flags));
  example(betfair, '$ oddsmith import betfair recordings/ 1.231480071.bz2 --tape data/august.tape --on-error skip');
  const command = new Command('import').description('Turn raw recordings into a tape.').addCommand(betfair);
  return example(command, '$ oddsmith import betfair recordings/ --tape data/august.tape');
}

async function importPaths(context: CommandContext, paths: readonly string[], flags: ImportFlags): Promise<void> {
  const { importFiles, recordingFiles } = await import('../../../backtest/library/import-recordings.ts');
  const { startProgress } = await import('../../cli/progress.ts');
  const { importJson, importText } = await import('../../output/import-report.ts');
  const { terminal } = context;
  const files = recordingFiles(paths);
  makeDirectory(dirname(flags.tape), 'Name another tape with --tape.');
  const startedAt = performance.now();
  const progress = startProgress(terminal, { unit: 'kB', silent: flags.json === true, now: () => performance.now() });
  let report: ImportReport;
  try {
    report = await importFiles({
      files,
      out: flags.tape,
      mode: modeOf(flags),
      onError: flags.onError,
      jobs: flags.jobs ?? availableParallelism(),
      signal: terminal.signal,
      onProgress: ({ bytesRead, bytes, file }) => progress.update(kilobytes(bytesRead), kilobytes(bytes), file),
    });
  } catch (error) {
    const isEmpty = error instanceof ImportFailure && error.code === 'NOTHING_IMPORTED';
    if (!terminal.signal.aborted || !isEmpty) throw error;
    throw interruptedEarly(flags.tape);
  } finally {
    progress.stop();
  }
  if (report.interrupted) context.exitCode = EXIT.interrupted;
  else if (flags.onError === 'fail' && report.faulty > 0) context.exitCode = EXIT.data;
  const elapsedMs = Math.round(performance.now() - startedAt);
  terminal.out(
    flags.json === true
      ? importJson(report, flags.tape, elapsedMs)
      : fitted(importText(report, flags, elapsedMs), terminal.columnsOut, FILE_ROW),
  );
  if (terminal.interactive && flags.json !== true) terminal.note(nextWords(flags.tape));
}

/** The name of a file stays whole, and can be copied. */
const FILE_ROW = /^ *[\d,]+ {2,}[\d,]+ {2}\S/;

/** Ctrl-C before the first file was read: that the others gave nothing is no fault of theirs. */
function interruptedEarly(tape: string): CliError {
  const parts = {
    code: 'NOTHING_IMPORTED',
    what: 'Interrupted before the first file was read: no tape was written.',
    where: tape,
    next: 'Run it again: it begins anew.',
  } as const;
  return new CliError(parts, EXIT.interrupted);
}

function nextWords(tape: string): string {
  const [oddsmith, path] = [ownCommand(), shellWord(tape)];
  return `
Next:
  ${oddsmith} tape info ${path}
  ${oddsmith} backtest --tape ${path} --strategy FILE
`;
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000);
}

function modeOf(flags: ImportFlags): TapeMode {
  if (flags.append === true) return 'append';
  return flags.overwrite === true ? 'overwrite' : 'new';
}
