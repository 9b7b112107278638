/** What really went over the wire and through the typed client: each item with the test in which it was seen first. */

import {
  isAbsent,
  isObject,
  type SchemaNode,
  shapeChooser,
  typeOf,
  valueNodeOf,
} from '../../../src/codec/schema-node.ts';

/** Sent or accepted by the sandbox, read or sent by the client. */
export type Seer = 'sandbox' | 'client';

export interface Sighting {
  /** The first test that saw it. */
  readonly test: string;
  /** Where it was seen: operations, or the stream. */
  readonly places: ReadonlySet<string>;
}

/** The three forms of `_meta` are one document of the specification. */
const SAME_DOCUMENT: Readonly<Record<string, string>> = { Meta: '_meta', PagedMeta: '_meta', KeysetMeta: '_meta' };

export function documentName(title: string): string {
  return SAME_DOCUMENT[title] ?? title;
}

/** How items are named: one spelling for the lists made from the schemas and for what is seen. */
export const item = {
  answered: (operation: string, status: number) => `${operation} ${status}`,
  inAnswer: (operation: string, path: string) => `${operation} > ${path}`,
  inRequest: (operation: string, part: 'path' | 'query' | 'body', path: string) => `${operation} < ${part} ${path}`,
  field: (title: string, key: string) => `${documentName(title)}.${key}`,
  word: (title: string, word: string) => `${title}: ${word}`,
  wordOf: (title: string, key: string, word: string) => `${documentName(title)}.${key}: ${word}`,
};

export interface Spot {
  /** An operation, or `stream`. */
  readonly place: string;
  /** The item of a path below the value, where paths are noted. */
  readonly itemOf?: (path: string) => string;
}

export class Notebook {
  /** Of the test that runs now. */
  test = '';
  readonly #seen: Readonly<Record<Seer, Map<string, { readonly test: string; readonly places: Set<string> }>>> = {
    sandbox: new Map(),
    client: new Map(),
  };

  note(seer: Seer, name: string, place: string): void {
    const known = this.#seen[seer].get(name);
    if (known === undefined) this.#seen[seer].set(name, { test: this.test, places: new Set([place]) });
    else known.places.add(place);
  }

  sighting(seer: Seer, name: string): Sighting | undefined {
    return this.#seen[seer].get(name);
  }

  /** Notes every field and word in a value, by the schema that it is of. Fields that are null are not there. */
  noteValue(seer: Seer, { node, value }: { readonly node: SchemaNode; readonly value: unknown }, spot: Spot): void {
    this.#walk({ seer, spot, node, value, path: '' });
  }

  #walk(step: Step): void {
    const { seer, spot, node, value, path } = step;
    if (isAbsent(value)) return;
    if (spot.itemOf !== undefined && path !== '') this.note(seer, spot.itemOf(path), spot.place);
    if (node.anyOf !== undefined) {
      if (!isObject(value)) return;
      const shape = node.anyOf[shapeChooser(node.anyOf)(value)];
      if (shape !== undefined) this.#walk({ ...step, node: shape });
    } else if (Array.isArray(value)) this.#walkList(step, value);
    else if (isObject(value)) this.#walkObject(step, value);
    else if (node.enum !== undefined) this.note(seer, item.word(node.title ?? '', String(value)), spot.place);
  }

  #walkList(step: Step, values: readonly unknown[]): void {
    const { items } = step.node;
    if (items === undefined) return;
    for (const value of values) this.#walk({ ...step, node: items, value, path: `${step.path}[]` });
  }

  #walkObject(step: Step, value: Readonly<Record<string, unknown>>): void {
    const { seer, spot, node, path } = step;
    const values = valueNodeOf(node);
    for (const [key, each] of Object.entries(value)) {
      const child = values ?? node.properties?.[key];
      // What no schema declares is the strict checker's business (test/support/wire-strict.ts).
      if (child === undefined || isAbsent(each)) continue;
      if (values === undefined && node.title !== undefined) {
        this.note(seer, item.field(node.title, key), spot.place);
        // A plain text on the wire, with words of the profile's.
        if (key === 'cancellationReason') this.note(seer, item.word('CancellationReason', String(each)), spot.place);
        if (child.enum !== undefined) this.note(seer, item.wordOf(node.title, key, String(each)), spot.place);
      }
      const name = values === undefined ? key : '{}';
      this.#walk({ ...step, node: child, value: each, path: path === '' ? name : `${path}.${name}` });
    }
  }
}

interface Step {
  readonly seer: Seer;
  readonly spot: Spot;
  readonly node: SchemaNode;
  readonly value: unknown;
  readonly path: string;
}

/** Every path below a schema, as a walk over a full value would note them. */
export function pathsOf(node: SchemaNode, path = ''): readonly string[] {
  const here = path === '' ? [] : [path];
  const below = (child: SchemaNode, name: string) => pathsOf(child, path === '' ? name : `${path}.${name}`);
  if (node.anyOf !== undefined) return [...new Set([...here, ...node.anyOf.flatMap((shape) => pathsOf(shape, path))])];
  if (typeOf(node) === 'array') return [...here, ...(node.items === undefined ? [] : pathsOf(node.items, `${path}[]`))];
  const values = valueNodeOf(node);
  if (values !== undefined) return [...here, ...below(values, '{}')];
  return [...here, ...Object.entries(node.properties ?? {}).flatMap(([key, child]) => below(child, key))];
}
