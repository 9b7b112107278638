/** How this oddsmith is called from where the user is, for commands that are printed: in its repository, in a project, or installed for all. */

import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { packageDirectory } from '../../package/running-package.ts';

export interface Whereabouts {
  /** The directory of the running package. */
  readonly directory: string;
  readonly cwd: string;
}

/** What comes before a command's own words. */
export function ownCommand({ directory, cwd }: Whereabouts = whereabouts()): string {
  if (isRepository(directory)) return isBelow(directory, cwd) ? 'npm run -s oddsmith --' : 'oddsmith';
  const modules = dirname(directory);
  const isInModules = basename(modules) === 'node_modules';
  // `npx` also runs a package that no project has, from a cache of its own.
  const isOwn = isInModules && (isBelow(dirname(modules), cwd) || directory.includes('_npx'));
  return isOwn ? 'npx oddsmith' : 'oddsmith';
}

/** A sentence or an example with each command in it as it can be pasted here, and each document of the package where it lies. */
export function asOwnCommand(text: string, own = ownCommand()): string {
  return text.replaceAll(COMMAND, own).replaceAll(DOCUMENT, (file) => (existsSync(file) ? file : packagedFile(file)));
}

const DOCUMENT = /(?<![\w/.-])docs\/[\w.-]+\.md/g;

/** What can follow the name in a command. A sentence may say of oddsmith what it likes. */
export const COMMAND_NAMES: readonly string[] =
  'demo init doctor import tape backtest sweep worker sandbox record run status halt cancel resume stop alert dashboard parity report view explain completion help'.split(
    ' ',
  );
const COMMAND = new RegExp(`(?<![\\w/.@-])(?<!npx )oddsmith(?= (?:--[a-z]|(?:${COMMAND_NAMES.join('|')})\\b))`, 'g');

/** A file of the package as it can be named from here. */
export function packagedFile(file: string): string {
  const path = join(packageDirectory(), file);
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

/** Whether the package runs where it is written: its sources are beside its build. */
export function isRepository(directory = packageDirectory()): boolean {
  return existsSync(join(directory, 'src/app/main.ts'));
}

function whereabouts(): Whereabouts {
  return { directory: packageDirectory(), cwd: process.cwd() };
}

function isBelow(directory: string, path: string): boolean {
  return !relative(directory, path).startsWith('..');
}
