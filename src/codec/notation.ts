/** The few functions with which the schemas are written: closed documents, lists, and the JSON types of the API. */

import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { type DocumentUse, USE, type UsedDocument } from './document-use.ts';

/**
 * An id: a string on the wire, whether it has digits only or not. `ids.ts` converts those that are integers in this program.
 */
export const id = Type.String();
export const text = Type.String();
export const number = Type.Number();
export const integer = Type.Integer();
export const flag = Type.Boolean();
/** A date-time; `instants.ts` defines which spellings are read and which one is written. */
export const moment = Type.String({ format: 'date-time' });

/** A field that may be absent; null is read as absent and never written. */
export const maybe = Type.Optional;

/** A list that is always written, even if it is empty, and read as empty if it is absent (wire-shapes, notation). */
export function list<S extends TSchema>(items: S) {
  return Type.Array(items, { default: [] });
}

/** A named document with exactly these fields. `use` says how the lenient reader reads it; without it, all fields are optional. */
export function document<P extends TProperties, const Needed extends keyof P & string = never>(
  title: string,
  properties: P,
  use: DocumentUse<Needed, keyof P & string> = { needs: [] },
): TObject<P> & UsedDocument<Needed> {
  return Object.assign(Type.Object(properties, { title, additionalProperties: false }), { [USE]: use });
}

/** A named part of a request. The server ignores fields that it does not know. */
export function request<P extends TProperties>(title: string, properties: P) {
  return Type.Object(properties, { title });
}

/** A closed list of words. Writers accept only these words; readers of documents accept others too (`codec-read.ts`). */
export function words<const W extends string>(title: string, values: readonly W[]) {
  return Type.Unsafe<W>({ title, type: 'string', enum: [...values] });
}

/** The given schema with a default, as which an absent value is read. */
export function defaulting<S extends TSchema>(schema: S, value: Static<S>): S {
  return { ...schema, default: value };
}

/** A word that is not in its closed list, kept as it came. */
export type OtherWord = string & Readonly<Record<never, never>>;

/** The type of a document as readers return it: read-only, and any word may be one that is not in its closed list. */
export type Tolerant<T> = T extends string
  ? string extends T
    ? T
    : T | OtherWord
  : T extends readonly (infer E)[]
    ? readonly Tolerant<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Tolerant<T[K]> }
      : T;

/** The type of a document as writers accept it: read-only at every depth. */
export type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** The type of a document that was read with this schema. */
export type Read<S extends TSchema> = Tolerant<Static<S>>;

/** The type of a value that is written with this schema. */
export type Written<S extends TSchema> = Frozen<Static<S>>;
