/** The alert that a daemon cannot send itself: the main thread sends it for a thread in which a strategy does not come back. */

import { steadyClock } from '../../time/steady-clock.ts';
import { alertsOfFile } from '../config/resolve/resolve-alerts.ts';
import { alertNotice } from '../live/alerts/alert-notice.ts';
import { sayOnce } from '../live/alerts/try-ways.ts';
import type { LastWord } from '../thread/thread-messages.ts';

/** The end of the daemon, and the start of the next one, wait no longer for it. */
const LAST_WORD_MS = 3_000;

/** Words about what could not be sent; empty where all was. `environment` is that of the daemon. */
export async function sayLastWord(
  { text: config, file }: LastWord,
  { strategy, text }: { readonly strategy: string; readonly text: string },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const { alerts } = alertsOfFile({ text: config, file }, environment);
  if (alerts === undefined) return [];
  const clock = steadyClock();
  const notice = alertNotice(
    { level: 'error', alert: 'STRATEGY_STUCK', subject: 'strategy', text, fields: { strategy } },
    clock.now(),
  );
  const tried = await sayOnce(alerts, notice, { clock, limitMs: LAST_WORD_MS });
  const failed = tried.filter(({ isSent }) => !isSent);
  return failed.map(({ way, to, details }) => `STRATEGY_STUCK was not received by ${way} ${to}: ${details}`);
}
