/** Public members without a description: what an editor shows nothing of. */

import type { DeclarationReflection, ProjectReflection } from 'typedoc';
import { commentOf, exportsOf, fieldsOf, isTag, membersOf, whereOf } from './model.ts';

/** Each as `file:line name`. What a docstring above names in backticks is described there. */
export function missingDescriptions(project: Pick<ProjectReflection, 'children'>): readonly string[] {
  return [...new Set(exportsOf(project).flatMap((each) => missingOf(each, each.name, '')))];
}

function missingOf(each: DeclarationReflection, name: string, above: string): readonly string[] {
  const own = (commentOf(each)?.summary ?? []).map(({ text }) => text).join('');
  const isDescribed = own !== '' || isTag(each) || above.includes(`\`${each.name}\``);
  const inner = (fields: readonly DeclarationReflection[], said: string) =>
    fields.flatMap((field) => missingOf(field, `${name}.${field.name}`, said));
  const { type } = each;
  const variants = type?.type === 'union' ? type.types : type === undefined ? [] : [type];
  return [
    ...(isDescribed ? [] : [`${whereOf(each)} ${name}`]),
    ...inner(each.children === undefined ? [] : membersOf(each), own),
    ...variants.flatMap((variant, at) => {
      const said = type?.type === 'union' ? (type.elementSummaries?.[at] ?? []).map(({ text }) => text).join('') : '';
      return inner(fieldsOf(variant), `${own}\n${said}`);
    }),
  ];
}
