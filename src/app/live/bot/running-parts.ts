/** What a running bot is made of, and how its end is described. */

import type { BotStatus } from '../../../engine/live/bot-status.ts';
import type { Exchange } from '../../../exchange-live/adapter/exchange.ts';
import type { RunJournal } from '../../../journal/run-journal.ts';
import type { ExitCode } from '../../cli/cli-error.ts';
import type { RunOptions } from '../../run/run-options.ts';
import type { StartedStrategy } from '../../run/strategy-instances.ts';
import type { Notifications } from '../alerts/notifications.ts';
import type { DaemonEnd } from '../control/control-protocol.ts';
import type { ControlServer } from '../control/control-server.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { DaemonHooks } from '../process/daemon-hooks.ts';
import type { RunDirectory } from '../process/run-directory.ts';
import type { StuckStrategy } from '../process/stuck-file.ts';
import type { PlotFile } from '../record/plot-file.ts';

export interface RunningParts {
  readonly options: RunOptions;
  readonly hooks: DaemonHooks;
  readonly directory: RunDirectory;
  /** Closed by its owner after all else, so that a client that waits for the end of the run waits for all of it. */
  readonly control: ControlServer;
  readonly journal: RunJournal;
  readonly started: readonly StartedStrategy[];
  readonly exchange: Exchange;
  readonly metrics: Metrics;
  readonly journalFile: string;
  readonly plots: PlotFile;
  /** Directory of the run's tapes. */
  readonly tapes: string;
  /** Signals that came before the bot existed. */
  readonly early: ReadonlySet<NodeJS.Signals>;
  /** The strategy over which the last start ended, because it hung; the journal does not have that yet. */
  readonly stuck: StuckStrategy | undefined;
  /** Absent where no way of sending alerts is configured. Closed by its owner. */
  readonly notifications: Notifications | undefined;
}

export interface RunEnd extends DaemonEnd {
  readonly run: string;
  readonly exitCode: ExitCode;
  /** Undefined if it ended before the bot began. */
  readonly startedAt: number | undefined;
  readonly status: BotStatus | undefined;
}
