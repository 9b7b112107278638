/** The key of every configuration that chooses the words for the two sides of a bet. */

import { type TSchema, Type } from '@sinclair/typebox';
import { SIDE_WORDS } from '../../../words/side-words.ts';

const Sides = Type.Union(
  SIDE_WORDS.map((words) => Type.Literal(words)),
  {
    title: SIDE_WORDS.join(' or '),
    description: 'How pages and terminals call the two sides of a bet; back-lay where it is left out.',
  },
);

/** A configuration with the key: it says how a run is shown, and so is none of its options. */
export function withSides<S extends TSchema>(schema: S): S {
  return { ...schema, properties: { ...schema['properties'], sides: Sides } };
}
