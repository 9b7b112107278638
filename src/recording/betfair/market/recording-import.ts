/** Imports the text of one recording: its lines into markets, and its markets into a tape. */

import { LineScanner } from '../../../betfair/wire/mcm/line-scanner.ts';
import { stageText } from '../../../betfair/wire/mcm/message.ts';
import { StagedMessage } from '../../../betfair/wire/mcm/staged-message.ts';
import type { MarketWriter } from '../../tape/market-packer.ts';
import { TapeFailure } from '../../tape/tape-failure.ts';
import type { TapeGap, TapeSource } from '../../tape/tape-schema.ts';
import { ImportFailure, type ImportProblem, importFailure } from '../decompress/import-failure.ts';
import { type Line, LineCutter, LineTooLong, lineText } from '../decompress/lines.ts';
import { MarketImport } from './market-import.ts';

/** 'fail': a recording with a fault is left out. 'skip': bad lines are left out, and the undamaged part of a damaged file is kept. */
export type OnError = 'skip' | 'fail';

/** What became of one market of a recording. */
export interface MarketReport {
  /** The source's id of the market. */
  readonly id: string;
  /** How many updates it has. */
  readonly updates: number;
  /** `imported`: it is on the tape. `left`: the file is named after another market, and holds only a part of this one. `refused`: it cannot be kept. */
  readonly outcome: 'imported' | 'left' | 'refused';
  /** Why the market was left out or refused; for an imported one, why the odds simulator will refuse it. */
  readonly reason?: string;
}

/** What became of one recording (a file, or one entry of an archive). Plain data. */
export interface RecordingReport {
  /** The file, `archive.tar!entry` inside an archive. */
  readonly name: string;
  /** Lines that were read. */
  readonly lines: number;
  /** Number of updates of all markets. What one message says about one market is one update. */
  readonly updates: number;
  /** One for each market that occurs in it. */
  readonly markets: readonly MarketReport[];
  /** Lines that are no whole stream message, and were left out. */
  readonly badLines: number;
  /** The first bad line, and damage of the file; with 'fail' the first of them, for which the recording was left out. */
  readonly problems: readonly ImportProblem[];
}

/** One recording in a file. */
export interface RecordingSource {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /**
   * Whether the text comes from a format with a checksum, which tells whether what follows a bad line can be believed.
   */
  readonly isChecked: boolean;
  /** What its recorder says that it misses of its market. */
  readonly gaps?: readonly TapeGap[];
}

/** A recording that must be read again, up to a line, and what the first reading found wrong. */
export interface SecondReading {
  readonly beforeLine: number;
  readonly badLines: number;
  readonly problems: readonly ImportProblem[];
}

/** How reading a recording ended: done, or to be read again up to a line. */
export type RecordingResult =
  | { readonly kind: 'done'; readonly report: RecordingReport }
  | { readonly kind: 'again'; readonly second: SecondReading };

export class RecordingImport {
  readonly #writer: MarketWriter;
  readonly #source: RecordingSource;
  readonly #onError: OnError;
  readonly #before: number;
  readonly #markets = new Map<string, MarketImport>();
  /** Markets seen in a line without the market after which the file is named. */
  readonly #alone = new Set<string>();
  readonly #named: string | undefined;
  readonly #problems: ImportProblem[];
  readonly #scanner = new LineScanner();
  /** The message of the lines before the current one, which the current one may go on with; without changes where there is none. */
  #held = new StagedMessage();
  /** The content of the current line. */
  #staged = new StagedMessage();
  #isLeftOut = false;
  /** The kind of the first message without market changes. */
  #otherOp: string | undefined;
  #lines = 0;
  #updates = 0;
  #badLines: number;

  /** `second` stops the reading early, because what follows was found not to be believable. */
  constructor(options: {
    readonly writer: MarketWriter;
    readonly source: RecordingSource;
    readonly onError: OnError;
    readonly second?: SecondReading;
  }) {
    this.#writer = options.writer;
    this.#source = options.source;
    this.#onError = options.onError;
    this.#before = options.second?.beforeLine ?? Number.POSITIVE_INFINITY;
    this.#badLines = options.second?.badLines ?? 0;
    this.#problems = [...(options.second?.problems ?? [])];
    this.#named = marketNamedBy(options.source.name);
  }

