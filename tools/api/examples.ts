/** Examples of docstrings as modules, so that they can be type-checked as a user's file would be. */

import { join } from 'node:path';
import ts from 'typescript';
import { compilerOptions, ENTRIES, type Entry, ROOT } from './entries.ts';
import type { Declared } from './public-surface.ts';

/** What an example may use without making it, as the sentence above it does. */
const GIVEN = {
  market: 'MarketView',
  outcome: 'OutcomeView',
  run: 'BacktestRun',
  strategy: 'StrategyPlugin<{ stake: Param<number> }>',
  tape: 'OpenTape',
  client: 'RestClient',
  gateway: 'Gateway',
  requests: 'readonly OrderRequest[]',
  ids: 'readonly string[]',
} as const;

/** What is wrong with the examples: `file:line: message` of the declaration, with the line of the example. */
export function faultsOfExamples(surfaces: ReadonlyMap<Entry, readonly Declared[]>): readonly string[] {
  const imports = new Map<string, string>();
  for (const [{ title }, surface] of surfaces) {
    for (const { name, kind } of surface) {
      if (!imports.has(name)) imports.set(name, `import { ${kind === 'type' ? 'type ' : ''}${name} } from '${title}';`);
    }
  }
  const modules = examplesIn(surfaces).map(({ code, where }, at) => {
    const file = join(ROOT, 'runs', 'api-examples', `example-${at}.ts`);
    return { file, where, ...asModule(code, imports) };
  });
  const textOf = new Map(modules.map(({ file, text }) => [file, text]));
  const options = { ...compilerOptions(), noUnusedLocals: false, noUnusedParameters: false };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => textOf.has(file) || fileExists(file);
  host.readFile = (file) => textOf.get(file) ?? readFile(file);
  host.getSourceFile = (file, languageVersion, ...rest) => {
    const text = textOf.get(file);
    return text === undefined
      ? getSourceFile(file, languageVersion, ...rest)
      : ts.createSourceFile(file, text, languageVersion);
  };
  const program = ts.createProgram([...textOf.keys()], options, host);
  return modules.flatMap(({ file, where, before }) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText, start = 0 }) => {
      const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) - before + 1;
      return `${where}: line ${line} of the example: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
}

function examplesIn(surfaces: ReadonlyMap<Entry, readonly Declared[]>): readonly { code: string; where: string }[] {
  const all = ENTRIES.flatMap((entry) =>
    (surfaces.get(entry) ?? [])
      .filter(({ page }) => page === entry.page)
      .flatMap(({ examples, members }) => [
        ...examples,
        ...members.flatMap((member) => member.examples.map((code) => ({ code, where: member.where }))),
      ]),
  );
  return all;
}

/** With imports of what it uses, declarations of what is given, and a strategy around a part of one. */
function asModule(
  code: string,
  importOf: ReadonlyMap<string, string>,
): { readonly text: string; readonly before: number } {
  const isPart = /^(state|params|decide|watches|run)\b\s*[:(]/.test(code);
  const given = Object.entries(GIVEN).filter(([name]) => !isPart && uses(code, name) && !declares(code, name));
  const declarations = given.map(([name, type]) => `declare const ${name}: ${type};`);
  const all = [...declarations, code, ...(isPart ? ['defineStrategy'] : [])].join('\n');
  const imports = [...importOf].filter(([name]) => uses(all, name) && !declares(code, name)).map(([, line]) => line);
  const head = [...imports, ...declarations, ...(isPart ? ["export default defineStrategy({ name: 'example',"] : [])];
  return { text: [...head, code, isPart ? '});' : 'export {};'].join('\n'), before: head.length };
}

function uses(code: string, name: string): boolean {
  return new RegExp(`(?<![.\\w'])${name}(?![\\w':])`).test(code);
}

function declares(code: string, name: string): boolean {
  return new RegExp(
    `\\b(?:const|using) (?:\\{[^}]*\\b|\\[[^\\]]*\\b)?${name}\\b|\\([^()]*\\b${name}\\b[^()]*\\) =>`,
  ).test(code);
}
