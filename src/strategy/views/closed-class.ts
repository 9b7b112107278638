/** Closes the classes whose objects strategies are given: what is documented can be read of them, and nothing else is there. */

/**
 * The prototype is where an object of private fields is still open: `constructor` leads to the class, a getter could be replaced there
 * for all strategies and runs, and what is written on it would be read by the next run.
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

/** A function that strategies are given, or a table of them, with all that it leads to. */
export function closeFunctions(value: unknown): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const { value: part } of Object.values(Object.getOwnPropertyDescriptors(value))) closeFunctions(part);
}
