/**
 * The clocks of change messages. `initialClk` names the stream's life and what was subscribed to, `clk` a turn and its time, so
 * that the stream keeps nothing of a client that is away.
 */

import { createHash } from 'node:crypto';

const DIGITS = 8;

/** A clock as a client gave it back. */
export interface GivenClocks {
  readonly initialClk: string | undefined;
  readonly clk: string | undefined;
}

export class Clocks {
  readonly #life: string;

  /** `startedAt` tells the clocks of an earlier life apart. */
  constructor(startedAt: number) {
    this.#life = startedAt.toString(36);
  }

  /** The initial clock of a subscription with these criteria. */
  initial(criteria: unknown): string {
    return `${this.#life}.${digest(JSON.stringify(sorted(criteria)))}`;
  }

  clk(turn: number, now: number): string {
    return `${turn.toString(36)}.${Math.floor(now).toString(36)}`;
  }

  /** The turn of a clock that was given out with this initial one, and when; undefined for any other text. */
  read(given: GivenClocks, initial: string): { readonly turn: number; readonly at: number } | undefined {
    const [, turn, at] = /^([0-9a-z]{1,10})\.([0-9a-z]{1,10})$/.exec(given.clk ?? '') ?? [];
    if (given.initialClk !== initial || turn === undefined || at === undefined) return undefined;
    return { turn: Number.parseInt(turn, 36), at: Number.parseInt(at, 36) };
  }
}

/** Values whose fields are in the order of their names: clients may name them in another order when they come back. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, each]) => [key, sorted(each)]),
  );
}

/** It tells criteria apart that a client changed, and guards nothing. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGITS);
}
