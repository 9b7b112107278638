/** What is at a path, for code that is about to read or to replace it. */

import { lstatSync, type Stats, statSync } from 'node:fs';

export type PathKind = 'nothing' | 'file' | 'directory' | 'link' | 'pipe' | 'socket' | 'device' | 'unreachable';

export interface FoundPath {
  readonly kind: PathKind;
  /** The kind in words: `a directory`; for something unreachable, the system's message. */
  readonly words: string;
}

const WORDS: Readonly<Record<Exclude<PathKind, 'unreachable'>, string>> = {
  nothing: 'nothing',
  file: 'a file',
  directory: 'a directory',
  link: 'a symbolic link',
  pipe: 'a pipe',
  socket: 'a socket',
  device: 'a device',
};

/** Follows a link, for reading: opening a pipe would wait for a writer, and a device may have no end. */
export function followed(path: string): FoundPath {
  return found(() => statSync(path, { throwIfNoEntry: false }));
}

/** Looks at the name itself, for replacing: a link counts as a link, even where it leads nowhere. */
export function named(path: string): FoundPath {
  return found(() => lstatSync(path, { throwIfNoEntry: false }));
}

/**
 * Call it before a file is read whole. Where nothing is at the path it does not throw: reading reports that itself.
 * @throws Error with what is there instead
 */
export function requireFile(path: string): void {
  const { kind, words } = followed(path);
  if (kind !== 'file' && kind !== 'nothing') throw new Error(kind === 'unreachable' ? words : `${path} is ${words}`);
}

function found(look: () => Stats | undefined): FoundPath {
  try {
    const kind = kindOf(look());
    return { kind, words: WORDS[kind] };
  } catch (error) {
    // A name that is too long, a circle of links, a name that the system refuses: in all these cases nothing can be
    // done at the path.
    return { kind: 'unreachable', words: error instanceof Error ? error.message : String(error) };
  }
}

function kindOf(stats: Stats | undefined): Exclude<PathKind, 'unreachable'> {
  if (stats === undefined) return 'nothing';
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isFIFO()) return 'pipe';
  return stats.isSocket() ? 'socket' : 'device';
}
