/** Where the module of a thread lies: beside the module that starts it, in the sources as in what is built of them. */

/** `from` is the `import.meta.url` of a module, `path` that of a source beside it. Built modules have the same places, and end in .js. */
export function threadModule(from: string, path: `./${string}.ts`): URL {
  const source = new URL(path, from);
  return from.endsWith('.ts') ? source : new URL(source.href.replace(/\.ts$/, '.js'));
}
