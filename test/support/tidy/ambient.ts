/** Rules on time and chance: nothing below app/ and time/ may reach for the process, its clock or its dice. */

import ts from 'typescript';
import { type Breach, breach, everyNode, lineOf, type Source } from './source.ts';

/** Names that reach outside, as written. */
const AMBIENT = new Set([
  'Date.now',
  'Math.random',
  'performance',
  'process',
  'console',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'globalThis',
  'crypto.randomUUID',
  'crypto.getRandomValues',
]);

const AMBIENT_MODULES = new Set(['node:process', 'node:timers', 'node:timers/promises', 'node:os', 'node:perf_hooks']);
const AMBIENT_IMPORTS = new Set(['randomUUID', 'randomBytes', 'randomInt']);

/** Where a line may touch the environment if it says why. */
const EDGES = /^src\/(exchange-live|betdex|recording|journal|sandbox|backtest|sweep|loader\/realm\/inside)\//;
/** Browser code has no other place to take the time from. */
const FREE = /^src\/(time|app|web)\//;

export function ambientBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources.filter((from) => /^(src|strategies)\//.test(from.path) && !FREE.test(from.path)).flatMap(breachesIn);
}

function breachesIn(from: Source): readonly Breach[] {
  const lines = from.text.split('\n');
  const found: Breach[] = [];
  everyNode(from.tree, (node) => {
    const name = ambientName(node, from.tree);
    if (name === undefined) return;
    const marked = /\/\/ edge: \S/.test(lines[lineOf(from, node) - 1] ?? '');
    if (!(marked && EDGES.test(from.path)))
      found.push(breach(from, node, `${name} is ambient: take it as an argument`));
  });
  return found;
}

function ambientName(node: ts.Node, tree: ts.SourceFile): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText(tree) === 'Date' && (node.arguments?.length ?? 0) === 0)
    return 'new Date()';
  if (ts.isCallExpression(node) && node.expression.getText(tree) === 'Date') return 'Date()';
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return AMBIENT_MODULES.has(node.moduleSpecifier.text) ? node.moduleSpecifier.text : undefined;
  }
  if (ts.isImportSpecifier(node))
    return AMBIENT_IMPORTS.has((node.propertyName ?? node.name).text) ? node.name.text : undefined;
  if (ts.isPropertyAccessExpression(node)) {
    const text = node.getText(tree);
    return AMBIENT.has(text) ? text : undefined;
  }
  if (!ts.isIdentifier(node) || !AMBIENT.has(node.text) || !isRead(node)) return undefined;
  return node.text;
}

/** Whether an identifier is the thing itself and not a member, a key, a type or a declaration of that name. */
function isRead(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isTypeNode(parent) || ts.isQualifiedName(parent) || ts.isPropertySignature(parent)) return false;
  if (ts.isMethodDeclaration(parent) || ts.isMethodSignature(parent) || ts.isPropertyDeclaration(parent)) return false;
  const declares = ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isFunctionDeclaration(parent);
  return !(declares && parent.name === node);
}

/** RxJS operators and sources that wait or measure: without a scheduler they use the process's own clock. */
const TIMED = new Set([
  'auditTime',
  'bufferTime',
  'debounceTime',
  'delay',
  'interval',
  'sampleTime',
  'throttleTime',
  'timeInterval',
  'timeout',
  'timeoutWith',
  'timer',
  'timestamp',
  'windowTime',
]);
/** Their `delay` option must be a stream of the clock's, never a number. */
const REPEATING = new Set(['repeat', 'retry']);

export function timedBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources.filter((from) => from.path.startsWith('src/')).flatMap(timedIn);
}

function timedIn(from: Source): readonly Breach[] {
  const imported = new Map<string, string>();
  const found: Breach[] = [];
  everyNode(from.tree, (node) => {
    if (
      ts.isImportDeclaration(node) &&
      ts.isStringLiteral(node.moduleSpecifier) &&
      node.moduleSpecifier.text.startsWith('rxjs')
    ) {
      const bindings = node.importClause?.namedBindings;
      if (bindings === undefined || !ts.isNamedImports(bindings)) return;
      for (const each of bindings.elements) imported.set(each.name.text, (each.propertyName ?? each.name).text);
    }
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return;
    const operator = imported.get(node.expression.text) ?? '';
    const written = node.arguments.map((argument) => argument.getText(from.tree)).join(', ');
    if (TIMED.has(operator) && !/clock|scheduler/i.test(written))
      found.push(breach(from, node, `${operator} does not name the clock`));
    if (REPEATING.has(operator) && /\bdelay:\s*(\d|\w*[mM]s\b)/.test(written)) {
      found.push(breach(from, node, `${operator} with a number as delay uses the process's clock`));
    }
  });
  return found;
}
