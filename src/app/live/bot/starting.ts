/** What happens until a daemon is at work, and that somebody is told if that fails. */

import type { DaemonLog } from '../log/daemon-log.ts';

/** A start that fails is an alert: systemd may try again and again, or not at all. */
export async function starting<T>(open: () => Promise<T>, log: DaemonLog): Promise<T> {
  try {
    return await open();
  } catch (error) {
    log.alert('START_FAILED', startFault(error));
    throw error;
  }
}

/** Code and words of an error; paths and the rest are in the block that the command prints. */
function startFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${String(error.code)}: ${error.message}` : error.message;
}
