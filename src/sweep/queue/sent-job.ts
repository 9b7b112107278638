/** A job that is in Redis: which units it brings, what became of it, and when nobody needs it there any more. */

import type { JobOutcome, QueuedJob } from './job-message.ts';

export class SentJob {
  readonly id: string;
  /** The job's text in Redis, to put it there again after Redis lost it. */
  readonly text: string;
  readonly ended: Promise<JobOutcome>;
  readonly keys: readonly string[];
  /** Units whose results were not taken yet. */
  readonly #left: Set<string>;
  #resolve: (outcome: JobOutcome) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #isEnded = false;

  constructor(id: string, text: string, { units }: QueuedJob) {
    this.id = id;
    this.text = text;
    this.keys = units.map(({ key }) => key);
    this.#left = new Set(this.keys);
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Nobody may be waiting for it yet.
    this.ended.catch(() => undefined);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  end(outcome: JobOutcome): void {
    this.#isEnded = true;
    this.#resolve(outcome);
  }

  fail(error: Error): void {
    this.#isEnded = true;
    this.#reject(error);
  }

  /** These units are kept elsewhere, or will be asked for anew; true where the job has nothing left to give. */
  take(keys: Iterable<string>): boolean {
    for (const key of keys) this.#left.delete(key);
    return this.#left.size === 0;
  }
}