  /**
   * Reads the recording to its end. A bad line followed by damage of the container means that nothing after the line
   * can be believed: then no market is written, and the result asks to be read again up to the line.
   */
  async run(tapeSource: () => Promise<TapeSource>): Promise<RecordingResult> {
    try {
      await this.#read();
      if (this.#isLeftOut) return { kind: 'done', report: this.#report([]) };
      const beforeLine = this.#doubtfulFrom();
      if (beforeLine === undefined)
        return { kind: 'done', report: this.#report(await this.#finish(await tapeSource())) };
      this.#discardAll();
      return { kind: 'again', second: { beforeLine, badLines: this.#badLines, problems: this.#problems } };
    } catch (error) {
      this.#discardAll();
      throw error;
    }
  }

  async #read(): Promise<void> {
    try {
      await this.#readLines();
    } catch (error) {
      if (error instanceof LineTooLong) this.#fault(importFailure('NOT_A_RECORDING', this.#place(), error.message));
      else if (error instanceof ImportFailure) this.#fault(error);
      else throw error;
    }
    this.#commitHeld();
  }

  async #readLines(): Promise<void> {
    const cutter = new LineCutter();
    for await (const chunk of this.#source.chunks) {
      for (const line of cutter.push(chunk)) if (!this.#line(line)) return;
    }
    for (const line of cutter.end()) this.#line(line);
  }

  /** Reads a line; returns false where the reading must end before it. A message is imported once a line is of another one. */
  #line(line: Line): boolean {
    if (line.number >= this.#before) return false;
    // What lies in an archive must be read to its end, so that the next recording is found.
    if (this.#isLeftOut) return true;
    this.#lines = line.number;
    const staged = this.#staged;
    const isScanned = this.#scanner.scan(line, staged);
    const unread = isScanned ? undefined : stageText(lineText(line), staged);
    const isMore = unread === undefined && this.#held.isContinuedBy(staged);
    if (!isMore) this.#commitHeld();
    const fault = unread ?? this.#faultOfTime(staged);
    if (fault !== undefined) {
      this.#badLine(line, fault);
      return true;
    }
    this.#otherOp ??= staged.otherOp;
    this.#noteAlone(staged);
    if (isMore) this.#held.append(staged);
    else [this.#held, this.#staged] = [staged, this.#held];
    return true;
  }

  #commitHeld(): void {
    const message = this.#held;
    message.merge();
    for (let change = 0; change < message.changes; change += 1) {
      this.#marketOf(message.ids[change] as string).change(message, change);
      this.#updates += 1;
    }
    message.clear();
  }

  #marketOf(id: string): MarketImport {
    let market = this.#markets.get(id);
    if (market === undefined) {
      market = new MarketImport(id, this.#writer);
      this.#markets.set(id, market);
    }
    return market;
  }

  #noteAlone({ ids, changes }: StagedMessage): void {
    if (this.#named === undefined) return;
    for (let change = 0; change < changes; change += 1) if (ids[change] === this.#named) return;
    for (let change = 0; change < changes; change += 1) this.#alone.add(ids[change] as string);
  }

  #faultOfTime({ ids, changes, publishedAt }: StagedMessage): string | undefined {
    for (let change = 0; change < changes; change += 1) {
      const id = ids[change] as string;
      const lastAt = this.#markets.get(id)?.lastAt ?? 0;
      if (publishedAt < lastAt) return `the publish time goes back by ${lastAt - publishedAt} ms in market ${id}`;
    }
    return undefined;
  }

  #badLine(line: Line, why: string): void {
    this.#badLines += 1;
    if (this.#badLines > 1) return;
    const place = { ...this.#place(line.number), ...(this.#source.isChecked ? {} : { byte: line.byte }) };
    const failure =
      this.#updates === 0
        ? importFailure('NOT_A_RECORDING', place, otherText(lineText(line)) ?? why)
        : importFailure('BAD_LINE', place, why);
    this.#fault(failure);
  }

  /** Notes a fault of the text or of what it is packed in, for which the recording may be left out. */
  #fault({ problem }: ImportFailure): void {
    if (this.#isLeftOut) return;
    this.#problems.push(problem);
    if (this.#onError === 'skip') return;
    this.#isLeftOut = true;
    this.#held.clear();
    this.#discardAll();
  }

  /** The first bad line, where the container turned out to be damaged too; else undefined. */
  #doubtfulFrom(): number | undefined {
    if (this.#before !== Number.POSITIVE_INFINITY) return undefined;
    const [first, second] = this.#problems;
    return second === undefined ? undefined : first?.line;
  }

  async #finish(tapeSource: TapeSource): Promise<MarketReport[]> {
    const reports: MarketReport[] = [];
    const left = this.#named !== undefined && this.#markets.has(this.#named);
    for (const market of this.#markets.values()) {
      const { id, updates } = market;
      if (left && !this.#alone.has(id) && id !== this.#named) {
        const reason = `only ${this.#named} is complete here: this market appears in shared lines alone`;
        reports.push({ id, updates, outcome: 'left', reason });
        this.#writer.discardMarket(market.key);
        continue;
      }
      const refusal = market.unusable ?? (await this.#finishMarket(market, tapeSource));
      if (refusal !== undefined) this.#writer.discardMarket(market.key);
      reports.push(
        refusal === undefined ? imported(market, tapeSource) : { id, updates, outcome: 'refused', reason: refusal },
      );
    }
    this.#markets.clear();
    this.#checkResult(reports);
    return reports;
  }

  /** Writes the market's facts; returns the reason where the tape refuses it. */
  async #finishMarket(market: MarketImport, tapeSource: TapeSource): Promise<string | undefined> {
    try {
      const { gaps = [] } = this.#source;
      const missed = gaps.length === 0 ? {} : { gaps };
      await this.#writer.finishMarket(market.key, { ...market.describe(tapeSource), ...missed });
      return undefined;
    } catch (error) {
      if (!(error instanceof TapeFailure)) throw error;
      this.#problems.push(importFailure('DUPLICATE_MARKET', this.#place(), market.id).problem);
      return 'DUPLICATE_MARKET: the tape holds a market with this id already';
    }
  }

  /** A recording without any market is a failure of its own, unless another problem explains it. */
  #checkResult(reports: readonly MarketReport[]): void {
    if (reports.some((report) => report.outcome === 'imported') || this.#problems.length > 0) return;
    const failure =
      this.#updates === 0
        ? importFailure('NOT_A_RECORDING', this.#place(), otherStream(this.#otherOp))
        : importFailure('NO_DEFINITION', this.#place(), reports[0]?.reason);
    this.#problems.push(failure.problem);
  }

  #report(markets: readonly MarketReport[]): RecordingReport {
    return {
      name: this.#source.name,
      lines: this.#lines,
      updates: this.#updates,
      markets,
      badLines: this.#badLines,
      problems: this.#problems,
    };
  }

  #discardAll(): void {
    for (const market of this.#markets.values()) this.#writer.discardMarket(market.key);
    this.#markets.clear();
  }

  #place(line?: number): { readonly file: string; readonly line?: number } {
    return { file: this.#source.name, ...(line === undefined ? {} : { line }) };
  }
}

function imported(market: MarketImport, tapeSource: TapeSource): MarketReport {
  const { refusal } = market.describe(tapeSource);
  const { id, updates } = market;
  return { id, updates, outcome: 'imported', ...(refusal === undefined ? {} : { reason: refusal }) };
}

/** The market id in a file's name, as recorders put it there: `1.248776885`, `BASIC-1.132153978`, `1-166811431`. */
function marketNamedBy(name: string): string | undefined {
  const [, number] = /(?:^|[^0-9.])1[.-]([0-9]{6,12})(?![0-9])[^/]*$/.exec(name) ?? [];
  return number === undefined ? undefined : `1.${number}`;
}

const WANTED = 'files of market changes (op mcm), one message a line, would be read';

/** The streams of Betfair and of its recorders, by the `op` of their messages. */
const STREAMS: Readonly<Record<string, string>> = {
  rcm: 'the race stream',
  ocm: 'the order stream',
  ccm: 'the cricket stream',
  mcm: 'heartbeats of the market stream',
};

/** Says what a text is whose messages hold no market change, by the `op` of the first. */
function otherStream(op: string | undefined): string {
  if (op === undefined) return 'no market change in it';
  return `it holds ${STREAMS[op] ?? 'messages of another kind'} (op ${op}) and no market change; ${WANTED}`;
}

/** Says what a text is whose first line is no message; undefined where nothing shows it. */
function otherText(line: string): string | undefined {
  const text = line.trimStart();
  if (text.startsWith('[')) {
    const items = text.includes('"op"')
      ? 'messages'
      : text.includes('"marketId"')
        ? 'markets of the betting API'
        : 'JSON';
    return `it is one array of ${items}; ${WANTED}`;
  }
  if (!text.startsWith('{')) return undefined;
  if (text.includes('"jsonrpc"') || text.includes('"marketId"')) return `it is an answer of the betting API; ${WANTED}`;
  return undefined;
}
