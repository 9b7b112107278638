/** Asks a busy thread what it is doing, through V8's debugger: a thread in an endless loop handles no messages. */

import { Session } from 'node:inspector';
import { ASKED, type Reason } from './thread-messages.ts';

/** `silent`: the thread could not be interrupted, as in a long call of native code. */
export type Outcome = 'ended' | 'goesOn' | 'silent';

const ID = 1;

/** After `startMs` the inquiry goes on only while `isAnswering` says that the thread has begun to answer. */
export function askThread(
  reason: Reason,
  patience: { readonly startMs: number; readonly isAnswering: () => boolean },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const session = new Session();
    const done = (outcome: Outcome): void => {
      clearInterval(waiting);
      session.disconnect();
      resolve(outcome);
    };
    const waiting = setInterval(() => {
      if (!patience.isAnswering()) done('silent');
    }, patience.startMs);
    session.connect();
    session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
      const expression = `globalThis[Symbol.for(${JSON.stringify(ASKED)})](${JSON.stringify(reason)})`;
      const message = { id: ID, method: 'Runtime.evaluate', params: { expression, returnByValue: true } };
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify(message) });
    });
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
      const outcome = outcomeOf(JSON.parse(params.message));
      if (outcome !== undefined) done(outcome);
    });
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  });
}

interface Answer {
  readonly id?: number;
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

/** Undefined if the value is not an answer that our function made. */
function outcomeOf({ id, result }: Answer): Outcome | undefined {
  if (id !== ID) return undefined;
  const value = result?.result?.value;
  if (value === true) return 'ended';
  return value === false ? 'goesOn' : 'silent';
}
