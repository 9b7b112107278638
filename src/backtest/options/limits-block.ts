/** The block `limits` of configuration files, made from the table of limits. */

import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import type { LimitForm, PartForm } from '../../risk/limits/limit-forms.ts';
import { LIMITS } from '../../risk/limits/limits.ts';
import { choice, closed, Whole } from './fields.ts';

/** Up to it an amount in micro units is exact in a double (2⁵³ · 10⁻⁶). */
const AMOUNT_MAX = 9_000_000_000;

export const LimitsBlock = Type.Object(limitProperties(), {
  ...closed,
  title: 'a map of limits',
  description: 'Risk limits; none lifts one.',
  default: {},
});

/** A flag is none of the block's keys: the run sets it itself. */
function limitProperties(): TProperties {
  const properties: Record<string, TSchema> = {};
  for (const [key, form] of Object.entries<LimitForm>(LIMITS)) {
    if (form.kind !== 'flag') properties[key] = schemaOf(form);
  }
  return properties;
}

function schemaOf(form: Exclude<LimitForm, { readonly kind: 'flag' }>): TSchema {
  switch (form.kind) {
    case 'amount':
      return Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: AMOUNT_MAX }), Type.Literal('none')], {
        title: 'a number above 0, or none',
        description: form.about,
        default: form.usual,
      });
    case 'whole':
      return Type.Union([Type.Integer({ minimum: 1, maximum: form.most }), Type.Literal('none')], {
        title: `a whole number from 1 to ${form.most}, or none`,
        description: form.about,
        default: form.usual,
      });
    case 'word':
      return choice(form.words, form.about);
    case 'parts': {
      const parts = Object.entries(form.parts).map(([name, part]) => [name, partSchema(part)]);
      return Type.Union([Type.Object(Object.fromEntries(parts), closed), Type.Literal('none')], {
        title: `${form.example}, or none`,
        description: form.about,
        default: 'none',
      });
    }
  }
}

function partSchema(form: PartForm): TSchema {
  switch (form.kind) {
    case 'amount':
      return Type.Number({
        minimum: 0.000001,
        maximum: AMOUNT_MAX,
        title: 'an amount of at least 0.000001',
        description: form.about,
      });
    case 'whole':
      return Whole(form.about, { min: form.least, max: form.most });
    case 'ratio':
      return Type.Number({ minimum: form.least, maximum: form.most, title: `a number of at least ${form.least}` });
    case 'word':
      return Type.Union(
        form.words.map((word) => Type.Literal(word)),
        { title: form.words.join(' or '), description: form.about },
      );
  }
}
