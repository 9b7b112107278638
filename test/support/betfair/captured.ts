/** What was recorded of the real exchange: as it stands, as the client reads it, and as an exchange that answers nothing else. */

import type { AnswerOf } from '../../../src/betfair/client/call.ts';
import { verdictOn } from '../../../src/betfair/client/verdict.ts';
import type { Operation } from '../../../src/betfair/wire/operations.ts';
import { Unreadable } from '../../../src/codec/lenient.ts';
import type { Transport } from '../../../src/exchange-live/connection/transport.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { betfairApiFile } from '../shared.ts';
import { operationIn } from './face-transport.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents as they were recorded.
export type Json = any;

export function captured(name: string): Json {
  return JSON.parse(betfairApiFile('answers', `${name}.json`));
}

/** The answer as the client reads it. */
export function answerOf<O extends Operation>(operation: O, name: string): AnswerOf<O> {
  const body = betfairApiFile('answers', `${name}.json`);
  const { outcome } = verdictOn(operation, 'reads', { kind: 'reply', status: 200, body });
  if (outcome.kind !== 'answered') throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  return outcome.answer as AnswerOf<O>;
}

export function readable<T>(rows: readonly (T | Unreadable<T>)[]): readonly T[] {
  return rows.map((row) => {
    if (row instanceof Unreadable) throw new Error(JSON.stringify(row.faults));
    return row;
  });
}

/** An exchange that lets anybody in, and answers these operations with these texts. */
export function answering(
  clock: Clock,
  answers: Partial<Readonly<Record<Operation | '/api/login', string>>>,
): Transport {
  const login = JSON.stringify({ token: 'a-token', product: 'an-app-key', status: 'SUCCESS', error: '' });
  const all: Readonly<Record<string, string>> = { '/api/login': login, ...answers };
  return {
    send: (request, onReply) => {
      const body = all[operationIn(request)] ?? '';
      clock.schedule(() => onReply({ kind: 'reply', status: body === '' ? 404 : 200, body }), 1);
      return { hasBegun: true, cancel: () => undefined };
    },
    close: async () => undefined,
  };
}
