/** A live market's definition, in the words of a tape. */

import type { RecordedDefinition, RecordedStatus } from '../tape/definition.ts';
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

/** As many as were declared, but no more than are paid (the rest is a dead heat); before that, the most that may be. */
export function winnerCount(book: LiveBook): number {
  return Math.min(declaredWinners(book) || book.winners.max, book.winners.max);
}

function declaredWinners(book: LiveBook): number {
  let winners = 0;
  for (const [outcome] of book.facts.outcomes.entries()) if (book.outcomeStatus(outcome) === 'Winner') winners += 1;
  return winners;
}

/** No order can match, though the market is not over. */
function isHeldBack(book: LiveBook): boolean {
  const { status, suspended, published } = book;
  const isClosing = status === 'Locking' || status === 'Locked' || status === 'Settling' || status === 'Voiding';
  return suspended || !published || isClosing || isSettledUnread(book);
}

/** The stream says that a market is settled before its document says who won: until then it has no result for a tape. */
function isSettledUnread(book: LiveBook): boolean {
  return book.status === 'Settled' && declaredWinners(book) === 0;
}

function recordedStatus(book: LiveBook, before: RecordedStatus): RecordedStatus {
  const { status } = book;
  switch (status) {
    case 'Settled':
      return isSettledUnread(book) ? 'Open' : 'Settled';
    case 'Initializing':
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
