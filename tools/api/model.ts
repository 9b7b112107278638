/** What TypeDoc's model says of an export: its comment, its members, the words it consists of. */

import { relative } from 'node:path';
import type { Comment, DeclarationReflection, ProjectReflection, SomeType } from 'typedoc';
import { ROOT } from './entry-list.ts';

/** What the entries export, each where it is described. */
export function exportsOf({ children = [] }: Pick<ProjectReflection, 'children'>): readonly DeclarationReflection[] {
  return children.flatMap((entry) => entry.children ?? []).filter((each) => !each.isReference());
}

/** file:line. */
export function whereOf(each: DeclarationReflection): string {
  const [source] = each.sources ?? each.signatures?.[0]?.sources ?? each.getSignature?.sources ?? [];
  return source === undefined ? '' : `${relative(ROOT, source.fullFileName)}:${source.line}`;
}

/** TypeDoc keeps what is said of a function beside its parameters. */
export function commentOf({ comment, signatures, getSignature, type }: DeclarationReflection): Comment | undefined {
  const inner = type?.type === 'reflection' ? type.declaration.signatures?.[0]?.comment : undefined;
  return signatures?.[0]?.comment ?? getSignature?.comment ?? comment ?? inner;
}

/** Those of an exported base are described there, as are those that a type works out from its words. */
export function membersOf({ children, type }: DeclarationReflection): readonly DeclarationReflection[] {
  const own = children?.filter((child) => child.inheritedFrom?.reflection === undefined && whereOf(child) !== '');
  if (own !== undefined) return own;
  if (type?.type === 'reflection') return fieldsOf(type);
  return type?.type === 'intersection' ? fieldsOf(type).filter((field) => commentOf(field) !== undefined) : [];
}

/** Of the objects that are written out in a type. */
export function fieldsOf(type: SomeType | undefined): readonly DeclarationReflection[] {
  if (type?.type === 'reflection') return type.declaration.children ?? [];
  if (type?.type === 'union' || type?.type === 'intersection') return type.types.flatMap(fieldsOf);
  return type?.type === 'array' ? fieldsOf(type.elementType) : [];
}

/** Whether it is a union of objects that are written out in it, or of words that have meanings. */
export function hasVariants(type: SomeType | undefined): boolean {
  return (
    type?.type === 'union' &&
    (type.elementSummaries !== undefined || type.types.some((part) => fieldsOf(part).length > 0))
  );
}

/** A field that only tells the variants of a union apart. */
export function isTag({ name, type }: DeclarationReflection): boolean {
  return (name === 'kind' || name === 'mode') && type?.type === 'literal';
}
