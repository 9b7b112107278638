/** The project's tests over sources that one mutant has changed. */

import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import { defined } from '../../../src/core/checks/assert.ts';
import base from '../../../vitest.config.ts';
import { ROOT } from '../places.ts';
import { changedFiles, MUTANT_VARIABLE } from './bundle.ts';
import { MUTANTS } from './mutant-list.ts';

const name = process.env[MUTANT_VARIABLE];
const mutant = defined(
  MUTANTS.find((each) => each.name === name),
  `no mutant ${name}`,
);
const texts = new Map([...changedFiles(mutant)].map(([path, text]) => [join(ROOT, path), text]));
const load = (id: string): string | undefined => texts.get(id.split('?')[0] ?? id);

// Modules that are kept between processes are known by their file, and not by what was loaded in its place.
const test = { fsModuleCache: false };
export default mergeConfig(base, { root: ROOT, plugins: [{ name: 'mutant', enforce: 'pre', load }], test });
