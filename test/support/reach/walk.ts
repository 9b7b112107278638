/** Walks all that can be reached from what a strategy is given, and tells what is not documented. */

import { type Call, DOCUMENTED } from './documented.ts';

/** What JavaScript itself has, and everybody knows: it leads to nothing of ours. */
const INTRINSICS: ReadonlySet<unknown> = intrinsicsOf(globalThis);

function intrinsicsOf(realm: object): ReadonlySet<unknown> {
  const known = new Set<unknown>([Object.prototype, Function.prototype]);
  for (const name of ['Object', 'Function', 'Array', 'Map', 'Set', 'Promise', 'Error', 'TypeError', 'Symbol']) {
    const made: unknown = Reflect.get(realm, name);
    known.add(made);
    if (typeof made === 'function') known.add(made.prototype);
  }
  return known;
}

export interface Walked {
  /** How many objects and functions were looked at. */
  readonly looked: number;
  /** What is there and not documented, documented and not there, or can be written; each a path with words. */
  readonly found: readonly string[];
}

interface Ids {
  readonly market: string;
  readonly outcome: string;
}

/** Of `decide`'s input; `kind` is a key of `DOCUMENTED`. */
export function walk(value: unknown, kind: string, ids: Ids): Walked {
  const walker = new Walker(ids);
  walker.look(kind, value, kind);
  return { looked: walker.looked.size, found: walker.found };
}

class Walker {
  readonly looked = new Set<unknown>();
  readonly found: string[] = [];
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  look(path: string, value: unknown, kind: string): void {
    if (kind.endsWith('?')) return value === undefined ? undefined : this.look(path, value, kind.slice(0, -1));
    if (kind === 'plain') return this.#plain(path, value);
    if (typeof value !== 'object' || value === null) return void this.found.push(`${path} is no ${kind}`);
    if (this.looked.has(value)) return;
    this.looked.add(value);
    if (kind.endsWith('[]')) return this.#list(path, value, kind.slice(0, -2));
    const documented = DOCUMENTED[kind] ?? {};
    const keys = this.#keysOf(path, value);
    for (const key of keys) {
      if (typeof key === 'symbol' || !Object.hasOwn(documented, key))
        this.found.push(`${path}.${String(key)} is there`);
    }
    for (const [key, of] of Object.entries(documented)) {
      if (!keys.has(key)) this.found.push(`${path}.${key} is not there`);
      const field: unknown = Reflect.get(value, key);
      if (typeof of === 'string') this.look(`${path}.${key}`, field, of);
      else this.#call(`${path}.${key}`, { of, called: field, on: value });
    }
  }

  /** Functions have a name and a length, and their prototype is JavaScript's own. */
  lookAtFunction(path: string, value: unknown): void {
    if ((typeof value !== 'function' && typeof value !== 'object') || value === null) return this.#plain(path, value);
    if (INTRINSICS.has(value) || this.looked.has(value)) return;
    this.looked.add(value);
    if (!Object.isFrozen(value)) this.found.push(`${path} can be written`);
    if (!INTRINSICS.has(Object.getPrototypeOf(value))) this.found.push(`${path} has a prototype of ours`);
    for (const key of Reflect.ownKeys(value)) this.lookAtFunction(`${path}.${String(key)}`, Reflect.get(value, key));
  }

  #plain(path: string, value: unknown): void {
    if (typeof value === 'function' || (typeof value === 'object' && value !== null)) {
      this.found.push(`${path} is an object`);
    }
  }

  #list(path: string, list: object, kind: string): void {
    if (!Array.isArray(list)) return void this.found.push(`${path} is no list`);
    for (const key of Reflect.ownKeys(list)) {
      if (key !== 'length' && !/^\d+$/.test(String(key))) this.found.push(`${path}.${String(key)} is there`);
    }
    for (const [at, item] of list.entries()) this.look(`${path}[${at}]`, item, kind);
  }

  /** Own keys and those of all prototypes but JavaScript's own; getters and methods are looked at on the way. */
  #keysOf(path: string, value: object): ReadonlySet<string | symbol> {
    const keys = new Set<string | symbol>();
    for (let at: object | null = value; at !== null && !INTRINSICS.has(at); at = Object.getPrototypeOf(at)) {
      if (!Object.isFrozen(at)) this.#noteOpen(path, at, value);
      for (const key of Reflect.ownKeys(at)) {
        keys.add(key);
        const { get, set } = Object.getOwnPropertyDescriptor(at, key) ?? {};
        if (get !== undefined) this.lookAtFunction(`${path}.${String(key)}, its getter`, get);
        if (set !== undefined) this.found.push(`${path}.${String(key)} has a setter`);
      }
    }
    return keys;
  }

  /** A copy made for the one who asked may be his to write; what others are given too may not. */
  #noteOpen(path: string, at: object, value: object): void {
    if (at !== value) this.found.push(`the prototype of ${path} can be written`);
    else if (!/\(\)(\[\d+\])?$/.test(path)) this.found.push(`${path} can be written`);
  }

  #call(path: string, { of, called, on }: { readonly of: Call; readonly called: unknown; readonly on: object }): void {
    this.lookAtFunction(path, called);
    if (typeof called !== 'function') return void this.found.push(`${path} is no function`);
    const args = of.with.map((arg) =>
      arg === 'none' ? [] : arg === 'market' || arg === 'outcome' ? this.#ids[arg] : arg,
    );
    let given: unknown;
    try {
      given = Reflect.apply(called, on, args);
    } catch (error) {
      // What is thrown at a strategy is an error with words, and leads nowhere.
      return this.#thrown(`${path}, what it throws`, error);
    }
    this.look(`${path}()`, given, of.gives);
  }

  #thrown(path: string, error: unknown): void {
    if (typeof error !== 'object' || error === null) return;
    for (const key of Reflect.ownKeys(error)) this.#plain(`${path}.${String(key)}`, Reflect.get(error, key));
  }
}
