/** What a daemon answers until the exchange has let it in: what it waits for; and it can be stopped. */

import { CONTROL_VERSION, type DaemonEnd, type DaemonWaiting } from './control-protocol.ts';
import type { Answer } from './control-server.ts';
import { ownMark } from './process-mark.ts';

interface Waiter {
  readonly waiting: () => DaemonWaiting;
  readonly stop: () => void;
  /** When the waiting has ended, and how; undefined where the run has begun. */
  readonly ended: Promise<DaemonEnd | undefined>;
}

const v = CONTROL_VERSION;

export function waitingAnswers({ waiting, stop, ended }: Waiter): Answer {
  return async (request, reply) => {
    if (request.command === 'status') return reply({ v, kind: 'waiting', waiting: waiting() });
    if (request.command !== 'stop') {
      const what = `${waitingText(waiting())} Until it has begun it can be stopped; a halt file lets it begin halted.`;
      return reply({ v, kind: 'refused', code: 'EXCHANGE_AWAY', what });
    }
    reply({ v, kind: 'heard' });
    stop();
    const end = await ended;
    if (end === undefined) reply({ v, kind: 'refused', code: 'EXCHANGE_AWAY', what: 'It does not wait any more.' });
    else reply({ v, kind: 'ended', end, process: ownMark() });
  };
}

export function waitingText({ run, since, cause }: DaemonWaiting): string {
  const from = new Date(since).toISOString();
  if (cause === undefined) return `${run} has not begun: it asks the exchange since ${from} whether it may.`;
  return `${run} has not begun: the exchange cannot be reached since ${from} (${cause}). It is tried again.`;
}
