/** What a reply means for its call: an answer, a refusal, another attempt, or a new session first. */

import type { Operation } from '../wire/endpoints.ts';
import { faultsText, readAnswer } from './answer-reader.ts';
import type { CallOutcome } from './call.ts';
import type { Effect } from './operation-facts.ts';
import { type RefusalText, readProblem } from './problem.ts';
import { isPassing } from './retry.ts';
import type { WireReply } from './transport.ts';

export interface Verdict {
  readonly outcome: CallOutcome<unknown>;
  /** Another attempt may end better, and is allowed as far as this reply goes. */
  readonly mayRepeat: boolean;
}

export function verdictOn(operation: Operation, effect: Effect, reply: WireReply): Verdict {
  switch (reply.kind) {
    case 'unsent':
      return {
        outcome: { kind: 'failed', code: 'NOT_SENT', details: reply.details, mayHaveActed: false },
        mayRepeat: effect !== 'once',
      };
    case 'lost':
      return {
        outcome: { kind: 'failed', code: 'CONNECTION_LOST', details: reply.details, mayHaveActed: effect !== 'reads' },
        mayRepeat: effect !== 'once',
      };
    case 'garbled':
      return badAnswer(effect, reply.details);
    case 'reply':
      return reply.status >= 200 && reply.status < 300
        ? success(operation, effect, reply.body)
        : refusal(effect, reply.status, reply.body);
  }
}

function success(operation: Operation, effect: Effect, body: string): Verdict {
  const result = readAnswer(operation, body);
  if (result.kind === 'faults') return badAnswer(effect, faultsText(result));
  return { outcome: { kind: 'answered', answer: result.value }, mayRepeat: false };
}

function badAnswer(effect: Effect, details: string): Verdict {
  return {
    outcome: { kind: 'failed', code: 'BAD_ANSWER', details, mayHaveActed: effect !== 'reads' },
    mayRepeat: false,
  };
}

function refusal(effect: Effect, status: number, body: string): Verdict {
  // The API redirects nobody: following one would carry the token to another host.
  if (status < 400) return badAnswer(effect, `status ${status} is no answer of the API`);
  const { title, details, speaker } = readProblem(status, body);
  const mayHaveActed = effect !== 'reads' && !isBeforeActing(status, speaker);
  return {
    outcome: { kind: 'refused', status, title, details, mayHaveActed },
    mayRepeat: effect !== 'once' && isPassing(status),
  };
}

/**
 * Whether a refusal proves that nothing was done. The exchange's own 4xx and 503 do (specification, Errors). A 503 that
 * does not speak its language comes from a gateway, which says the same when it lost an answer on the way; 408 too.
 */
function isBeforeActing(status: number, speaker: RefusalText['speaker']): boolean {
  if (speaker === 'exchangeWithOrders') return false;
  if (status === 408 || status === 503) return speaker === 'exchange';
  return status < 500;
}
