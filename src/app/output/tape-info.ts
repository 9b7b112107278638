/** What is in a tape: its markets with span, updates, grade, silences, and whether they can be traded on. */

import { GRADE_MEANINGS, GRADES, type Grade } from '../../core/market.ts';
import { money, moneyToDecimal } from '../../core/number/units.ts';
import { Tape } from '../../recording/tape/tape.ts';
import {
  isImportedBefore,
  type TapeGap,
  type TapeMarket,
  type TapeRecording,
} from '../../recording/tape/tape-schema.ts';
import { marketLabel } from '../../words/market-label.ts';
import { amount, count, dayText, plural, utc } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';

/** Rises of traded volume that were no trades: the exchange revalued stakes in other currencies. */
export interface RevaluationInfo {
  readonly messages: number;
  readonly rises: number;
  /** Backer's stake, decimal. */
  readonly stake: number;
}

export interface TapeInfo {
  readonly path: string;
  readonly sha256: string;
  readonly markets: readonly TapeMarketInfo[];
  readonly updates: number;
  readonly events: number;
  /** The revaluations of all markets together. */
  readonly revaluations?: RevaluationInfo;
  /** Set where the tape is being recorded, or its recorder was killed. */
  readonly unfinished?: TapeRecording;
  /** Set where its recorder was killed and the tape was sealed since. */
  readonly cut?: TapeRecording;
  /** ms UTC; absent where the tape has no update. */
  readonly firstAt?: number;
  readonly lastAt?: number;
}

export interface TapeMarketInfo {
  readonly id: string;
  readonly name: string;
  readonly eventName: string;
  /** Absent where the recording does not say. */
  readonly venue?: string;
  /** Scheduled start by the first definition, ms UTC. */
  readonly startsAt?: number;
  readonly marketTypeId: string;
  readonly bettingType: string;
  readonly outcomes: number;
  readonly grade: Grade;
  /** How many levels a side the source shows, where it shows the best few. */
  readonly depth?: number;
  readonly updates: number;
  readonly events: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The longest time without an update, ms, and when it began. */
  readonly longestSilenceMs: number;
  readonly silentFrom: number;
  readonly tradable: boolean;
  readonly refusal?: string;
  readonly generated?: string;
  readonly revaluations?: RevaluationInfo;
  readonly losses?: Readonly<Record<string, number>>;
  /** Spans in which its recorder received nothing of the market. */
  readonly gaps?: readonly TapeGap[];
  readonly source: string;
  /** Set where an earlier version imported it, so that a message that spans lines is several updates. */
  readonly importedBefore?: true;
}

/** Reads the whole tape once, for the silences. */
export function tapeInfo(path: string): TapeInfo {
  const tape = Tape.open(path);
  try {
    const silences = longestSilences(tape);
    const markets = tape.markets.map((market, index) =>
      marketInfo(market, silences[index] ?? { ms: 0, from: market.firstAt }),
    );
    const recorded = markets.filter((market) => market.updates > 0);
    return {
      path,
      sha256: tape.sha256,
      ...(tape.unfinished === undefined ? {} : { unfinished: tape.unfinished }),
      ...(tape.cut === undefined ? {} : { cut: tape.cut }),
      markets,
      updates: markets.reduce((sum, market) => sum + market.updates, 0),
      events: markets.reduce((sum, market) => sum + market.events, 0),
      ...totalOf(tape.markets),
      ...(recorded.length === 0
        ? {}
        : {
            firstAt: recorded.reduce((first, market) => Math.min(first, market.firstAt), Number.POSITIVE_INFINITY),
            lastAt: recorded.reduce((last, market) => Math.max(last, market.lastAt), Number.NEGATIVE_INFINITY),
          }),
    };
  } finally {
    tape.close();
  }
}

/** Adds up in the tape's integers, so that no sum of decimals is rounded. */
function totalOf(markets: readonly TapeMarket[]): { readonly revaluations?: RevaluationInfo } {
  const all = markets.flatMap(({ revaluations }) => revaluations ?? []);
  if (all.length === 0) return {};
  const sum = { messages: 0, rises: 0, stake: 0 };
  for (const { messages, rises, stake } of all) {
    sum.messages += messages;
    sum.rises += rises;
    sum.stake += stake;
  }
  return { revaluations: { ...sum, stake: moneyToDecimal(money(sum.stake)) } };
}

interface Silence {
  ms: number;
  from: number;
}

function longestSilences(tape: Tape): readonly Silence[] {
  const longest = tape.markets.map((market): Silence => ({ ms: 0, from: market.firstAt }));
  const lastAt = tape.markets.map((market) => market.firstAt as number);
  const cursor = tape.cursor();
  for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
    const before = lastAt[update.market] ?? update.publishedAt;
    const silence = longest[update.market];
    if (silence !== undefined && update.publishedAt - before > silence.ms) {
      silence.ms = update.publishedAt - before;
      silence.from = before;
    }
    lastAt[update.market] = update.publishedAt;
  }
  return longest;
}

