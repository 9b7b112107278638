/**
 * Keeps the sandbox's world over a restart: every change is appended to a file and made again when the file is opened.
 *
 * The world must be changed through `log.world.apply` only. When `apply` returns, the change is in the file, and no
 * listener has been called before (within `together`: when that returns). Changes survive the end of the process
 * (SQLite in WAL mode); a power cut may cost the last moments, never the file. Refused changes are not written.
 *
 * The file grows with each change: about 120 bytes a change, and 35 for each order of a batch, more with a reference.
 * Notes that were overwritten are emptied at the next start. Nothing else is ever removed, since the ids and sums of
 * everything later depend on it.
 */

import type { Instant } from '../../core/number/units.ts';
import type { Rules } from '../../matching/messages/rules.ts';
import { World } from '../world/world.ts';
import { WorldFile } from './world-log-file.ts';

export interface WorldLogOptions {
  /** The file, created where it is missing; its folder must exist. */
  readonly file: string;
  /** Start time of a new world. */
  readonly now: Instant;
  /** Rules of a new world. For an existing world: the same ones, or none. */
  readonly rules?: Partial<Rules>;
  /** As the world's option of this name. It is no part of the file. */
  readonly clearedOrdersMax?: number;
}

export interface WorldLog {
  readonly world: World;
  /** What was found in the file when it was opened. */
  readonly opening: Opening;
  /**
   * Makes changes that belong together, such as a default world: all of them are in the file when `work` returns, or
   * none of them if the process ends before. If `work` throws, the world accepts no more changes.
   */
  together<T>(work: () => T): T;
  /** Stops writing and closes the file; the world can still be read, but not changed. */
  close(): void;
}

export interface Opening {
  readonly isNew: boolean;
  /** Number of changes replayed. */
  readonly changes: number;
  /** A sentence about a damaged end that was cut off; undefined where nothing was. */
  readonly cut: string | undefined;
}

/**
 * Opens or creates the file and rebuilds its world.
 * @throws WorldLogFailure of any code but WORLD_LOG_WRITE, which `world.apply` may throw later
 */
export function openWorldLog(options: WorldLogOptions): WorldLog {
  const file = WorldFile.open(options);
  try {
    const { clearedOrdersMax } = options;
    const world = new World({ rules: file.rules, ...(clearedOrdersMax === undefined ? {} : { clearedOrdersMax }) });
    const { changes, cut } = file.replay(world);
    world.recordWith((change) => file.append(change));
    const opening = { isNew: file.isNew, changes, cut };
    return { world, opening, together: (work) => file.together(work), close: () => file.close(world) };
  } catch (failure) {
    file.abandon();
    throw failure;
  }
}

/** A world in memory, which is lost when the process ends (`--memory`). */
export function memoryWorldLog(options: Pick<WorldLogOptions, 'rules' | 'clearedOrdersMax'> = {}): WorldLog {
  const opening = { isNew: true, changes: 0, cut: undefined };
  return { world: new World(options), opening, together: (work) => work(), close() {} };
}
