/** Which kind of configuration a file is, and what a command says that is given one of another kind. */

import { CliError } from '../../cli/cli-error.ts';

export type ConfigKind = 'backtest' | 'sweep' | 'record' | 'run';

/** The kind of a configuration, by the keys that only one kind has. */
export function configKind(text: string): ConfigKind {
  if (/^sweep:/m.test(text)) return 'sweep';
  if (!/^["']?exchange["']?:/m.test(text) || /^["']?tapes["']?:/m.test(text)) return 'backtest';
  return /^["']?strategies["']?:/m.test(text) ? 'run' : 'record';
}

interface ConfigText {
  readonly text: string;
  readonly file: string;
}

/** What `read` makes of a configuration that should be of this kind. @throws CliError of `read`, which says so where the file is of another kind */
export function ofKind<T>(kind: ConfigKind, { text, file }: ConfigText, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const found = configKind(text);
    const isStrange = error instanceof CliError && STRANGE.has(error.code) && found !== kind;
    throw isStrange ? new CliError({ ...error.parts, next: strangeNext({ kind, found, file }) }) : error;
  }
}

/** Errors that a configuration of another kind ends with. */
const STRANGE: ReadonlySet<string> = new Set(['CONFIG_UNKNOWN_KEY', 'CONFIG_INVALID']);

const NAMES: Readonly<Record<ConfigKind, { readonly name: string; readonly command: string; readonly model: string }>> =
  {
    backtest: { name: 'a backtest', command: 'oddsmith backtest FILE', model: 'config/backtest.yaml' },
    sweep: { name: 'a sweep', command: 'oddsmith sweep FILE', model: 'config/sweep.yaml' },
    record: { name: 'a recording', command: 'oddsmith record FILE', model: 'config/record.yaml' },
    run: { name: 'a run', command: 'oddsmith run FILE --paper', model: 'config/paper.yaml' },
  };

function strangeNext(about: { readonly kind: ConfigKind; readonly found: ConfigKind; readonly file: string }): string {
  const { kind, found, file } = about;
  const command = NAMES[found].command.replace('FILE', file);
  return `By its keys this is a configuration of ${NAMES[found].name}: ${command}. One of ${NAMES[kind].name} looks like ${NAMES[kind].model}.`;
}
