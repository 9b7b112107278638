/** Rules on exports: what is imported nowhere is not exported, and what only tests need is not kept in src. */

import { posix } from 'node:path';
import ts from 'typescript';
import { isUnderConstruction, PUBLIC_ENTRIES, UNDER_CONSTRUCTION } from './imports.ts';
import { type Breach, breach, everyNode, type Source } from './source.ts';

/** Who imports a name of a file: code, tests, or both. `*` stands for every name of the file. */
interface Uses {
  readonly byCode: Set<string>;
  readonly byTests: Set<string>;
}

/** Files, and folders with a slash, whose exports no other file of src needs to import. */
const OPEN = [...PUBLIC_ENTRIES, ...Object.keys(UNDER_CONSTRUCTION)];

export function unusedExportBreaches(sources: readonly Source[], open = OPEN): readonly Breach[] {
  const uses = new Map<string, Uses>();
  for (const from of sources) noteImports(from, uses);
  return sources
    .filter((from) => from.path.startsWith('src/') && !isUnderConstruction(from.path, open))
    .flatMap((from) => {
      const { byCode, byTests } = uses.get(from.path) ?? { byCode: new Set(), byTests: new Set() };
      if (byCode.has('*') || byTests.has('*')) return [];
      return exportsOf(from).flatMap(({ name, node }) => {
        if (byCode.has(name)) return [];
        if (!byTests.has(name) && isSpokenOf(from, name, node)) return [];
        if (!byTests.has(name)) return [breach(from, node, `${name} is exported, and no other file imports it`)];
        return isNamedAgain(from, name, node) ? [] : [breach(from, node, `${name} is needed by tests alone`)];
      });
    });
}

function noteImports(from: Source, uses: Map<string, Uses>): void {
  const isTest = from.path.startsWith('test/');
  const note = (specifier: string, names: readonly string[]): void => {
    if (!specifier.startsWith('.')) return;
    const target = posix.join(posix.dirname(from.path), specifier);
    const known = uses.get(target) ?? { byCode: new Set(), byTests: new Set() };
    for (const name of names) (isTest ? known.byTests : known.byCode).add(name);
    uses.set(target, known);
  };
  everyNode(from.tree, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
      if (ts.isStringLiteral(node.moduleSpecifier)) note(node.moduleSpecifier.text, importedNames(node));
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument !== undefined && ts.isStringLiteral(argument)) note(argument.text, ['*']);
    } else if (isCallOf(node, 'threadModule')) {
      // A worker is started by its address, and its functions are called by name.
      const [, argument] = node.arguments;
      if (argument !== undefined && ts.isStringLiteral(argument)) note(argument.text, ['*']);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      if (ts.isStringLiteral(node.argument.literal)) note(node.argument.literal.text, ['*']);
    }
  });
}

function isCallOf(node: ts.Node, name: string): node is ts.CallExpression {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name;
}

function importedNames(node: ts.ImportDeclaration | ts.ExportDeclaration): readonly string[] {
  const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  if (bindings === undefined) return ts.isExportDeclaration(node) ? ['*'] : [];
  if (ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings)) return ['*'];
  return bindings.elements.map((each) => (each.propertyName ?? each.name).text);
}

interface Exported {
  readonly name: string;
  readonly node: ts.Node;
}

function exportsOf(from: Source): readonly Exported[] {
  return from.tree.statements.flatMap((node): readonly Exported[] => {
    const isExported = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isExport) === true;
    if (!isExported) return [];
    if (ts.isVariableStatement(node))
      return node.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [{ name: name.text, node }] : [],
      );
    const { name } = node as ts.DeclarationStatement;
    return name === undefined ? [] : [{ name: name.getText(from.tree), node }];
  });
}

function isExport(modifier: ts.Modifier): boolean {
  return modifier.kind === ts.SyntaxKind.ExportKeyword;
}

/** Whether it is a type of which another export of the file is made: code that uses that one may have to name it. */
function isSpokenOf(from: Source, name: string, declaration: ts.Node): boolean {
  if (!ts.isInterfaceDeclaration(declaration) && !ts.isTypeAliasDeclaration(declaration)) return false;
  const others = exportsOf(from).filter(({ node }) => node !== declaration);
  return others.some(({ node }) => {
    let isNamed = false;
    everyNode(node, (each) => {
      if (ts.isIdentifier(each) && each.text === name) isNamed = true;
    });
    return isNamed;
  });
}

/** Whether the file itself uses the name outside of its declaration. */
function isNamedAgain(from: Source, name: string, declaration: ts.Node): boolean {
  let isUsed = false;
  everyNode(from.tree, (node) => {
    if (!ts.isIdentifier(node) || node.text !== name) return;
    if (node.pos < declaration.pos || node.end > declaration.end) isUsed = true;
  });
  return isUsed;
}
