/** Reads the limits again from the configuration while the run goes on: all of them, or none. */

import { OddsmithError } from '../../../core/checks/oddsmith-error.ts';
import type { Limits } from '../../../risk/limits/limits.ts';
import type { RunOptions } from '../../run/run-options.ts';
import type { DaemonLog } from '../log/daemon-log.ts';

/** Undefined if the configuration is faulty, which is logged. */
export function reloadLimits(
  reload: () => RunOptions,
  { running, log }: { readonly running: RunOptions; readonly log: DaemonLog },
): Limits | undefined {
  try {
    const { limits, sha256 } = reload();
    if (sha256 !== running.sha256)
      log.alert('RESTART_NEEDED', 'more than limits changed in the configuration; the rest takes effect at a restart');
    return limits;
  } catch (error) {
    if (!(error instanceof OddsmithError)) throw error;
    const { code, what, where = '', why = '' } = error.parts;
    log.alert('LIMITS_NOT_RELOADED', `${code} ${what} ${where} ${why}`.trimEnd());
    return undefined;
  }
}
