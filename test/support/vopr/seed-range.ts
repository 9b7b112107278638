/** Plays a range of seeds, one after the other: sums up what was reached, and keeps the first seed that failed. */

import { simulateBetfair } from './betfair/face-simulation.ts';
import { simulate } from './simulation.ts';
import { addCounts, type Played } from './story.ts';

/** What a life is played before. */
export const EXCHANGES = { betdex: simulate, betfair: simulateBetfair } as const;
export type ExchangeName = keyof typeof EXCHANGES;

export interface SeedRange {
  readonly from: number;
  readonly count: number;
  /** Only every so many-th seed of it: the share of one of several processes. */
  readonly step?: number;
  /** Absent: BetDEX. */
  readonly exchange?: ExchangeName;
}

export interface FailedSeed {
  readonly seed: number;
  readonly law: string;
  readonly what: string;
}

export interface RangePlayed {
  readonly seeds: number;
  readonly failures: readonly FailedSeed[];
  readonly counts: Record<string, number>;
  readonly records: number;
  readonly simulatedMs: number;
}

/** `failuresMax`: more than so many are not looked for. `onSeed` is called with each. */
export function playSeeds(
  { from, count, step = 1, exchange = 'betdex' }: SeedRange,
  options: { readonly failuresMax?: number; readonly onSeed?: (played: Played) => void } = {},
): RangePlayed {
  const { failuresMax = 1, onSeed } = options;
  const counts = new Map<string, number>();
  const failures: FailedSeed[] = [];
  let [seeds, records, simulatedMs] = [0, 0, 0];
  for (let seed = from; seed < from + count && failures.length < failuresMax; seed += step) {
    const played = EXCHANGES[exchange](seed);
    seeds += 1;
    records += played.records;
    simulatedMs += played.simulatedMs;
    addCounts(counts, played.counts);
    if (played.violation !== undefined)
      failures.push({ seed, law: played.violation.law, what: played.violation.message });
    onSeed?.(played);
  }
  return { seeds, failures, counts: Object.fromEntries([...counts].sort()), records, simulatedMs };
}

export function joined(parts: readonly RangePlayed[]): RangePlayed {
  const counts = new Map<string, number>();
  for (const part of parts) addCounts(counts, Object.entries(part.counts));
  const sum = (of: (part: RangePlayed) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    seeds: sum(({ seeds }) => seeds),
    failures: parts.flatMap(({ failures }) => failures).sort((a, b) => a.seed - b.seed),
    counts: Object.fromEntries([...counts].sort()),
    records: sum(({ records }) => records),
    simulatedMs: sum(({ simulatedMs }) => simulatedMs),
  };
}

/** What reproduces a failure, and shows it. */
export function commandOf(seed: number, exchange: ExchangeName): string {
  return `npm run vopr --${exchange === 'betdex' ? '' : ` --exchange ${exchange}`} --seed ${seed} --seeds 1`;
}

/** A failed seed played once more, with its last events. */
export function retold(
  seed: number,
  { exchange, linesMax = 60 }: { readonly exchange: ExchangeName; readonly linesMax?: number },
): { readonly played: Played; readonly text: string } {
  const played = EXCHANGES[exchange](seed, { isTold: true });
  const last = played.lines.slice(-linesMax).map((line) => (line.length > 400 ? `${line.slice(0, 400)}…` : line));
  const again = `again: ${commandOf(seed, exchange)} --trace`;
  return { played, text: [...last, played.violation?.message ?? 'no law was broken', again].join('\n') };
}
