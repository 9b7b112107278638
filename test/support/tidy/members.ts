/** The rule on members: a method, getter or field of a class in src whose name no code reads is not kept for tests. */

import ts from 'typescript';
import { type Breach, breach, everyNode, type Source } from './source.ts';

/** Called by the language's own functions, never by ours. */
const PROTOCOL: ReadonlySet<string> = new Set(['toJSON', 'toString']);

/** It goes by names alone: a member whose name another member shares, and code reads, passes. */
export function unreadMemberBreaches(sources: readonly Source[]): readonly Breach[] {
  const code = sources.filter(({ path }) => !path.startsWith('test/'));
  const read = new Set<string>();
  const declared = new Set<string>();
  for (const { tree } of code)
    everyNode(tree, (node) => {
      if (ts.isPropertyAccessExpression(node)) read.add(node.name.text);
      else if (ts.isStringLiteralLike(node)) read.add(node.text);
      else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent))
        read.add((node.propertyName ?? node.name).getText(tree));
      else if (ts.isInterfaceDeclaration(node)) declared.add(node.name.text);
    });
  return code
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap((from) => {
      const breaches: Breach[] = [];
      everyNode(from.tree, (node) => {
        if (!ts.isClassDeclaration(node) || isOfForeignShape(node, declared)) return;
        for (const { name } of node.members) {
          if (name === undefined || !ts.isIdentifier(name)) continue;
          if ([read, PROTOCOL].some((names) => names.has(name.text))) continue;
          breaches.push(breach(from, name, `${name.text} is read by no code`));
        }
      });
      return breaches;
    });
}

/** Whether the class implements an interface of a package, whose code calls it. */
function isOfForeignShape(node: ts.ClassDeclaration, declared: ReadonlySet<string>): boolean {
  const shapes = (node.heritageClauses ?? []).filter(({ token }) => token === ts.SyntaxKind.ImplementsKeyword);
  return shapes.some(({ types }) => types.some(({ expression }) => !declared.has(expression.getText())));
}
