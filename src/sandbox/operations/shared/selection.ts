/** Filters of queries: only those that are given are asked. */

/** Whether a value is one of a list's. Without a list every one passes; an empty list lets nothing through. */
export function anyOf<V>(wanted: readonly V[] | undefined): (value: V) => boolean {
  if (wanted === undefined) return () => true;
  const set = new Set(wanted);
  return (value) => set.has(value);
}

/** A question to a row; undefined where the query does not ask it. */
export type Question<T> = ((row: T) => boolean) | undefined;

/** `anyOf` of a value of the row's. */
export function oneOf<T, V>(wanted: readonly V[] | undefined, valueOfRow: (row: T) => V): Question<T> {
  if (wanted === undefined) return undefined;
  const isWanted = anyOf(wanted);
  return (row) => isWanted(valueOfRow(row));
}

export function equalTo<T, V>(wanted: V | undefined, valueOfRow: (row: T) => V): Question<T> {
  return wanted === undefined ? undefined : (row) => valueOfRow(row) === wanted;
}

/** Passes what answers yes to every question. */
export function all<T>(...questions: readonly Question<T>[]): (row: T) => boolean {
  const asked = questions.filter((question) => question !== undefined);
  return (row) => {
    for (const question of asked) if (!question(row)) return false;
    return true;
  };
}
