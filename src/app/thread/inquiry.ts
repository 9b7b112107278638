/** Asks a busy thread what it is doing, through V8's debugger: a thread in an endless loop handles no messages. */

import { Session } from 'node:inspector';
import { ASKED, type InquiryAnswer, type Reason } from './thread-messages.ts';

/** `silent`: the thread could not be interrupted, as in a long call of native code. `left`: it was ended in the middle of what it executed. */
export type Outcome = 'ended' | 'goesOn' | 'left' | 'silent';

const ASK = 1;
const LEAVE = 2;

/** After `startMs` the inquiry goes on only while `isAnswering` says that the thread has begun to answer. */
export function askThread(
  reason: Reason,
  patience: { readonly startMs: number; readonly isAnswering: () => boolean },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const session = new Session();
    const send = (sessionId: string, message: object): void =>
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify(message) });
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
      send(sessionId, { id: ASK, method: 'Runtime.evaluate', params: { expression, returnByValue: true } });
    });
    session.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) => {
      const outcome = outcomeOf(JSON.parse(message));
      // No code of the thread can catch this: it unwinds to the event loop, and is answered when it has.
      if (outcome === 'leave') send(sessionId, { id: LEAVE, method: 'Runtime.terminateExecution' });
      else if (outcome !== undefined) done(outcome);
    });
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  });
}

interface Answer {
  readonly id?: number;
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

/** Undefined for a message that answers nothing of ours. */
function outcomeOf({ id, result }: Answer): Outcome | 'leave' | undefined {
  if (id === LEAVE) return 'left';
  if (id !== ASK) return undefined;
  const value = result?.result?.value;
  return ANSWERS.find((answer) => answer === value) ?? 'silent';
}

const ANSWERS: readonly InquiryAnswer[] = ['ended', 'goesOn', 'leave'];
