/** Looks at the state directory while a run goes on: whether it is still the one in which the run began, and whether a halt file is in it. */

import { readFileSync, statSync } from 'node:fs';

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

const CAUSE_MAX = 200;

/** A file whose existence halts a run: for an operator who has nothing but a shell. */
export class HaltFile {
  readonly #path: string;
  #isThere = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Whether the file exists now. One that cannot be looked at counts as existing. */
  get isThere(): boolean {
    try {
      return statSync(this.#path, { throwIfNoEntry: false }) !== undefined;
    } catch {
      return true;
    }
  }

  /** The cause, if the file has appeared since the last call. Removing the file does not resume trading. */
  look(): string | undefined {
    const { isThere } = this;
    const hasAppeared = isThere && !this.#isThere;
    this.#isThere = isThere;
    return hasAppeared ? this.#cause() : undefined;
  }

  #cause(): string {
    const words = contentOf(this.#path).trim().replaceAll(/\s+/g, ' ').slice(0, CAUSE_MAX);
    return words === '' ? 'the halt file is there' : words;
  }
}

/** A file that cannot be read halts all the same. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return `the halt file is there, and cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
