/** Type-checks files as those of a user are: strictly, and against the types of the built package. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { builtMain } from '../built-command.ts';
import { ROOT } from '../places.ts';

interface Checked {
  readonly file: string;
  /** What it is called in what was found. */
  readonly name: string;
}

/** What is wrong in these files, which lie inside the project, where `oddsmith` is what was built. */
export function typeErrors(files: readonly Checked[], more: ts.CompilerOptions = {}): readonly string[] {
  builtMain();
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ['package.json'] }, ts.sys, ROOT);
  const { tsBuildInfoFile: _, ...others } = options;
  const program = ts.createProgram(
    files.map(({ file }) => file),
    { ...others, customConditions: [], incremental: false, noEmit: true, ...more },
  );
  if (!program.getSourceFiles().some(({ fileName }) => fileName.includes('/dist/')))
    throw new Error('nothing of dist/ was read');
  return files.flatMap(({ file, name }) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText, start = 0 }) => {
        const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
        return `${name}, line ${line} of the block: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      },
    );
  });
}
