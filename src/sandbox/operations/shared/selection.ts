/** Filters of queries: only the conditions that a query sets are evaluated. */

/** A test whether a value is in a list. Without a list every value passes; an empty list lets none pass. */
export function anyOf<V>(wanted: readonly V[] | undefined): (value: V) => boolean {
  if (wanted === undefined) return () => true;
  const set = new Set(wanted);
  return (value) => set.has(value);
}

/** A condition on a row; undefined where the query does not set it. */
export type Condition<T> = ((row: T) => boolean) | undefined;

/** The condition that a value of the row is in a list. */
export function oneOf<T, V>(wanted: readonly V[] | undefined, valueOfRow: (row: T) => V): Condition<T> {
  if (wanted === undefined) return undefined;
  const isWanted = anyOf(wanted);
  return (row) => isWanted(valueOfRow(row));
}

/** The condition that a value of the row equals the wanted one. */
export function equalTo<T, V>(wanted: V | undefined, valueOfRow: (row: T) => V): Condition<T> {
  return wanted === undefined ? undefined : (row) => valueOfRow(row) === wanted;
}

/** A test that all conditions hold. */
export function allOf<T>(...questions: readonly Condition<T>[]): (row: T) => boolean {
  const asked = questions.filter((question) => question !== undefined);
  return (row) => {
    for (const question of asked) if (!question(row)) return false;
    return true;
  };
}
