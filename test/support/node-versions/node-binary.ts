/** Another Node beside the project: the npm package `node` of a version, installed once into node_modules/.cache. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/node-versions/', import.meta.url));

export interface NodeBinary {
  readonly path: string;
  /** What it says of itself, such as 22.12.0. */
  readonly version: string;
}

/** `wanted` as npm reads it: 26, or 22.12.0. */
export function installedNode(wanted: string): NodeBinary {
  const directory = join(CACHE, wanted);
  const path = join(directory, 'node_modules/node/bin/node');
  if (!existsSync(path)) {
    mkdirSync(directory, { recursive: true });
    const manifest = { private: true, dependencies: { node: wanted }, allowScripts: { node: true } };
    writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest));
    execFileSync('npm', ['install', '--no-package-lock', '--loglevel=error'], { cwd: directory, stdio: 'inherit' });
  }
  return nodeAt(path);
}

/** The Node that runs this. */
export function ownNode(): NodeBinary {
  return nodeAt(process.execPath);
}

function nodeAt(path: string): NodeBinary {
  return { path, version: execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim() };
}
