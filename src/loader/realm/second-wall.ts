/** A second wall behind the realms, for threads that are ours alone: a function of ours leads to no code that is made of text. */

/**
 * Closes the constructors from which code can be made that runs in our realm, `process` and all: a function's prototype
 * leads to one. A function of the same name stands in its place, so that code that asks for the name alone gets it.
 * `Function` and `eval` as a strategy writes them work as before: schemas are compiled with them.
 */
export function closeConstructors(): void {
  for (const { prototype, name } of MAKERS) {
    const refuse = refusing(name);
    Object.defineProperty(refuse, 'prototype', { value: prototype });
    Object.defineProperty(prototype, 'constructor', { value: refuse, writable: false, configurable: false });
  }
}

const MAKERS: readonly { readonly prototype: object; readonly name: string }[] = [
  () => {},
  async () => {},
  function* () {},
  async function* () {},
].map((made) => {
  const prototype: object = Object.getPrototypeOf(made);
  return { prototype, name: prototype.constructor.name };
});

function refusing(name: string): (...code: readonly unknown[]) => never {
  const refuse = function refuse(): never {
    throw new Error(`${name}: no code is made of text here.`);
  };
  return Object.defineProperty(refuse, 'name', { value: name });
}
