/** The package as users get it: packed by npm, and installed into a directory of their own. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { builtMain } from './built-command.ts';
import { ROOT } from './places.ts';

interface Manifest {
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Without the commands of our own node_modules: what a project lacks must not be found there. */
export function outsideEnvironment(): NodeJS.ProcessEnv {
  const outside = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.startsWith(ROOT));
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return { ...Object.fromEntries(kept), PATH: [dirname(process.execPath), ...outside].join(delimiter), NO_COLOR: '1' };
}

/** Packs what is built; the path of the file. */
export function packed(directory: string): string {
  builtMain();
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', directory];
  const name = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', env: outsideEnvironment() });
  return join(directory, name.trim().split('\n').at(-1) ?? '');
}

/** As npm does it, over the network where its cache lacks something. */
export function installByNpm(directory: string, words: readonly string[] = []): void {
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...words];
  execFileSync('npm', args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'], env: outsideEnvironment() });
}

/**
 * What npm would leave behind, without a network: the packed file unpacked, and a link for each package that a manifest declares, to the
 * one that is installed here. What no manifest declares is not there, so that a dependency that is missing in one shows itself.
 */
export function installByLinks(directory: string, tarball: string): void {
  const modules = join(directory, 'node_modules');
  const own = join(modules, 'oddsmith');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
  const { dependencies = {} } = manifestOf(own);
  const { devDependencies = {} } = manifestOf(directory);
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const name of ['oddsmith', ...Object.keys(devDependencies)]) linkCommands(modules, name);
}

function linkCommands(modules: string, name: string): void {
  const { bin = {} } = manifestOf(join(modules, name));
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const [command, path] of Object.entries(typeof bin === 'string' ? { [name]: bin } : bin))
    symlinkSync(join('..', name, path), join(modules, '.bin', command));
}

function manifestOf(directory: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  } catch (error) {
    // An empty directory into which something is installed has no manifest.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
