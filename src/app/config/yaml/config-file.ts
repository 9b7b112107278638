/** Reads a configuration file that the user named. */

import { readFileSync } from 'node:fs';
import { followed, requireFile } from '../../../recording/tape/path-kind.ts';
import { shellWord } from '../../../recording/tape/recording-hint.ts';
import { CliError } from '../../cli/cli-error.ts';

/** @throws CliError CONFIG_NOT_FOUND or CONFIG_NOT_READABLE */
export function readConfigFile(path: string): string {
  checkName(path);
  try {
    requireFile(path);
    return readFileSync(path, 'utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new CliError({
      code: missing ? 'CONFIG_NOT_FOUND' : 'CONFIG_NOT_READABLE',
      what: missing ? 'There is no configuration at this path.' : 'The configuration cannot be read.',
      where: path,
      ...(missing || !(error instanceof Error) ? {} : { why: error.message }),
      next:
        followed(path).kind === 'directory'
          ? `Name a file in it. A command to a daemon takes its state directory as: --dir ${shellWord(path)}`
          : 'Check the path; it is relative to the directory in which oddsmith was started.',
    });
  }
}

/** What people name in its place, told by the name: the text of a strategy is no YAML, and a tape no text. */
function checkName(path: string): void {
  const flag = /\.[cm]?[jt]s$/.test(path) ? '--strategy' : path.endsWith('.tape') ? '--tape' : undefined;
  if (flag === undefined) return;
  throw new CliError({
    code: 'CONFIG_NOT_READABLE',
    what: `${flag === '--tape' ? 'A tape' : 'A strategy'} is no configuration.`,
    where: path,
    why: 'A configuration is YAML, such as config/backtest.yaml.',
    next: `Name it in a configuration, or for a backtest with a flag: oddsmith backtest ${flag === '--tape' ? `--strategy FILE --tape ${path}` : `--strategy ${path} --tape FILE`}.`,
  });
}
