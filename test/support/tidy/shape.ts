/** Rules on the shape of files: lengths, names, first lines, left-over marks, machine paths, skipped tests. */

import { basename } from 'node:path';
import ts from 'typescript';
import { type Breach, breach, everyNode, lineOf, type Source } from './source.ts';

const FILE_LINES = 400;
const FUNCTION_LINES = 60;

export function longFileBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources.flatMap((from) => {
    const lines = from.text.trimEnd().split('\n').length;
    return lines > FILE_LINES ? [`${from.path}: ${lines} lines, more than ${FILE_LINES}`] : [];
  });
}

export function longFunctionBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources.flatMap((from) => {
    const found: Breach[] = [];
    everyNode(from.tree, (node) => {
      if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined || isSuite(node, from)) return;
      const end = from.tree.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
      const lines = end - lineOf(from, node) + 1;
      if (lines > FUNCTION_LINES)
        found.push(breach(from, node, `a function of ${lines} lines, more than ${FUNCTION_LINES}`));
    });
    return found;
  });
}

/** The body of `describe` is a list of tests, no function to be read at once. */
function isSuite(node: ts.Node, from: Source): boolean {
  return ts.isCallExpression(node.parent) && /^describe/.test(node.parent.expression.getText(from.tree));
}

export function firstLineBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources.flatMap(({ path, text }) => {
    if (TWO_HEADERS.test(text)) return [`${path}:1: two comments say what the file is for: keep one`];
    if (!/^(src|strategies)\//.test(path) || HEADER.test(text)) return [];
    return [`${path}:1: the first line is not a /** sentence saying what the file is for */`];
  });
}

const HEADER = /^(#!.*\n)?\/\*\*(\s*|\n \* )\S/;
/** A comment right below the first one; a blank line between them would make it the comment of what follows. */
const TWO_HEADERS = /^(#!.*\n)?\/\*\*((?!\*\/)[\s\S])*\*\/\n\/\*\*/;

const VAGUE = /^(utils?|helpers?|common|types|misc|shared|lib)$/;

export function nameBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources
    .filter((from) => from.path.startsWith('src/'))
    .flatMap((from) => {
      const name = basename(from.path).replace(/\.tsx?$/, '');
      if (VAGUE.test(name)) return [`${from.path}: the name says nothing: name the concept`];
      return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) ? [] : [`${from.path}: the name is not in kebab-case`];
    });
}

export function defaultExportBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources
    .filter((from) => from.path.startsWith('src/'))
    .flatMap((from) =>
      from.tree.statements
        .filter((node) => ts.isExportAssignment(node) || isDefault(node))
        .map((node) => breach(from, node, 'a default export: only strategies have one')),
    );
}

function isDefault(node: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some((each) => each.kind === ts.SyntaxKind.DefaultKeyword)
  );
}

export type Text = { readonly path: string; readonly text: string };

/** Written in pieces, so that this file does not breach its own rule. */
const MARKS = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`);

export function markBreaches(texts: readonly Text[]): readonly Breach[] {
  return linesMatching(
    texts.filter((each) => /\.(tsx?|css|ya?ml)$/.test(each.path)),
    MARKS,
    'a mark of unfinished work',
  );
}

/** Home and workspace directories, in POSIX and Windows spelling. System paths such as those of /usr are not a machine's own. */
const MACHINE_PATH = /(?<![\w.~/-])\/(work|home|Users|root|mnt|media|srv)\/\w|\b[A-Z]:\\+Users\\/;

export function machinePathBreaches(texts: readonly Text[]): readonly Breach[] {
  return linesMatching(texts, MACHINE_PATH, "a path of somebody's machine");
}

/** A power whose exponent is no whole number: its last digit is not the same on each Node that we run on. */
const BROKEN_POWER = /[\w)\]] *\*\* *(\d*\.\d|-)/;

export function brokenPowerBreaches(sources: readonly Source[]): readonly Breach[] {
  const played = sources.filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/web/'));
  return linesMatching(played, BROKEN_POWER, 'a power that differs between versions of Node: take x * Math.sqrt(x)');
}

function linesMatching(texts: readonly Text[], pattern: RegExp, what: string): readonly Breach[] {
  return texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${what}`] : [])),
  );
}

const MUTED = new Set(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails']);
const MUTABLE = /^(test|it|describe|suite|bench)\b/;

const HOOKS: ReadonlySet<string> = new Set(['beforeAll', 'beforeEach', 'afterAll', 'afterEach']);
/** Begun anew for each file of tests (vitest.config.ts). */
export const SETUP = 'test/support/clean-up.ts';

/** A support module is loaded once for several files of tests, so that a hook at its top is one of the first of them alone. */
export function sharedHookBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources
    .filter(({ path }) => path.startsWith('test/support/') && path !== SETUP)
    .flatMap((from) =>
      from.tree.statements
        .filter(ts.isExpressionStatement)
        .map(({ expression }) => expression)
        .filter((call) => ts.isCallExpression(call) && HOOKS.has(call.expression.getText(from.tree)))
        .map((call) =>
          breach(from, call, 'a hook at the top of a module that files of tests share: onTestFinished, or clean-up.ts'),
        ),
    );
}

/** Only test/support decides what is skipped, and prints why. */
export function mutedTestBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources
    .filter((from) => from.path.startsWith('test/') && !from.path.startsWith('test/support/'))
    .flatMap((from) => {
      const found: Breach[] = [];
      everyNode(from.tree, (node) => {
        if (!ts.isPropertyAccessExpression(node) || !MUTED.has(node.name.text)) return;
        const owner = node.expression.getText(from.tree);
        if (MUTABLE.test(owner) || /^(context|ctx|task)$/.test(owner)) {
          found.push(
            breach(from, node, `${owner}.${node.name.text}: skip through test/support, which prints the reason`),
          );
        }
      });
      return found;
    });
}
