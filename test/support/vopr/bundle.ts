/** Bundles the runner of simulated lives into one file, with the sources as they are or with one of them changed. */

import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { ROOT } from '../places.ts';
import { type Ended, startProcess } from '../running-command.ts';
import type { FailedSeed } from './seed-range.ts';

export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
}

export interface Edit {
  /** From the project's root. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly before: string;
  readonly after: string;
}

/** Names a mutant to the process of its tests. */
export const MUTANT_VARIABLE = 'ODDSMITH_MUTANT';
/** Where packages are found, and git does not look. */
export const PLACE = join(ROOT, 'node_modules/.cache/oddsmith-vopr');

/** The path of the bundle. Throws where a mutant's text is not there, or is there more than once. */
export async function bundleRunner(mutant?: Mutant): Promise<string> {
  mkdirSync(PLACE, { recursive: true });
  const outfile = join(PLACE, `${mutant?.name.replace(/\W+/g, '-') ?? 'sound'}-${process.pid}.mjs`);
  const plugins = mutant === undefined ? [ownPackage] : [ownPackage, changing(mutant)];
  // What a mutant breaks is named by its law: nobody reads its places.
  await build({ ...OPTIONS, outfile, plugins, sourcemap: mutant === undefined ? 'inline' : false });
  return outfile;
}

const OPTIONS = {
  ...{ entryPoints: [join(ROOT, 'test/vopr/run.ts')], bundle: true, platform: 'node', format: 'esm', target: 'node20' },
  ...{ packages: 'external', conditions: ['oddsmith-source'], logLevel: 'silent' },
} as const satisfies BuildOptions;

/** Which of them change a text that is not there, or make none that can be read, and why. */
export async function unreadable(mutants: readonly Mutant[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const mutant of mutants) {
    try {
      for (const text of changedFiles(mutant).values()) await transform(text, { loader: 'ts' });
    } catch (error) {
      found.push(`${mutant.name}: ${error}`);
    }
  }
  return found;
}

export function runBundle(path: string, args: readonly string[]): Promise<Ended> {
  return startProcess([process.execPath, '--enable-source-maps', path, ...args], { cwd: ROOT }).ended;
}

/** What `--json` prints. */
export interface RunnerReport {
  readonly seeds: number;
  readonly failures: readonly FailedSeed[];
  readonly counts: Readonly<Record<string, number>>;
  readonly seconds: number;
}

export function reportOf({ out, note }: Ended): RunnerReport {
  try {
    return JSON.parse(out);
  } catch {
    throw new Error(`the runner printed no report: ${out.slice(0, 2_000)} ${note.slice(-4_000)}`);
  }
}

/** The strategies import the package by its name. */
const ownPackage: Plugin = {
  name: 'own package',
  setup({ onResolve }) {
    onResolve({ filter: /^oddsmith$/ }, () => ({ path: join(ROOT, 'src/index.ts') }));
  },
};

/** The changed files by their path from the root. Throws where a text is not there, or is there more than once. */
export function changedFiles({ edits }: Mutant): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { file, before, after } of edits) {
    const text = texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
    const times = text.split(before).length - 1;
    if (times !== 1) throw new Error(`${file} holds ${times} times: ${before}`);
    texts.set(
      file,
      text.replace(before, () => after),
    );
  }
  return texts;
}

function changing(mutant: Mutant): Plugin {
  const texts = changedFiles(mutant);
  return {
    name: 'mutant',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = texts.get(relative(ROOT, path));
        return contents === undefined ? undefined : { contents, loader: 'ts' };
      });
    },
  };
}
