/** What the view knows of a run beside its tapes, and where it gets it from: one shape for backtests, paper and live runs. */

import type { ViewOrder, ViewPlot, ViewWelcome } from '../../../../pages/view-data.ts';
import type { Tape } from '../../../../recording/tape/tape.ts';
import type { CliErrorParts } from '../../../cli/cli-error.ts';

export interface ViewedRun extends Pick<ViewWelcome, 'kind' | 'name' | 'currency' | 'strategies' | 'notes'> {
  /** Those of which the run itself says something. */
  readonly markets: ReadonlyMap<string, PlayedMarket>;
  /** The orders by market. */
  readonly orders: ReadonlyMap<string, readonly OwnOrder[]>;
  readonly plots: ReadonlyMap<string, readonly ViewPlot[]>;
}

export interface PlayedMarket {
  readonly event: string;
  readonly name: string;
  readonly startsAt: number | undefined;
  readonly profit: number | undefined;
}

/** An order of the run's central flow; which place its outcome has, the tape says. */
export interface OwnOrder extends Omit<ViewOrder, 'outcome'> {
  readonly outcomeId: string;
}

export interface ViewedTapes {
  readonly tapes: readonly Tape[];
  readonly faults: readonly TapeFault[];
  /** Call it when they are read: a tape that is still written must not be held. */
  close(): void;
}

/** Why a tape of the run is not read. */
export interface TapeFault {
  readonly error: CliErrorParts;
  /** Ids of its markets; undefined where they are not known. */
  readonly markets: ReadonlySet<string> | undefined;
}

export interface RunSource {
  /** The run as it is now: a run that goes on has more each time. @throws CliError, JournalFailure */
  run(): ViewedRun;
  openTapes(): ViewedTapes;
  /** Closes what is kept open between two calls. */
  close(): void;
}
