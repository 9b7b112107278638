/** Thins out refusals that stand: the first is kept, then one a minute with their number, without the decisions they answer. */

import type { JournalRecord, TimedRecord } from '../../core/run/journal.ts';

const MINUTE_MS = 60_000;
/** Beyond so many pairs of strategy and market all are forgotten, and each is kept once more. */
const PAIRS_MAX = 10_000;

type Decided = Extract<JournalRecord, { readonly kind: 'decided' }>;
type Refused = Extract<JournalRecord, { readonly kind: 'refused' }>;

interface HeldDecision {
  readonly at: number;
  readonly record: Decided;
  /** How many of its intents were not refused as often before. */
  left: number;
}

interface Standing {
  /** The minute in which one was kept, counted from 1970; undefined if the next one is news. */
  minute: number | undefined;
  /** Refusals since then. */
  counted: number;
}

/**
 * A refusal stands while all that the strategy asks for in that market meets it: until an order passes there, or trading
 * moves. Minutes are those of the clock, so that a run and its replay keep the same ones.
 */
export class RepeatedRefusals {
  readonly #keep: (at: number, record: JournalRecord) => void;
  /** Keyed by strategy and market, then by code. */
  readonly #standing = new Map<string, Map<string, Standing>>();
  /** Decisions that are not kept yet: one whose intents are all refused as before is left out. */
  #held: HeldDecision[] = [];

  constructor(keep: (at: number, record: JournalRecord) => void) {
    this.#keep = keep;
  }

  decided(at: number, record: Decided): void {
    if (this.#held.some((held) => held.at !== at)) this.#keepHeld();
    this.#held.push({ at, record, left: record.intents.length });
  }

  /** The refusal as it was kept, with the number that it stands for; undefined if it was counted alone. */
  refused(at: number, record: Refused): Refused | undefined {
    const { strategy, market } = record;
    const times = this.#times(at, record);
    if (times !== undefined) {
      const kept = times === 1 ? record : { ...record, times };
      this.other(at, kept);
      return kept;
    }
    const held = this.#held.find(
      ({ record: decided, left }) => left > 0 && decided.strategy === strategy && decided.market === market,
    );
    if (held !== undefined) held.left -= 1;
    return undefined;
  }

  /** Any other record is kept as it is. */
  other(at: number, record: JournalRecord): void {
    if (this.#held.length > 0) this.#keepHeld();
    if (record.kind === 'sent') this.#passed(record.strategy, record.market);
    // What is refused from now on has a new cause.
    else if (record.kind === 'trading') this.#standing.clear();
    this.#keep(at, record);
  }

  #times(at: number, { strategy, market, code, times = 1 }: Refused): number | undefined {
    const pair = pairOf(strategy, market);
    const codes = this.#standing.get(pair) ?? new Map<string, Standing>();
    const known = codes.get(code);
    const minute = Math.floor(at / MINUTE_MS);
    if (known?.minute === minute) {
      known.counted += times;
      return undefined;
    }
    if (this.#standing.size >= PAIRS_MAX) this.#standing.clear();
    this.#standing.set(pair, codes);
    codes.set(code, { minute, counted: 0 });
    return (known?.counted ?? 0) + times;
  }

  #passed(strategy: string, market: string): void {
    for (const standing of this.#standing.get(pairOf(strategy, market))?.values() ?? []) standing.minute = undefined;
  }

  #keepHeld(): void {
    for (const { at, record, left } of this.#held) if (left > 0) this.#keep(at, record);
    this.#held = [];
  }
}

function pairOf(strategy: string, market: string): string {
  return `${strategy}\n${market}`;
}

/** The records of a run as they are kept today: older journals have each refusal of most codes. */
export function withoutRepeated(records: Iterable<TimedRecord>): readonly TimedRecord[] {
  const kept: TimedRecord[] = [];
  const repeated = new RepeatedRefusals((at, record) => kept.push({ at, record }));
  for (const { at, record } of records) {
    if (record.kind === 'decided') repeated.decided(at, record);
    else if (record.kind === 'refused') repeated.refused(at, record);
    else repeated.other(at, record);
  }
  return kept;
}
