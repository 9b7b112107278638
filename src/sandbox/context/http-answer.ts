/** The answer to an HTTP request: a status and its JSON text. */

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** In how many seconds to try again, where a fault says so. */
  readonly retryAfterS?: number;
}
