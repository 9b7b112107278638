/** Lists of ids and words in queries: what a filter lets through. */

/** Without a list everything passes; an empty one lets nothing through. */
export function anyOf<V>(wanted: readonly V[] | undefined): (value: V) => boolean {
  if (wanted === undefined) return () => true;
  const set = new Set(wanted);
  return (value) => set.has(value);
}
