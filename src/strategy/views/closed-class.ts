/** Closes the classes of objects that strategies are given, so that only documented properties can be reached. */

/**
 * Freezes the prototype and removes its `constructor`. Through an open prototype a strategy could reach the class,
 * replace a getter for all strategies and runs, or leave values for the next run.
 */
export function closeClass(made: { readonly prototype: object }): void {
  const { prototype } = made;
  Reflect.deleteProperty(prototype, 'constructor');
  for (const key of Reflect.ownKeys(prototype)) {
    const { get, value } = Object.getOwnPropertyDescriptor(prototype, key) ?? {};
    for (const part of [get, value]) if (typeof part === 'function') Object.freeze(part);
  }
  Object.setPrototypeOf(prototype, null);
  Object.freeze(prototype);
}
