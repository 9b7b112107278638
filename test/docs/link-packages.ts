/** `npm install` of a project without a network: links to the packages that are here, beside an oddsmith that is unpacked from its file. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { installByLinks } from '../support/installed-package.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

installByLinks(process.cwd(), resolve(vendored()));

/** What `init` wrote into the project. */
function vendored(): string {
  const { dependencies = {} }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const { oddsmith = '' } = dependencies;
  if (!oddsmith.startsWith('file:')) throw new Error(`oddsmith is no file here: ${oddsmith}`);
  return oddsmith.slice('file:'.length);
}
