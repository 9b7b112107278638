/** Fields that several blocks of configuration files are made of. A `title` says what is expected there. */

import { Type } from '@sinclair/typebox';

/** The option of a map that takes no other keys than its own. */
export const closed = { additionalProperties: false };

export const Whole = (
  description: string,
  range: { readonly min: number; readonly max: number; readonly value?: number },
) =>
  Type.Integer({
    minimum: range.min,
    maximum: range.max,
    title: `a whole number from ${range.min} to ${range.max}`,
    description,
    ...(range.value === undefined ? {} : { default: range.value }),
  });

/** One of several words; the first is the default. */
export function choice<const T extends readonly [string, ...string[]]>(names: T, description: string) {
  const literals = names.map((name) => Type.Literal(name as T[number]));
  return Type.Union(literals, { title: `one of ${names.join(', ')}`, description, default: names[0] });
}
