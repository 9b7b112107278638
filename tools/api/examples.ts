/** Examples of docstrings as modules, so that they can be type-checked as a user's file would be. */

import { join } from 'node:path';
import type { ProjectReflection } from 'typedoc';
import ts from 'typescript';
import { entryOf, ROOT } from './entry-list.ts';
import { commentOf, exportsOf, membersOf, whereOf } from './model.ts';

interface Example {
  readonly code: string;
  /** file:line of what it is an example of. */
  readonly where: string;
}

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

/** Examples of the exports and of their members. */
export function examplesOf(project: Pick<ProjectReflection, 'children'>): readonly Example[] {
  return exportsOf(project).flatMap((each) =>
    [each, ...membersOf(each)].flatMap((of) =>
      (commentOf(of)?.getTags('@example') ?? []).map(({ content }) => ({
        code: content
          .map(({ text }) => text)
          .join('')
          .replaceAll(/^```.*\n?/gm, ''),
        where: whereOf(of),
      })),
    ),
  );
}

/** What is wrong with examples: `file:line: message`, with the line of the example. */
export function faultsOf(
  examples: readonly Example[],
  project: Pick<ProjectReflection, 'children'>,
): readonly string[] {
  const imports = new Map(
    exportsOf(project).map(({ name, parent }) => [
      name,
      `import { ${name} } from '${entryOf(parent?.name ?? '').title}';`,
    ]),
  );
  const modules = examples.map(({ code, where }, at) => {
    const file = join(ROOT, 'runs', 'api-examples', `example-${at}.ts`);
    return { file, where, ...asModule(code, imports) };
  });
  const textOf = new Map(modules.map(({ file, text }) => [file, text]));
  const options = {
    ...compilerOptions(),
    verbatimModuleSyntax: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => textOf.has(file) || fileExists(file);
  host.readFile = (file) => textOf.get(file) ?? readFile(file);
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

/** The project's own, so that an example is checked as the sources are. */
function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ['package.json'] }, ts.sys, ROOT);
  const { tsBuildInfoFile: _, ...others } = options;
  return { ...others, incremental: false, noEmit: true };
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
