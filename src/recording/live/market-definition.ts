/** A live market's definition, in the words of a tape. */

import type { RecordedDefinition, RecordedStatus } from '../definition.ts';
import type { LiveBook } from './live-book.ts';

/** `before` is the status recorded last: a closed market says no more how it ended. */
export function definitionOf(book: LiveBook, commissionPpm: number, before: RecordedStatus): RecordedDefinition {
  const { facts, inPlayStatus, inPlayDelayMs, eventStartAction } = book;
  const status = recordedStatus(book, before);
  const outcomes = facts.outcomes.map((_, outcome) => ({ status: book.outcomeStatus(outcome) }));
  return {
    ...{ status, suspended: isHeldBack(book), inPlayStatus, inPlayDelayMs },
    ...(facts.expectedStartTime === undefined ? {} : { expectedStartTime: facts.expectedStartTime }),
    ...{ winnerCount: winnerCount(book), eventStartAction, commissionPpm, outcomes },
  };
}

/** As many as were declared; before that, the most that may be. */
export function winnerCount(book: LiveBook): number {
  const winners = book.facts.outcomes.filter((_, outcome) => book.outcomeStatus(outcome) === 'Winner').length;
  return winners > 0 ? winners : book.winners.max;
}

/** No order can match, though the market is not over. */
function isHeldBack({ status, suspended, published }: LiveBook): boolean {
  const isClosing = status === 'Locking' || status === 'Locked' || status === 'Settling' || status === 'Voiding';
  return suspended || !published || isClosing;
}

function recordedStatus({ status }: LiveBook, before: RecordedStatus): RecordedStatus {
  switch (status) {
    case 'Initializing':
    case 'Settled':
    case 'Voided':
      return status;
    case 'Open':
    case 'Locking':
    case 'Locked':
    case 'Settling':
    case 'Voiding':
      return 'Open';
    case 'Closed':
      return before;
  }
}
