/** External references (ids in other systems), by the record named and by the name. */

import type { ReferencedKind } from './change.ts';
import type { ReferenceRecord } from './records.ts';

export class References {
  readonly #byTarget = new Map<string, ReferenceRecord[]>();
  readonly #byName = new Map<string, ReferenceRecord[]>();
  #made = 0;

  /** The references of the record with this API id, oldest first. */
  of(target: ReferencedKind, id: string): readonly ReferenceRecord[] {
    return this.#byTarget.get(`${target} ${id}`) ?? [];
  }

  /** The references with this name, oldest first: several records may have the same name. */
  named(target: ReferencedKind, source: string, reference: string): readonly ReferenceRecord[] {
    return this.#byName.get(`${target} ${source} ${reference}`) ?? [];
  }

  add(made: Omit<ReferenceRecord, 'id'>): void {
    this.#made += 1;
    const record = { id: this.#made, ...made };
    push(this.#byTarget, `${made.target} ${made.targetId}`, record);
    push(this.#byName, nameOf(record), record);
  }

  /** Removes every reference to a record that no longer exists. */
  drop(target: ReferencedKind, id: string): void {
    for (const record of this.of(target, id)) {
      const name = nameOf(record);
      const left = (this.#byName.get(name) ?? []).filter((other) => other !== record);
      if (left.length === 0) this.#byName.delete(name);
      else this.#byName.set(name, left);
    }
    this.#byTarget.delete(`${target} ${id}`);
  }
}

/** The key of a name. Target and source contain no blank, so no two names share a key. */
function nameOf({ target, source, reference }: ReferenceRecord): string {
  return `${target} ${source} ${reference}`;
}

function push<R>(into: Map<string, R[]>, key: string, record: R): void {
  const list = into.get(key);
  if (list === undefined) into.set(key, [record]);
  else list.push(record);
}
