/**
 * Gives a strategy functions and objects of ours as its own realm's: plain data and bytes are copied, functions and objects of classes
 * are called through stand-ins. Nothing that it is given was made by us, and nothing of it leads to us.
 */

import { isOurs } from '../../../engine/windows/own-error.ts';

/** What only our side can tell of its objects. */
export interface Outside {
  readonly isError: (value: object) => boolean;
  readonly isDate: (value: object) => boolean;
  readonly isMap: (value: object) => boolean;
  readonly isSet: (value: object) => boolean;
  readonly isPromise: (value: object) => boolean;
  readonly isBytes: (value: object) => boolean;
  /** Our Buffer over the memory of bytes. */
  readonly bufferOver: (bytes: Uint8Array) => object;
  /** Whether the bytes are a Buffer. */
  readonly isBuffer: (bytes: object) => boolean;
  readonly Buffer: object;
}

type Call = (...args: unknown[]) => unknown;

// A strategy may replace what its realm has, and would be handed what is passed there.
const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
const { create } = Object;
const ours = Object.prototype;
const isView = ArrayBuffer.isView;
const isList = Array.isArray;

/** A map whose methods nobody can replace. */
class Pairs {
  readonly #map = new WeakMap<object, object>();
  readonly #get = this.#map.get;
  readonly #set = this.#map.set;

  get(key: object): object | undefined {
    return apply(this.#get, this.#map, [key]);
  }

  set(key: object, value: object): void {
    apply(this.#set, this.#map, [key, value]);
  }
}

export class Bridge {
  readonly #outside: Outside;
  /** Stand-ins by what they stand for, and the other way round. */
  readonly #standIns = new Pairs();
  readonly #originals = new Pairs();
  #buffer: (new (memory: ArrayBufferLike, offset?: number, length?: number) => Uint8Array) | undefined;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** What is given to the strategy in place of a value of ours. */
  readonly inward = (value: unknown): unknown => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
    const known = this.#standIns.get(value);
    if (known !== undefined || isOurs(value)) return known ?? value;
    if (value === this.#outside.Buffer) return this.#bufferClass();
    if (typeof value === 'function') return this.#function(value as Call);
    return this.#data(value) ?? this.#object(value);
  };

  /** What is given to us in place of a value of the strategy's. */
  readonly outward = (value: unknown): unknown => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
    const original = this.#originals.get(value);
    if (original !== undefined) return original;
    if (typeof value !== 'function') return value;
    const { inward, outward } = this;
    const caller = (...args: unknown[]): unknown => outward(apply(value, undefined, eachOf(args, inward)));
    this.#pair(caller, value);
    return caller;
  };

  /** Copies, of what is data. Undefined for objects of classes. */
  #data(value: object): object | undefined {
    const { isError, isDate, isMap, isSet, isPromise, isBytes } = this.#outside;
    if (isView(value) || isBytes(value)) return this.#bytes(value);
    if (isList(value)) return this.#list(value);
    if (isError(value)) return this.#error(value);
    if (isDate(value)) return new Date(Number(value));
    if (isMap(value)) return new Map(this.#list([...(value as Map<unknown, unknown>)]) as [unknown, unknown][]);
    if (isSet(value)) return new Set(this.#list([...(value as Set<unknown>)]));
    // What comes later is never there for a strategy, which decides at once.
    if (isPromise(value)) return new Promise(() => {});
    const prototype = getPrototypeOf(value);
    return prototype === null || getPrototypeOf(prototype) === null ? this.#plain(value) : undefined;
  }

  #plain(from: object): object {
    const made = {};
    this.#standIns.set(from, made);
    for (const key of ownKeys(from))
      this.#put(made, key, { value: Reflect.get(from, key), enumerable: descriptorOf(from, key).enumerable === true });
    return made;
  }

  #list(from: readonly unknown[]): unknown[] {
    const made: unknown[] = [];
    this.#standIns.set(from, made);
    for (let at = 0; at < from.length; at += 1) this.#put(made, at, { value: from[at], enumerable: true });
    return made;
  }