function marketInfo(market: TapeMarket, silence: Silence): TapeMarketInfo {
  return {
    id: market.facts.id,
    name: market.facts.name,
    eventName: market.facts.eventName,
    ...(market.facts.venue === undefined ? {} : { venue: market.facts.venue }),
    ...(market.facts.expectedStartTime === undefined ? {} : { startsAt: market.facts.expectedStartTime }),
    marketTypeId: market.facts.marketTypeId,
    bettingType: market.bettingType,
    outcomes: market.facts.outcomes.length,
    grade: market.grade,
    ...(market.depth === undefined ? {} : { depth: market.depth }),
    updates: market.updates,
    events: market.events,
    firstAt: market.firstAt,
    lastAt: market.lastAt,
    longestSilenceMs: silence.ms,
    silentFrom: silence.from,
    tradable: market.tradable,
    ...(market.refusal === undefined ? {} : { refusal: market.refusal }),
    ...(market.generated === undefined ? {} : { generated: market.generated }),
    ...totalOf([market]),
    ...(market.losses === undefined ? {} : { losses: market.losses }),
    ...(market.gaps === undefined ? {} : { gaps: market.gaps }),
    source: market.source.file,
    ...(isImportedBefore(market) ? { importedBefore: true } : {}),
  };
}

/** What is in a tape, as text for people. */
export function tapeInfoText(info: TapeInfo): string {
  const tradable = info.markets.filter((market) => market.tradable).length;
  const lines = [
    printable(info.path),
    `  sha256     ${printable(info.sha256)}`,
    `  markets    ${count(info.markets.length)}, ${count(tradable)} can be traded on`,
    `  updates    ${count(info.updates)} with ${plural(info.events, 'event')}`,
  ];
  if (info.firstAt !== undefined && info.lastAt !== undefined)
    lines.push(`  span       ${utc(info.firstAt)} to ${utc(info.lastAt)} UTC`);
  lines.push(...recordingLines(info));
  if (info.revaluations !== undefined) {
    const revalued = info.markets.filter((market) => market.revaluations !== undefined).length;
    lines.push(`  revalued   ${revaluationText(info.revaluations)}, in ${plural(revalued, 'market')}`);
  }
  for (const grade of GRADES) {
    const graded = info.markets.filter((market) => market.grade === grade).length;
    if (graded > 0) lines.push(`  grade ${grade.padEnd(4)} ${plural(graded, 'market')}: ${GRADE_MEANINGS[grade]}`);
  }
  const before = info.markets.filter((market) => market.importedBefore).length;
  if (before > 0)
    lines.push(`  imported   ${plural(before, 'market')} by an earlier version: import the recordings again`);
  for (const made of new Set(info.markets.flatMap((market) => market.generated ?? []))) {
    lines.push(`  generated  never happened: ${printable(made)}`);
  }
  const widths = widthsOf(info.markets);
  return `${[...lines, '', ...info.markets.flatMap((market) => marketLines(market, widths))].join('\n')}\n`;
}

function recordingLines({ unfinished, cut, markets }: TapeInfo): readonly string[] {
  const lines: string[] = [];
  if (unfinished !== undefined)
    lines.push(
      `  unfinished all of it is here to ${utc(unfinished.committedAt)}: it is being recorded, or its recorder was killed`,
    );
  if (cut !== undefined)
    lines.push(`  cut        its recorder was killed; all of it is here to ${utc(cut.committedAt)}`);
  const gaps = markets.flatMap((market) => market.gaps ?? []);
  const missed = markets.filter((market) => market.gaps !== undefined).length;
  if (gaps.length > 0) {
    const longest = Math.max(...gaps.map(({ from, to }) => to - from));
    lines.push(
      `  gaps       ${plural(gaps.length, 'gap')} in ${plural(missed, 'market')}, the longest ${readable(longest)}`,
    );
  }
  return lines;
}

/** So that the figures of all markets stand below each other. */
interface Widths {
  readonly outcomes: number;
  readonly updates: number;
}

function widthsOf(markets: readonly TapeMarketInfo[]): Widths {
  const widest = (textOf: (market: TapeMarketInfo) => string): number =>
    markets.reduce((most, market) => Math.max(most, textOf(market).length), 0);
  return {
    outcomes: widest(({ outcomes }) => count(outcomes)),
    updates: widest(({ updates }) => count(updates)),
  };
}

function silenceText({ longestSilenceMs, silentFrom }: TapeMarketInfo): string {
  return `silent ${readable(longestSilenceMs)} from ${dayText(silentFrom, false)} ${utc(silentFrom).slice(11, 16)}`;
}

function marketLines(market: TapeMarketInfo, { outcomes, updates }: Widths): readonly string[] {
  const facts = [
    `${count(market.outcomes).padStart(outcomes)} outcomes`,
    `${count(market.updates).padStart(updates)} updates`,
    ...(market.updates > 1 ? [silenceText(market)] : []),
    market.marketTypeId,
  ];
  const label = marketLabel(market);
  const lines = [printable(`  ${market.id}  grade ${market.grade}  ${label}`), printable(`      ${facts.join('  ')}`)];
  if (market.depth !== undefined) lines.push(`      best ${plural(market.depth, 'level')} a side`);
  for (const gap of market.gaps ?? [])
    lines.push(`      gap: ${readable(gap.to - gap.from)} from ${utc(gap.from)}, ${printable(gap.why)}`);
  if (market.refusal !== undefined) lines.push(`      not tradable: ${printable(market.refusal)}`);
  if (market.revaluations !== undefined) lines.push(`      revalued: ${revaluationText(market.revaluations)}`);
  for (const [what, times] of Object.entries(market.losses ?? {}))
    lines.push(`      not kept: ${printable(what)} ${count(times)}`);
  return lines;
}

function revaluationText({ messages, rises, stake }: RevaluationInfo): string {
  const what = `${plural(rises, 'rise')} of volume in ${plural(messages, 'message')}`;
  return `${what} were no trades but currencies valued anew (stake ${amount(stake)})`;
}

function readable(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
}
