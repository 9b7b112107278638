/** `oddsmith import`: raw recordings into a tape. */

import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Command, Option } from 'commander';
import type { ImportReport } from '../../recording/betfair/import.ts';
import { followed } from '../../recording/tape/path-kind.ts';
import type { TapeMode } from '../../recording/tape/tape-target.ts';
import { CliError, EXIT } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { example, jsonFlag, wholeNumber } from '../cli/flags.ts';
import { makeDirectory } from '../cli/out-directory.ts';

interface Flags {
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
      'Betfair stream recordings (plain, .gz, .bz2, .zip, .zst, tar of them) into a tape. What a file is, its bytes say.',
    )
    .argument('<file-or-dir...>', 'recordings, or directories of them')
    .requiredOption('--tape <file>', 'the tape to write')
    .addOption(
      new Option('--on-error <how>', 'at a damaged file: stop, or keep what is whole')
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
    .action((paths: readonly string[], flags: Flags) => importRecordings(context, paths, flags));
  example(betfair, '$ oddsmith import betfair recordings/ 1.231480071.bz2 --tape data/august.tape --on-error skip');
  const command = new Command('import').description('Turn raw recordings into a tape.').addCommand(betfair);
  return example(command, '$ oddsmith import betfair recordings/ --tape data/august.tape');
}

async function importRecordings(context: CommandContext, paths: readonly string[], flags: Flags): Promise<void> {
  const { importBetfair } = await import('../../recording/betfair/import.ts');
  const { startProgress } = await import('../cli/progress.ts');
  const { importJson, importText } = await import('./output/import-report.ts');
  const { terminal } = context;
  const files = paths.flatMap(filesAt);
  if (files.length === 0) throw noFiles(paths);
  const sizes = files.map((file) => statSync(file).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  makeDirectory(dirname(flags.tape), 'Name another tape with --tape.');
  const readOf = new Map<string, number>();
  let read = 0;
  const startedAt = performance.now();
  const progress = startProgress(terminal, { unit: 'kB', silent: flags.json === true, now: () => performance.now() });
  let report: ImportReport;
  try {
    report = await importBetfair({
      files,
      tape: flags.tape,
      mode: modeOf(flags),
      onError: flags.onError,
      jobs: flags.jobs ?? availableParallelism(),
      signal: terminal.signal,
      onProgress: ({ file, bytesRead }) => {
        read += bytesRead - (readOf.get(file) ?? 0);
        readOf.set(file, bytesRead);
        progress.update(kilobytes(read), kilobytes(total), file);
      },
    });
  } finally {
    progress.stop();
  }
  if (report.interrupted) context.exitCode = EXIT.interrupted;
  const elapsedMs = Math.round(performance.now() - startedAt);
  terminal.out(
    flags.json === true ? importJson(report, flags.tape, elapsedMs) : importText(report, flags.tape, elapsedMs),
  );
}

function noFiles(paths: readonly string[]): CliError {
  return new CliError({
    code: 'FILE_NOT_FOUND',
    what: 'There is no recording in this directory.',
    where: paths.join(', '),
    why: 'It holds no file, or only files whose names begin with a dot.',
    next: 'Name the recordings, or a directory that holds them.',
  });
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000);
}

function modeOf(flags: Flags): TapeMode {
  if (flags.append === true) return 'append';
  return flags.overwrite === true ? 'overwrite' : 'new';
}

/** A file itself, or every file under a directory in the order of names; what begins with a dot is left out. */
function filesAt(path: string): readonly string[] {
  const { kind, words } = followed(path);
  if (kind === 'nothing') {
    throw new CliError({
      code: 'FILE_NOT_FOUND',
      what: 'There is no recording at this path.',
      where: path,
      next: 'Check the path; it is relative to the directory in which oddsmith was started.',
    });
  }
  if (kind === 'file') return [path];
  if (kind !== 'directory') {
    throw new CliError({
      code: 'FILE_UNREADABLE',
      what: 'What is at this path is no recording.',
      where: path,
      why: kind === 'unreachable' ? words : `It is ${words}.`,
      next: 'Name files, or directories of files.',
    });
  }
  return readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .flatMap((name) => filesAt(join(path, name)));
}
