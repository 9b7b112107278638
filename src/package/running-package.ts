/** The running package: its directory, that of its code, and its version. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const THIS_FILE = fileURLToPath(import.meta.url);
const PACKAGE_DIR = directoryWithManifest(dirname(THIS_FILE));

/** The directory of the running package: the nearest one above this file with a `package.json`. */
export function packageDirectory(): string {
  return PACKAGE_DIR;
}

/**
 * The directory of the code that is running: `dist` of what was built, else `src` of the project, of which a bundle elsewhere in it is,
 * too.
 */
export function codeDirectory(): string {
  const [first] = relative(PACKAGE_DIR, THIS_FILE).split(sep);
  return join(PACKAGE_DIR, first === 'dist' ? 'dist' : 'src');
}

/** Source and bundle lie at different depths, so that the directory is searched for, not counted. */
function directoryWithManifest(directory: string): string {
  const above = dirname(directory);
  return above === directory || existsSync(join(directory, 'package.json')) ? directory : directoryWithManifest(above);
}

let version: string | undefined;

export function packageVersion(): string {
  version ??= readVersion();
  return version;
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(PACKAGE_DIR, 'package.json'), 'utf8'));
  return String(Object(manifest)['version']);
}
