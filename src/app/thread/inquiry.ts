/** Asks a thread what it is doing, in the middle of whatever that is: through the engine's debugger, since no message would be heard. */

import { Session } from 'node:inspector';
import { ASKED, type Reason } from './thread-messages.ts';

/** `silent`: it could not be asked, as in a long call of native code. */
export type Outcome = 'ended' | 'goesOn' | 'silent';

const ID = 1;

/** An answer that was begun is waited for by the caller's own rule: `isAnswering` is asked once `startMs` have passed. */
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

/** Undefined for what is no answer of ours. */
function outcomeOf({ id, result }: Answer): Outcome | undefined {
  if (id !== ID) return undefined;
  const value = result?.result?.value;
  if (value === true) return 'ended';
  return value === false ? 'goesOn' : 'silent';
}
