/** The few words in which the schemas are written: closed documents, lists, and the JSON types of the API. */

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** An id is a string on the wire, digits or not; see `ids.ts` for those that are integers here. */
export const id = Type.String();
export const text = Type.String();
export const number = Type.Number();
export const integer = Type.Integer();
export const flag = Type.Boolean();
/** A date-time; `instants.ts` says which spellings are read and which one is written. */
export const moment = Type.String({ format: 'date-time' });

/** May be absent; null is read as absent and never written. */
export const maybe = Type.Optional;

/** Always written, empty where there is nothing; read as empty where it is absent (wire-shapes, notation). */
export function list<S extends TSchema>(items: S) {
  return Type.Array(items, { default: [] });
}

/** A document with a name of its own: exactly these fields. */
export function document<P extends TProperties>(title: string, properties: P) {
  return Type.Object(properties, { title, additionalProperties: false });
}

/** A request's part with a name of its own. The server reads past fields it does not know. */
export function request<P extends TProperties>(title: string, properties: P) {
  return Type.Object(properties, { title });
}

/** A closed list of words: writers keep to it, readers of documents do not insist (`codec-read.ts`). */
export function words<const W extends string>(title: string, values: readonly W[]) {
  return Type.Unsafe<W>({ title, type: 'string', enum: [...values] });
}

/** The same schema, which reads an absent value as this one. */
export function defaulting<S extends TSchema>(schema: S, value: Static<S>): S {
  return { ...schema, default: value };
}

/** A word that is none of those listed, kept as it came. */
export type OtherWord = string & Readonly<Record<never, never>>;

/** A document as readers give it: read-only, and any word may be one that is not listed. */
export type Tolerant<T> = T extends string
  ? string extends T
    ? T
    : T | OtherWord
  : T extends readonly (infer E)[]
    ? readonly Tolerant<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Tolerant<T[K]> }
      : T;

/** A document as writers take it: read-only all the way down. */
export type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

export type Read<S extends TSchema> = Tolerant<Static<S>>;
export type Written<S extends TSchema> = Frozen<Static<S>>;
