/** What is at a path, for whoever is about to read or to replace it. */

import { lstatSync, type Stats, statSync } from 'node:fs';

export type PathKind = 'nothing' | 'file' | 'directory' | 'link' | 'pipe' | 'socket' | 'device' | 'unreachable';

export interface FoundPath {
  readonly kind: PathKind;
  /** The same in words: `a directory`; of what is unreachable, what the system says. */
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

/** Where a link leads, for reading: opening a pipe would wait for somebody who writes, and a device may have no end. */
export function followed(path: string): FoundPath {
  return found(() => statSync(path, { throwIfNoEntry: false }));
}

/** The name itself, for replacing: a link is a link, also where it leads nowhere. */
export function named(path: string): FoundPath {
  return found(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** Before a file is read whole: where there is none, reading says so itself. @throws Error with what there is instead */
export function requireFile(path: string): void {
  const { kind, words } = followed(path);
  if (kind !== 'file' && kind !== 'nothing') throw new Error(kind === 'unreachable' ? words : `${path} is ${words}`);
}

function found(look: () => Stats | undefined): FoundPath {
  try {
    const kind = kindOf(look());
    return { kind, words: WORDS[kind] };
  } catch (error) {
    // Too long a name, a circle of links, a name that the system does not take: whatever it is, nothing can be done there.
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
