/** What a dashboard is made of: where it listens, what it shows, and whom it tells of a bug of ours. */

import type { DashboardPlace } from '../../../run/run-options.ts';
import type { MemoryFile } from '../memory/memory-file.ts';
import type { DashboardSource } from './source.ts';

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
