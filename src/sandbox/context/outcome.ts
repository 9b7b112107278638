/** An answer as it leaves: a status and its JSON text. */

export interface Outcome {
  readonly status: number;
  readonly text: string;
}
