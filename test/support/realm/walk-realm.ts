/** Walks all that can be reached from a value, by keys, prototypes, getters, calls and what is thrown, and names what our own realm made. */

import { types } from 'node:util';
import { createContext, constants as vm } from 'node:vm';
import { originOf } from '../../../src/loader/realm/origin.ts';

const OURS = Object.prototype;
/** Names of what the language itself has: of a realm, they are looked at and never called. */
const LANGUAGE: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(createContext(vm.DONT_CONTEXTIFY)));
/** What a strategy may call a function of ours with. */
const ARGUMENTS: readonly (readonly unknown[])[] = [[], ['o0'], ['o0', 'For'], ['For', 2], [7n], [Symbol('odd')]];
const CALLS_MAX = 20_000;

export interface RealmWalk {
  /** How many objects and functions were looked at, and how many calls were made. */
  readonly looked: number;
  readonly calls: number;
  /** Paths to what our realm made. */
  readonly found: readonly string[];
}

/** `realm`: the global of the strategy, whose own functions are not called. */
export function walkRealm(roots: Readonly<Record<string, unknown>>, realm: object): RealmWalk {
  const walk = new Walk(languageOf(realm));
  for (const [name, root] of Object.entries(roots)) walk.add(name, root);
  walk.all();
  return { looked: walk.seen.size, calls: walk.calls, found: walk.found };
}

/** All that the language has in a realm. The console is ours. */
function languageOf(realm: object): ReadonlySet<unknown> {
  const known = new Set<unknown>();
  const queue: unknown[] = [...LANGUAGE]
    .filter((name) => name !== 'console' && name !== 'globalThis')
    .map((name) => Reflect.get(realm, name));
  for (const value of queue) {
    if (!isObject(value) || known.has(value)) continue;
    known.add(value);
    queue.push(Object.getPrototypeOf(value));
    for (const part of partsOf(value)) queue.push(part.value);
  }
  return known;
}

class Walk {
  readonly seen = new Set<unknown>();
  readonly found: string[] = [];
  calls = 0;
  readonly #language: ReadonlySet<unknown>;
  readonly #queue: { readonly path: string; readonly value: object; readonly on: unknown }[] = [];

  constructor(language: ReadonlySet<unknown>) {
    this.#language = language;
  }

  add(path: string, value: unknown, on: unknown = undefined): void {
    if (!isObject(value) || this.seen.has(value)) return;
    this.seen.add(value);
    if (originOf(value) === OURS || value === OURS) this.found.push(path);
    else this.#queue.push({ path, value, on });
  }

  all(): void {
    for (const { path, value, on } of this.#queue) {
      if (types.isProxy(value)) continue;
      this.add(`${path}.[[Prototype]]`, Object.getPrototypeOf(value), value);
      for (const { key, value: part } of partsOf(value)) this.add(`${path}.${key}`, part, value);
      for (const key of Reflect.ownKeys(value)) this.#read(path, { key, from: value, on });
      if (typeof value === 'function' && !this.#language.has(value)) this.#call(path, value, on);
    }
  }

  /** A getter is asked of the object that has it, and of the one that it was reached from. */
  #read(path: string, { key, from, on }: { readonly key: PropertyKey; readonly from: object; readonly on: unknown }) {
    const { get } = Object.getOwnPropertyDescriptor(from, key) ?? {};
    if (get === undefined || this.#language.has(get)) return;
    for (const receiver of [on, from, {}]) this.#try(`${path}.${String(key)} read`, get, { on: receiver, args: [] });
  }

  #call(path: string, called: unknown, on: unknown): void {
    for (const args of ARGUMENTS) this.#try(`${path}()`, called, { on, args });
    this.#try(`${path}() of nothing`, called, { on: undefined, args: [] });
    if (Object.hasOwn(Object(called), 'prototype')) this.#try(`new ${path}`, called, { on: NEW, args: ['o0'] });
  }

  #try(path: string, called: unknown, { on, args }: { readonly on: unknown; readonly args: readonly unknown[] }): void {
    if (typeof called !== 'function' || this.calls > CALLS_MAX) return;
    this.calls += 1;
    try {
      const isNew = on === NEW;
      const made: unknown = isNew ? Reflect.construct(called, args) : Reflect.apply(called, on, args);
      // What rejects for want of sensible arguments is no error of the test.
      if (types.isPromise(made)) Promise.prototype.then.call(made, undefined, () => undefined);
      this.add(path, made, isNew ? undefined : on);
    } catch (thrown) {
      this.add(`${path}, thrown ${String(Reflect.get(Object(thrown), 'message')).slice(0, 90)}`, thrown);
    }
  }
}

const NEW = Symbol('new');

function partsOf(value: object): { readonly key: string; readonly value: unknown }[] {
  return Reflect.ownKeys(value).flatMap((key) => {
    const { value: part, get, set } = Object.getOwnPropertyDescriptor(value, key) ?? {};
    const name = String(key);
    return [
      { key: name, value: part },
      { key: `get ${name}`, value: get },
      { key: `set ${name}`, value: set },
    ];
  });
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
