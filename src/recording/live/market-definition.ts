/** A live market's definition, in the form in which a tape keeps it. */

import type { RecordedDefinition, RecordedStatus } from '../tape/definition.ts';
import type { LiveBook } from './live-book.ts';

/** `before` is the status recorded last: once a market is closed, its status no longer says how it ended. */
export function definitionOf(book: LiveBook, commissionPpm: number, before: RecordedStatus): RecordedDefinition {
  const { facts, inPlayStatus, inPlayDelayMs, eventStartAction } = book;
  const status = recordedStatus(book, before);
  const outcomes = facts.outcomes.map((_, outcome) => ({ status: book.outcomeStatus(outcome) }));
  return {
    status,
    suspended: isHeldBack(book),
    inPlayStatus,
    inPlayDelayMs,
    ...(facts.expectedStartTime === undefined ? {} : { expectedStartTime: facts.expectedStartTime }),
    winnerCount: winnerCount(book),
    eventStartAction,
    commissionPpm,
    outcomes,
  };
}

/**
 * How many winners are paid: as many as were declared, but no more than the market pays (the rest is a dead heat);
 * before the declaration, the most that are possible, or 0, not known, where all may lose.
 */
export function winnerCount(book: LiveBook): number {
  const { min, max } = book.winners;
  return Math.min(declaredWinners(book) || (min === 0 ? 0 : max), max);
}

function declaredWinners(book: LiveBook): number {
  let winners = 0;
  for (const [outcome] of book.facts.outcomes.entries()) if (book.outcomeStatus(outcome) === 'Winner') winners += 1;
  return winners;
}

/** Whether no order can match although the market has not ended. */
function isHeldBack(book: LiveBook): boolean {
  const { status, suspended, published } = book;
  const isClosing = status === 'Locking' || status === 'Locked' || status === 'Settling' || status === 'Voiding';
  return suspended || !published || isClosing || isSettledUnread(book);
}

/**
 * Whether the stream says that a market is settled but its document with the winners was not read yet: until then it
 * has no result for a tape.
 */
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
