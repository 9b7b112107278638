/** The answer to an HTTP request: a status and its JSON text. */

export interface Outcome {
  readonly status: number;
  readonly text: string;
}
