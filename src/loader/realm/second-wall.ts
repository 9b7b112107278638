/** A second wall behind the realms, for threads that are ours alone: a function of ours leads to no code that is made of text. */

/**
 * From `constructor` of a function's prototype code can be made that runs in our realm, `process` and all. In its place stands a function of the same
 * name, so that who asks for the name alone learns it. What is written `Function` and `eval` works as before: schemas are compiled with it.
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
