/** What strategies leave on objects that all runs of a process share. */

/** The objects that a strategy most easily reaches, by name. */
const SHARED: readonly (readonly [string, object])[] = [
  ['globalThis', globalThis], // edge: strategies that are given as objects share it
  ...[Object, Function, Array, String, Number, Boolean, Date, RegExp, Promise, Map, Set, WeakMap, Error, URL].flatMap(
    (each): (readonly [string, object])[] => [
      [each.name, each],
      [`${each.name}.prototype`, each.prototype],
    ],
  ),
  ['Math', Math],
  ['JSON', JSON],
  ['Reflect', Reflect],
];

export class LeftBehind {
  readonly #before = SHARED.map(([, shared]) => new Set(Reflect.ownKeys(shared)));

  /** Properties that were not there when this was made, such as `globalThis.memo`. */
  names(): readonly string[] {
    return SHARED.flatMap(([name, shared], at) =>
      Reflect.ownKeys(shared)
        .filter((key) => this.#before[at]?.has(key) !== true)
        .map((key) => `${name}.${String(key)}`),
    );
  }
}
