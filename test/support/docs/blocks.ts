/** Every fenced block of code and every command of the documents, with the line on which it stands. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../places.ts';

export interface Block {
  readonly document: string;
  /** Line of the document on which its first line stands. */
  readonly line: number;
  /** What stands behind the three backticks; empty where nothing does. */
  readonly language: string;
  readonly text: string;
  /** The document's text between the block before and this one. */
  readonly before: string;
}

export interface DocumentCommand {
  readonly document: string;
  readonly line: number;
  readonly text: string;
}

/** Written by hand, and read by users. docs/api/ is made from docstrings, which a test of its own compares. */
export function documents(): readonly string[] {
  const own = ['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => `${folder}/${name}`),
  );
  return ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...own];
}

export function textOf(document: string): string {
  return readFileSync(join(ROOT, document), 'utf8');
}

/** `documentBlocks` of a text. @throws Error where a block has no end */
export function blocksIn(document: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly indent: string; readonly language: string; readonly line: number } | undefined;
  let held: string[] = [];
  let before: string[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    const [, indent = '', language = ''] = /^( *)```(.*)$/.exec(line) ?? [];
    const isFence = line.trimStart().startsWith('```');
    if (open === undefined && isFence) open = { indent, language: language.trim(), line: at + 2 };
    else if (open === undefined) before.push(line);
    else if (isFence) {
      const { indent: margin, ...where } = open;
      const lines = held.map((each) => (each.startsWith(margin) ? each.slice(margin.length) : each));
      blocks.push({ document, ...where, text: lines.join('\n'), before: before.join('\n') });
      [open, held, before] = [undefined, [], []];
    } else held.push(line);
  }
  if (open !== undefined) throw new Error(`${document}:${open.line}: this block has no end`);
  return blocks;
}

export function documentBlocks(document: string): readonly Block[] {
  return blocksIn(document, textOf(document));
}

/** The lines of a shell block, each as it is typed: one that ends with `\` goes on in the next; comments are none. */
export function commandsOf({ document, line, text }: Block): readonly DocumentCommand[] {
  const commands: DocumentCommand[] = [];
  let begun = '';
  let beginning = line;
  for (const [at, each] of text.split('\n').entries()) {
    if (begun === '') beginning = line + at;
    begun += each;
    if (begun.endsWith('\\')) {
      begun = begun.slice(0, -1);
      continue;
    }
    if (begun.trim() !== '' && !begun.trimStart().startsWith('#'))
      commands.push({ document, line: beginning, text: begun.trim() });
    begun = '';
  }
  return commands;
}

export const SHELL = ['sh', 'bash', 'console'];

/** Commands of oddsmith in running text, in `…`, and in the comments of configurations. */
export function mentionedCommands(): readonly DocumentCommand[] {
  const inText = documents().flatMap((document) =>
    textOf(document)
      .split('\n')
      .flatMap((text, at) =>
        [...text.matchAll(/`((?:npx )?oddsmith [a-z][^`]*)`/g)].map(([, found = '']) => ({
          ...{ document, line: at + 1, text: found },
        })),
      ),
  );
  const configs = readdirSync(join(ROOT, 'config')).filter((name) => name.endsWith('.yaml'));
  const inConfigs = configs.flatMap((name) =>
    textOf(`config/${name}`)
      .split('\n')
      .flatMap((text, at) =>
        [
          ...(/#.*/.exec(text)?.[0] ?? '').matchAll(
            /\boddsmith (?!is )([a-z]+[^`;,()]*?)(?=[`;,()]|\.?$| prints| tries)/g,
          ),
        ].map(([found]) => ({ ...{ document: `config/${name}`, line: at + 1, text: found } })),
      ),
  );
  return [...inText, ...inConfigs];
}
