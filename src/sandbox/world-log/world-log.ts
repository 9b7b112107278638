/**
 * The sandbox's world over a restart: every change is appended to a file, and made again when the file is opened.
 *
 * - `openWorldLog({ file, now, rules? }): WorldLog` opens or creates the file and gives the world as it was.
 * - `memoryWorldLog({ rules? }): WorldLog` gives a world that is gone with the process (`--memory`).
 *
 * Whoever changes the world changes it through `log.world.apply` alone: a change that was made is in the file when
 * `apply` returns, and before any listener is told (within `together`: when that returns). It survives the end of the process (SQLite in WAL mode); a power
 * cut may cost the last moments, never the file. Refused changes are not written.
 *
 * The file grows with what is done: about 120 bytes a change, and 35 for each order of a batch, more with a reference.
 * Notes that were overwritten since are emptied at the next start; nothing else is ever taken away, for the ids and sums
 * of all that follows depend on it.
 */

import type { Instant } from '../../core/number/units.ts';
import type { Rules } from '../../matching/messages/rules.ts';
import { World } from '../world/world.ts';
import { WorldFile } from './world-log-file.ts';

export interface WorldLogOptions {
  /** Created where it is not there; its folder must be. */
  readonly file: string;
  /** When a new world begins. */
  readonly now: Instant;
  /** Of a new world. Where the file has one already, the same or none. */
  readonly rules?: Partial<Rules>;
}

export interface WorldLog {
  readonly world: World;
  /** What the file held when it was opened. */
  readonly opening: Opening;
  /**
   * Changes that belong together (the making of a default world): all of them are in the file when `work` is done, or
   * none of them, should the process end before. Where `work` throws, the world takes no more changes.
   */
  together<T>(work: () => T): T;
  /** Ends the writing and tidies the file away; the world can be read, not changed. */
  close(): void;
}

export interface Opening {
  readonly isNew: boolean;
  /** How many changes were made again. */
  readonly changes: number;
  /** What was cut off at the end, for whoever started the sandbox; undefined where nothing was. */
  readonly cut: string | undefined;
}

/** @throws WorldLogFailure of any code but WORLD_LOG_WRITE; later, `world.apply` throws that one. */
export function openWorldLog(options: WorldLogOptions): WorldLog {
  const file = WorldFile.open(options);
  try {
    const world = new World({ rules: file.rules });
    const { changes, cut } = file.replay(world);
    world.recordWith((change) => file.append(change));
    const opening = { isNew: file.isNew, changes, cut };
    return { world, opening, together: (work) => file.together(work), close: () => file.close(world) };
  } catch (failure) {
    file.abandon();
    throw failure;
  }
}

export function memoryWorldLog(options: { readonly rules?: Partial<Rules> } = {}): WorldLog {
  const opening = { isNew: true, changes: 0, cut: undefined };
  return { world: new World(options), opening, together: (work) => work(), close() {} };
}
