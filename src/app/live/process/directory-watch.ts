/** Checks whether the state directory is still the one that the run began in, and was not removed or replaced. */

import { statSync } from 'node:fs';

/** Identity of a file; undefined if it does not exist. */
type Identity = string | undefined;

export class DirectoryWatch {
  readonly #known: ReadonlyMap<string, Identity>;

  /** Paths that must stay the same files: the directory, the journal, its lock. */
  constructor(paths: readonly string[]) {
    this.#known = new Map(paths.map((path) => [path, identityOf(path)]));
  }

  /** The first path that is not the same file any more; undefined while all are. */
  look(): string | undefined {
    for (const [path, known] of this.#known) {
      const now = identityOf(path);
      if (now === known) continue;
      return now === undefined ? `${path} was removed` : `${path} was replaced by another`;
    }
    return undefined;
  }
}

/** A file that cannot be looked at counts as changed, like one that does not exist. */
function identityOf(path: string): Identity {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? undefined : `${found.dev} ${found.ino}`;
  } catch {
    return undefined;
  }
}
