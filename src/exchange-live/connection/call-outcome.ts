/** The possible outcomes of a call over HTTP to any exchange: its answer, a refusal, or no answer at all. */

/** Why there is no answer of the exchange; each outcome also says whether the request may have been acted upon. */
export const CALL_FAULTS = {
  NOT_SENT: 'the request never left: no connection could be made',
  WITHHELD: 'its caller took it back before it left',
  CONNECTION_LOST: 'the connection ended before the answer did',
  TIMEOUT: 'no answer came in time',
  BAD_ANSWER: 'what came back is not what the API sends',
  NO_SESSION: 'no session could be opened: the exchange refuses it',
  OVERLOADED: 'too many calls wait for the request budget already',
  CLOSED: 'the client was closed',
} as const;
/** A key of `CALL_FAULTS`. */
export type CallFaultCode = keyof typeof CALL_FAULTS;

/** The outcome of a call. `mayHaveActed`: the exchange may have carried the request out. */
export type CallOutcome<A> =
  /** The exchange did it: `answer` is its document. */
  | { readonly kind: 'answered'; readonly answer: A }
  /**
   * The request was refused, with the HTTP `status` and the `title` and `details` of the answer. `isOwn`: by the exchange itself, in its API's own shape, so nothing was done. Otherwise a gateway
   * or proxy on the way refused it, which proves nothing.
   */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly title: string;
      readonly details: readonly string[];
      readonly isOwn: boolean;
      readonly mayHaveActed: boolean;
    }
  /** No answer came: `code` says why, `details` is a text for people. */
  | {
      readonly kind: 'failed';
      readonly code: CallFaultCode;
      readonly details: string;
      readonly mayHaveActed: boolean;
    };

/** Why a reading returned no data. */
export interface ReadFailure {
  readonly kind: 'failed';
  readonly code: string;
  readonly details: string;
}

/** Added to the details of a refusal that is not the exchange's own. */
export const NOT_OWN = 'not an answer of the API: somebody before the exchange spoke';

/** The reason of an outcome without an answer, as code and details. */
export function failureOf(outcome: Exclude<CallOutcome<unknown>, { kind: 'answered' }>): ReadFailure {
  if (outcome.kind === 'failed') return { kind: 'failed', code: outcome.code, details: outcome.details };
  const details = [outcome.title, ...outcome.details, ...(outcome.isOwn ? [] : [NOT_OWN])].join('; ');
  return { kind: 'failed', code: `HTTP_${outcome.status}`, details };
}
