/** Public members without a description: what an editor shows nothing of. */

import type { Member } from './members.ts';
import type { Declared } from './public-surface.ts';

/** Each as `file:line name`. What a docstring above names in backticks is described there. */
export function missingDescriptions(surface: readonly Declared[]): readonly string[] {
  return surface.flatMap((declared) => [
    ...(declared.docs === '' ? [`${declared.where} ${declared.name}`] : []),
    ...declared.members.flatMap((member) => missingOf(member, declared.name, '')),
    ...declared.variants.flatMap(({ tag, docs, where, members, text }) => {
      const above = `${declared.docs}\n${docs}`;
      const isDescribed = docs !== '' || declared.docs.includes(`\`${tag}\``) || members.length === 0;
      return [
        ...(isDescribed ? [] : [`${where} ${declared.name}, ${tag === '' ? text.join('') : tag}`]),
        ...members.flatMap((member) => missingOf(member, `${declared.name}, ${tag}`, above)),
      ];
    }),
  ]);
}

function missingOf(member: Member, of: string, above: string): readonly string[] {
  const { name, docs, where, isTag, inner } = member;
  const plain = name.replace(/[?()]/g, '');
  const isDescribed = docs !== '' || isTag || above.includes(`\`${plain}\``);
  return [
    ...(isDescribed ? [] : [`${where} ${of}.${name}`]),
    ...inner.flatMap((field) => missingOf(field, `${of}.${plain}`, docs)),
  ];
}
