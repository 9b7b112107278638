/** What needs no configuration: Node, the packages, the clock, room on the disk, and what comes with the package. */

import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { packageDirectory, packageVersion } from '../../../../package/running-package.ts';
import { verifyTape } from '../../../../recording/verify.ts';
import { checkWritable } from '../../../cli/out-directory.ts';
import { type Check, failed, ok, tried, warning } from './check.ts';

const MEBIBYTE = 2 ** 20;
/** A daemon that cannot write its journal ends; below the first figure it would soon. */
const ROOM_LEAST_MIB = 200;
const ROOM_GOOD_MIB = 2_000;

/** The command itself refuses a Node that is too old. */
export function nodeCheck(): Check {
  const manifest = Object(JSON.parse(readFileSync(join(packageDirectory(), 'package.json'), 'utf8')));
  const needed = String(manifest.engines.node);
  return ok('node', `Node ${process.versions.node} (needed: ${needed}), ${process.platform} ${process.arch}`);
}

/** The packages with native code, which an installation for another machine or Node breaks. */
export async function packagesCheck(): Promise<Check> {
  try {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(':memory:');
    const sqlite = String(database.prepare('SELECT sqlite_version()').pluck().get());
    database.close();
    const { transformSync, version } = await import('esbuild');
    transformSync('const a: number = 1', { loader: 'ts' });
    return ok(
      'packages',
      `oddsmith ${packageVersion()} in ${packageDirectory()}; SQLite ${sqlite} and esbuild ${version} load`,
    );
  } catch (error) {
    return failed(
      'packages',
      `A package with native code does not load: ${error instanceof Error ? error.message : String(error)}`,
      'Install again on this machine, with this Node: remove node_modules, then npm install.',
    );
  }
}

export function sampleCheck(): Promise<Check> {
  return tried('sample', () => {
    const path = join(packageDirectory(), 'backtest/sample.tape');
    const damage = verifyTape(path);
    if (damage.length === 0) return ok('sample', 'the bundled recording is whole: oddsmith demo runs it');
    return failed('sample', `The bundled recording is damaged: ${damage[0]?.what ?? ''}`, 'Install oddsmith again.', 5);
  });
}

/** Whether the directory can be written, and for how long: `what` says what is written there. */
export function diskCheck(directory: string, what: string): Promise<Check> {
  return tried('disk', () => {
    checkWritable(directory, 'Name another directory, or give this one to the user who runs oddsmith.');
    const { bavail, bsize } = statfsSync(nearest(directory));
    const free = Math.floor((bavail * bsize) / MEBIBYTE);
    const found = `${free.toLocaleString('en-GB')} MiB free for ${what} in ${directory}`;
    const next = 'Make room: a journal grows by a few hundred bytes for each record, tapes by megabytes a day.';
    if (free < ROOM_LEAST_MIB) return failed('disk', found, next);
    return free < ROOM_GOOD_MIB ? warning('disk', found, next) : ok('disk', found);
  });
}

function nearest(directory: string): string {
  const path = resolve(directory);
  return existsSync(path) ? path : nearest(dirname(path));
}
