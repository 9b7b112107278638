/** The packed oddsmith that a project takes along: a file that was named, the one that this oddsmith was installed from, or one packed now. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { packageDirectory, packageVersion } from '../../../../package/running-package.ts';
import { requireFile } from '../../../../recording/tape/path-kind.ts';
import { CliError } from '../../../cli/cli-error.ts';
import { isRepository } from '../../../cli/own-command.ts';

export interface PackedOddsmith {
  /** Its own name. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** Undefined where the running version came from a registry: the project takes it from there, too. @throws CliError NOT_A_PACKAGE */
export function packedOddsmith(from: string | undefined): PackedOddsmith | undefined {
  if (from !== undefined) return readPacked(from);
  if (isRepository()) return packNow();
  const installedFrom = tarballOf(packageDirectory());
  return installedFrom === undefined ? undefined : readPacked(installedFrom);
}

function readPacked(path: string): PackedOddsmith {
  let content: Uint8Array;
  try {
    requireFile(path);
    content = readFileSync(path);
  } catch (error) {
    throw notAPackage(path, error instanceof Error ? error.message : String(error));
  }
  const version = versionIn(content);
  if (version === undefined) throw notAPackage(path, 'It is no packed file of the package oddsmith.');
  return { name: `oddsmith-${version}.tgz`, content };
}

const BLOCK = 512;
const SIZE_AT = 124;
const SIZE_LENGTH = 12;

/** The version in `package/package.json` of an archive; undefined where the archive is not of oddsmith. */
function versionIn(content: Uint8Array): string | undefined {
  try {
    const tar = gunzipSync(content);
    for (let at = 0; at + BLOCK <= tar.length; ) {
      const name = tar.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
      const size = Number.parseInt(tar.toString('latin1', at + SIZE_AT, at + SIZE_AT + SIZE_LENGTH), 8);
      if (!(size >= 0)) return undefined;
      const start = at + BLOCK;
      if (name === 'package/package.json') {
        const manifest = Object(JSON.parse(tar.toString('utf8', start, start + size)));
        return manifest.name === 'oddsmith' && /^\d[\w.+-]*$/.test(manifest.version) ? manifest.version : undefined;
      }
      at = start + Math.ceil(size / BLOCK) * BLOCK;
    }
    return undefined;
  } catch {
    // Not packed by gzip, or cut off: no package in any case.
    return undefined;
  }
}

/** The file that npm installed the package from, as it keeps it in its list; undefined where it came from a registry or the file is gone. */
function tarballOf(directory: string): string | undefined {
  const modules = dirname(directory);
  try {
    const list = Object(JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')));
    const resolved: unknown = list.packages?.[`node_modules/${basename(directory)}`]?.resolved;
    if (typeof resolved !== 'string' || !resolved.startsWith('file:')) return undefined;
    const path = resolve(dirname(modules), resolved.slice('file:'.length));
    return existsSync(path) && path.endsWith('.tgz') ? path : undefined;
  } catch {
    // Another package manager keeps no such list.
    return undefined;
  }
}

/** Packs the repository as it is built: what runs is what the project gets. */
function packNow(): PackedOddsmith {
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-pack-'));
  try {
    const npm = process.env['npm_execpath'];
    const [command, ...first] = npm?.endsWith('.js') === true ? [process.execPath, npm] : ['npm'];
    const args = [...first, 'pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
    execFileSync(command ?? 'npm', args, { cwd: packageDirectory(), stdio: ['ignore', 'ignore', 'pipe'] });
    return readPacked(join(folder, `oddsmith-${packageVersion()}.tgz`));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw notAPackage(packageDirectory(), error instanceof Error ? error.message : String(error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function notAPackage(where: string, why: string): CliError {
  return new CliError({
    code: 'NOT_A_PACKAGE',
    what: 'A packed oddsmith cannot be taken from there.',
    where,
    why,
    next: 'Make one with `npm pack` in the repository of oddsmith, and name it with --from; without --from the project takes the running version.',
  });
}
