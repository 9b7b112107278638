/** Says in red what the server did not give, and what to do about it. */

import type { Trouble } from '../play/answers.ts';

interface TroubleParts {
  readonly trouble: Trouble;
  /** The command that starts the view again. */
  readonly restart: string;
  readonly onRetry: () => void;
}

export function TroubleBar({ trouble: { kind, why, next }, restart, onRetry }: TroubleParts) {
  return (
    <p class="alarm" role="alert">
      <b>{why}</b>{' '}
      {kind === 'silent' ? (
        <>
          It was ended, or the line is down. It is tried again all the time; if it was ended, start it again with{' '}
          <code>{restart}</code> and open the link that it prints.
        </>
      ) : (
        next
      )}{' '}
      <button type="button" class="quiet" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}
