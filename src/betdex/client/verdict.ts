/** Decides what a reply means for its call: an answer, a refusal, another attempt, or a new session first. */

import { faultsText } from '../../codec/fault.ts';
import type { Effect, Verdict } from '../../exchange-live/connection/call-run.ts';
import { isPassing } from '../../exchange-live/connection/retry.ts';
import type { WireReply } from '../../exchange-live/connection/transport.ts';
import type { Operation } from '../wire/endpoints.ts';
import { jsonOf, type Reading, readAnswer } from './answer-reader.ts';
import { isOwnRefusal } from './own-refusal.ts';
import { readProblem } from './problem.ts';

/** The outcome of a reply, and whether another attempt is allowed. Never throws, whatever was received. */
export function verdictOn(operation: Operation, effect: Effect, reply: WireReply, reading: Reading): Verdict {
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
        ? success(operation, effect, reply.body, reading)
        : refusal(operation, effect, reply);
  }
}

function success(operation: Operation, effect: Effect, body: string, reading: Reading): Verdict {
  const result = readAnswer(operation, body, reading);
  if (result.kind === 'faults') return badAnswer(effect, faultsText(result.faults));
  return { outcome: { kind: 'answered', answer: result.value }, mayRepeat: false };
}

function badAnswer(effect: Effect, details: string): Verdict {
  return {
    outcome: { kind: 'failed', code: 'BAD_ANSWER', details, mayHaveActed: effect !== 'reads' },
    mayRepeat: false,
  };
}

/**
 * The exchange's own refusals prove that nothing was done (specification, Errors). Any other refusal, whatever its status,
 * comes from a proxy on the way, which answers the same when it lost the exchange's answer: then the request may have been
 * acted upon.
 */
function refusal(operation: Operation, effect: Effect, reply: WireReply & { readonly kind: 'reply' }): Verdict {
  const { status, body, contentType } = reply;
  // The API never redirects: following a redirect would carry the token to another host.
  if (status < 400) return badAnswer(effect, `status ${status} is no answer of the API`);
  const value = jsonOf(body);
  const isOwn = isOwnRefusal(operation, { status, contentType, value });
  const mayHaveActed = effect !== 'reads' && !isOwn;
  return {
    outcome: { kind: 'refused', status, ...readProblem(status, value), isOwn, mayHaveActed },
    mayRepeat: effect !== 'once' && isPassing(status),
    // The exchange's own 401 proves that nothing was done, so that even an order may be sent once more. After a 401 of a proxy,
    // only calls that do no harm when they are repeated are sent again.
    isUnauthorised: status === 401 && (isOwn || effect !== 'once'),
  };
}
