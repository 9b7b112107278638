/** What a dashboard is made of: where it listens, what it shows, and whom it tells of a bug of ours. */

import type { MemoryFile } from '../memory/memory-file.ts';
import type { DashboardSource } from './source.ts';

/** Where it listens. */
export interface DashboardPlace {
  /** 0: any that is free. */
  readonly port: number;
  readonly host: string;
  /** Further names by which browsers reach it. */
  readonly hosts: readonly string[];
}

export interface DashboardParts extends DashboardPlace {
  readonly source: DashboardSource;
  /** What says on which port: a key of the configuration, or a flag. */
  readonly setting: string;
  readonly now: () => number;
  /** What it knew before its process was started again; without one, each start begins with nobody and nothing. */
  readonly memory?: MemoryFile | undefined;
  /** Called once, with a bug of ours: the dashboard shows nothing more, and whatever it belongs to goes on. */
  readonly onFault: (error: unknown) => void;
}
