/** A file whose existence halts a run: for an operator who has nothing but a shell. */

import { readFileSync, statSync } from 'node:fs';

const CAUSE_MAX = 200;

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
