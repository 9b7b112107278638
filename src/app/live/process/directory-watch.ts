/** Looks whether the state directory is still the one that the run began in: removed or replaced, it is no run's any more. */

import { statSync } from 'node:fs';

/** Undefined for what is not there. */
type Identity = string | undefined;

export class DirectoryWatch {
  readonly #known: ReadonlyMap<string, Identity>;

  /** The paths of what must stay what it is: the directory, the journal, its lock. */
  constructor(paths: readonly string[]) {
    this.#known = new Map(paths.map((path) => [path, identityOf(path)]));
  }

  /** What is not any more what it was; undefined while all is. */
  look(): string | undefined {
    for (const [path, known] of this.#known) {
      const now = identityOf(path);
      if (now === known) continue;
      return now === undefined ? `${path} was removed` : `${path} was replaced by another`;
    }
    return undefined;
  }
}

/** Of one that cannot be looked at, as of one that is not there, nobody knows that it is the same. */
function identityOf(path: string): Identity {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? undefined : `${found.dev} ${found.ino}`;
  } catch {
    return undefined;
  }
}
