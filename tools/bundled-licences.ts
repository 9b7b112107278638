/** The licences of the packages whose code a bundle holds, which ask to be handed on with it. */

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const LICENCE_FILES = '{LICENSE,LICENCE,license,licence,COPYING}{,-*,.*}';

/** @throws of a package that has no file of its licence */
export function writeLicences(root: string, metafiles: readonly Metafile[], file: string): void {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) => Object.keys(output.inputs)),
  );
  const packages = new Set(
    inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.slice(0, 1) ?? []),
  );
  const parts = [...packages].toSorted().map((directory) => licenceOf(join(root, directory)));
  const head = 'The bundles in this directory hold code of these packages.\n';
  writeFileSync(join(root, file), [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`));
}

function licenceOf(directory: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const [text] = globSync(LICENCE_FILES, { cwd: directory });
  if (text === undefined) throw new Error(`${directory} has no file of its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(directory, text), 'utf8').trim()}\n`;
}
