/** What a run does that failed while it was at work: it cancels its orders, and says what is left of them. */

import { lastValueFrom, takeUntil, timer } from 'rxjs';
import type { Bot } from '../../../engine/live/bot.ts';
import { plural } from '../../../words/numbers.ts';
import type { RunMode } from '../../run/run-options.ts';
import type { DaemonHooks } from '../process/daemon-hooks.ts';

/** The process waits no longer: the heartbeat then lapses, and the exchange cancels. */
const PATIENCE_MS = 10_000;

interface EmergencyParts extends Pick<DaemonHooks, 'clock' | 'log'> {
  readonly mode: RunMode;
  /** Nothing of it runs any more. */
  readonly bot: Bot;
}

/** How many orders of the run are live still; as the ledger knows them, where the exchange does not say. Never throws. */
export async function emergencyEnd({ mode, bot, clock, log }: EmergencyParts, error: unknown): Promise<number> {
  const why = faultText(error).replace(/\.$/, '');
  // Orders on paper end with the process that matches them.
  if (mode === 'paper') {
    log.alert('RUN_FAILED', why);
    return 0;
  }
  log.alert('RUN_FAILED', `${why}; all orders of the run are cancelled`);
  const left = await leftOf(bot, { clock, log });
  const liveOrders = left ?? bot.status().orders.live;
  if (left === 0) log.info('daemon', 'no order of the run is live at the exchange');
  else log.alert('END_INCOMPLETE', leftText(liveOrders, left === undefined), { liveOrders });
  return liveOrders;
}

/** Undefined where the exchange does not say. */
async function leftOf(bot: Bot, { clock, log }: Pick<DaemonHooks, 'clock' | 'log'>): Promise<number | undefined> {
  const left$ = bot.emergencyCancel().pipe(takeUntil(timer(PATIENCE_MS, clock)));
  try {
    return await lastValueFrom(left$, { defaultValue: undefined });
  } catch (fault) {
    // The end of the run says what made it fail, and not this.
    log.write({ level: 'error', subject: 'daemon', text: `its orders could not be cancelled: ${faultText(fault)}` });
    return undefined;
  }
}

export function faultText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * What an alert says of orders that a run leaves behind although it was to cancel them. `isUnproven`: the exchange did not say in time what
 * is live there.
 */
export function leftText(live: number, isUnproven: boolean): string {
  if (live === 0 && isUnproven) return 'the exchange did not say in time whether orders are live there';
  const known = `${plural(live, 'order')} may still be live at the exchange`;
  return isUnproven ? `${known}, which did not say in time what is live there` : known;
}
