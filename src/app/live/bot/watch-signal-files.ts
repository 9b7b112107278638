/** Reads the new lines of signal files while a run goes on. */

import { type Subscription, timer } from 'rxjs';
import type { Clock } from '../../../time/clock.ts';
import type { StartedStrategy } from '../../run/strategy-instances.ts';
import type { DaemonLog } from '../log/daemon-log.ts';

const READ_EVERY_MS = 1_000;

export function watchSignalFiles(
  started: readonly StartedStrategy[],
  { clock, log }: { readonly clock: Clock; readonly log: DaemonLog },
): Subscription {
  return timer(READ_EVERY_MS, READ_EVERY_MS, clock).subscribe(() => {
    for (const { name, signals } of started) {
      const faults = signals.reduce((sum, signal) => sum + signal.read(), 0);
      if (faults > 0) log.alert('SIGNAL_UNREADABLE', `${faults} lines of the signals of ${name} are no rows`);
    }
  });
}