  /** Defines an own property, whatever setters the strategy has put on prototypes. */
  #put(on: object, key: PropertyKey, { value, enumerable }: { readonly value: unknown; readonly enumerable: boolean }) {
    defineProperty(on, key, {
      __proto__: null,
      value: this.inward(value),
      enumerable,
      writable: true,
      configurable: true,
    } as PropertyDescriptor);
  }

  #error(from: object): object {
    const { name, message, code } = from as {
      readonly name: string;
      readonly message: string;
      readonly code?: unknown;
    };
    const made = new (ERRORS[name] ?? Error)(String(message));
    if (made.name !== name) this.#put(made, 'name', { value: String(name), enumerable: false });
    if (typeof code === 'string') this.#put(made, 'code', { value: code, enumerable: true });
    return made;
  }

  /** Over the same memory, if that is the strategy's. */
  #bytes(from: object): object {
    if (!isView(from)) return this.#copied(from as ArrayBuffer, 0, (from as ArrayBuffer).byteLength).buffer;
    const { buffer, byteOffset, byteLength } = from;
    const bytes = isOurs(buffer) ? { buffer, byteOffset } : this.#copied(buffer, byteOffset, byteLength);
    const made = this.#outside.isBuffer(from) ? this.#bufferClass() : Uint8Array;
    return new made(bytes.buffer, bytes.byteOffset, byteLength);
  }

  #copied(memory: ArrayBufferLike, offset: number, length: number): Uint8Array {
    const from = new Uint8Array(memory, offset, length);
    const made = new Uint8Array(length);
    for (let at = 0; at < length; at += 1) made[at] = from[at] ?? 0;
    return made;
  }

  /** A stand-in that calls it, and makes stand-ins of what it makes where it is a class. */
  #function(from: Call): object {
    const { inward, outward } = this;
    const pair = (made: object, standIn: object): void => this.#pair(made, standIn);
    const isClass = isObject(from.prototype);
    const call = (on: unknown, args: unknown[]): unknown => this.#called(from, on, args);
    const standIn = isClass
      ? function (this: unknown, ...args: unknown[]): unknown {
          if (new.target === undefined) return call(this, args);
          let original: object;
          try {
            original = construct(from, eachOf(args, outward)) as object;
          } catch (thrown) {
            throw inward(thrown);
          }
          const made = create(new.target.prototype as object) as object;
          pair(original, made);
          return made;
        }
      : (...args: unknown[]): unknown => call(undefined, args);
    this.#pair(from, standIn);
    for (const key of ownKeys(from))
      if (key !== 'prototype' && key !== 'arguments' && key !== 'caller')
        this.#put(standIn, key, { value: Reflect.get(from, key), enumerable: false });
    if (isClass) {
      const prototype = this.#prototype(from.prototype as object);
      defineProperty(standIn, 'prototype', { __proto__: null, value: prototype } as PropertyDescriptor);
      this.#put(prototype, 'constructor', { value: standIn, enumerable: false });
    }
    return standIn;
  }

  #called(from: Call, on: unknown, args: unknown[], ofOurs: (on: unknown) => unknown = this.outward): unknown {
    const { inward, outward } = this;
    try {
      return inward(apply(from, ofOurs(on), eachOf(args, outward)));
    } catch (thrown) {
      throw inward(thrown);
    }
  }

  #object(from: object): object {
    const made = create(this.#prototype(getPrototypeOf(from) ?? ours)) as object;
    this.#pair(from, made);
    for (const key of ownKeys(from)) {
      const { value, enumerable = false } = descriptorOf(from, key);
      const isPlain = typeof key === 'string' && typeof value !== 'object' && typeof value !== 'function';
      if (isPlain && value !== undefined) this.#put(made, key, { value, enumerable });
    }
    return made;
  }

  /** The stand-in for the prototype of a class: its methods and getters, and those of the classes above it. */
  #prototype(from: object): object {
    const known = this.#standIns.get(from);
    if (known !== undefined) return known;
    const above = getPrototypeOf(from);
    const made = create(above === null || getPrototypeOf(above) === null ? ours : this.#prototype(above)) as object;
    this.#standIns.set(from, made);
    for (const key of ownKeys(from)) if (key !== 'constructor') this.#member(made, key, from);
    return made;
  }

  #member(made: object, key: PropertyKey, from: object): void {
    const { value, get, set } = descriptorOf(from, key);
    const called = (method: Call, on: unknown, args: unknown[]): unknown => this.#called(method, on, args);
    const descriptor: PropertyDescriptor = { configurable: true };
    if (typeof value === 'function') {
      descriptor.writable = true;
      descriptor.value = function (this: unknown, ...args: unknown[]): unknown {
        return called(value as Call, this, args);
      };
    } else if (get === undefined && set === undefined) {
      descriptor.value = this.inward(value);
    } else {
      if (get !== undefined)
        descriptor.get = function (this: unknown): unknown {
          return called(get, this, []);
        };
      if (set !== undefined)
        descriptor.set = function (this: unknown, next: unknown): void {
          called(set, this, [next]);
        };
    }
    defineProperty(made, key, descriptor);
  }

  /** Bytes of the strategy's own realm, with the methods of our Buffer, which work on their memory. */
  #bufferClass(): new (memory: ArrayBufferLike, offset?: number, length?: number) => Uint8Array {
    if (this.#buffer !== undefined) return this.#buffer;
    const { Buffer: from, bufferOver } = this.#outside;
    const made = class Buffer extends Uint8Array {};
    this.#buffer = made;
    this.#pair(from, made);
    const ofOurs = (on: unknown): object => bufferOver(on as Uint8Array);
    const called = (method: Call, on: unknown, args: unknown[]): unknown => this.#called(method, on, args, ofOurs);
    const prototype = (from as { readonly prototype: object }).prototype;
    for (const key of ownKeys(prototype)) {
      const { value } = descriptorOf(prototype, key);
      if (typeof value !== 'function' || key === 'constructor') continue;
      defineProperty(made.prototype, key, {
        value(this: Uint8Array, ...args: unknown[]): unknown {
          return called(value, this, args);
        },
        writable: true,
        configurable: true,
      });
    }
    for (const key of ownKeys(from)) {
      const value: unknown = Reflect.get(from, key);
      if (key === 'prototype' || key === 'name' || key === 'length') continue;
      this.#put(made, key, { value, enumerable: false });
    }
    // Memory that nobody has cleared holds what others left there.
    for (const key of ['allocUnsafe', 'allocUnsafeSlow'])
      this.#put(made, key, { value: Reflect.get(made, 'alloc'), enumerable: false });
    this.#put(made, 'isBuffer', { value: (value: unknown) => value instanceof made, enumerable: false });
    return made;
  }

  #pair(original: object, standIn: object): void {
    this.#standIns.set(original, standIn);
    this.#originals.set(standIn, original);
  }
}

const ERRORS: Readonly<Record<string, new (message: string) => Error>> = {
  RangeError,
  TypeError,
  SyntaxError,
  URIError,
};

/** Without a prototype, on which a strategy may have put getters. */
function descriptorOf(of: object, key: PropertyKey): PropertyDescriptor {
  const found = getOwnPropertyDescriptor(of, key) ?? {};
  setPrototypeOf(found, null);
  return found;
}

/** Replaces each: these are own elements, so that no setter of the strategy's is called. */
function eachOf(args: unknown[], by: (value: unknown) => unknown): unknown[] {
  for (let at = 0; at < args.length; at += 1) args[at] = by(args[at]);
  return args;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
