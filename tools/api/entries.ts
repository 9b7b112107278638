/** The entries of the package as one program, and what they export. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type Declared, publicSurface } from './public-surface.ts';
import { TypeTexts } from './type-text.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** How the entries are imported, what they are for, and the name of their page. */
export const ENTRIES = [
  {
    module: 'index',
    page: 'oddsmith',
    title: 'oddsmith',
    about: 'What strategies import. [../strategies.md](../strategies.md) is the guide.',
  },
  {
    module: 'testing',
    page: 'testing',
    title: 'oddsmith/testing',
    about: 'Tests of strategies without a tape. [../strategies.md](../strategies.md), "Tests", is the guide.',
  },
  {
    module: 'backtest',
    page: 'backtest',
    title: 'oddsmith/backtest',
    about: 'Backtests, tapes and imports inside a program. [../library.md](../library.md) is the guide.',
  },
  {
    module: 'client',
    page: 'client',
    title: 'oddsmith/client',
    about: 'The exchange API for programs. [../client.md](../client.md) is the guide.',
  },
] as const;

export type Entry = (typeof ENTRIES)[number];

/** What each entry exports: of the sources, or of the declaration files that users get. */
export function surfaces(from: 'src' | 'dist'): ReadonlyMap<Entry, readonly Declared[]> {
  const suffix = from === 'src' ? '.ts' : '.d.ts';
  const fileOf = ({ module }: Entry) => join(ROOT, from, `${module}${suffix}`);
  const program = ts.createProgram(ENTRIES.map(fileOf), compilerOptions());
  const checker = program.getTypeChecker();
  const modules = ENTRIES.map((entry) => {
    const source = program.getSourceFile(fileOf(entry));
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${fileOf(entry)} exports nothing`);
    return { entry, module };
  });
  const places = new Map<ts.Symbol, { readonly name: string; readonly page: string }>();
  for (const { entry, module } of modules) {
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      // What two entries export is described by the first.
      if (!places.has(symbol)) places.set(symbol, { name: exported.name, page: entry.page });
    }
  }
  const texts = new TypeTexts(program, { root: ROOT, places });
  return new Map(modules.map(({ entry, module }) => [entry, publicSurface(texts, module)]));
}

/** The project's own, so that what is read is what is checked. */
export function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ['package.json'] }, ts.sys, ROOT);
  const { tsBuildInfoFile: _, ...others } = options;
  return { ...others, incremental: false, noEmit: true };
}
