/** Keeps the stream of markets as it came: a file of lines for each market and day, and the proof of what is complete. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultOfChange, MarketFold } from '../../../betfair/wire/fold/market-fold.ts';
import { isRecord } from '../../../betfair/wire/mcm/source-definition.ts';
import { type Instant, instant } from '../../../core/number/units.ts';
import type { NativeNews } from '../../../exchange/native-news.ts';
import { writing } from '../../tape/tape-target.ts';
import { LineFile } from './line-file.ts';
import { nativeLine } from './native-line.ts';
import { Spans } from './spans.ts';

/** How far a recording is. */
export interface NativeState {
  readonly markets: number;
  readonly messages: number;
}

interface OpenMarket {
  readonly fold: MarketFold;
  readonly day: string;
  readonly file: LineFile;
}

const DAY_MS = 86_400_000;
/** What the exchange said of the markets beside its stream, such as their names: an import of the directory completes them by it. */
const CATALOGUE_FILE = 'catalogue.jsonl';

export class NativeRecorder {
  readonly #directory: string;
  readonly #spans: Spans;
  readonly #markets = new Map<string, OpenMarket>();
  readonly #known = new Set<string>();
  #catalogue: { readonly file: LineFile; readonly lines: Set<string> } | undefined;
  #messages = 0;

  /** Goes on in a directory where an earlier recorder ended. @throws TapeFailure TAPE_NOT_WRITABLE */
  constructor(directory: string) {
    this.#directory = directory;
    writing(directory, () => mkdirSync(directory, { recursive: true }));
    this.#spans = new Spans(directory);
  }

  get state(): NativeState {
    return { markets: this.#known.size, messages: this.#messages };
  }

  /** @throws TapeFailure TAPE_NOT_WRITABLE */
  take(news: NativeNews): void {
    if (news.kind === 'proven') this.#spans.reach(news.at);
    else if (news.kind === 'gap') {
      this.#spans.end(news.from, news.why);
      this.#spans.reach(news.to);
    } else if (news.kind === 'described') this.#describe(news.line);
    else this.#message(news.lines.map((line) => JSON.parse(line)));
  }

  /** Writes what came. What a killed process has taken since its last flush is lost. @throws TapeFailure TAPE_NOT_WRITABLE */
  flush(): void {
    for (const { file } of this.#markets.values()) file.flush();
    this.#catalogue?.file.flush();
    this.#spans.write();
  }

  /** Ends the recording. @throws TapeFailure TAPE_NOT_WRITABLE */
  finish(why: string): NativeState {
    this.#spans.end(Number.POSITIVE_INFINITY, why);
    this.flush();
    for (const { file } of this.#markets.values()) file.close();
    this.#markets.clear();
    this.#catalogue?.file.close();
    this.#catalogue = undefined;
    return this.state;
  }

  /** Each description is kept once, also over restarts. */
  #describe(line: string): void {
    this.#catalogue ??= this.#openCatalogue();
    const { file, lines } = this.#catalogue;
    if (lines.has(line)) return;
    lines.add(line);
    file.add(line);
  }

  #openCatalogue() {
    const path = join(this.#directory, CATALOGUE_FILE);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return { file: new LineFile(path), lines: new Set(text.split('\n').map((line) => line.trim())) };
  }

  /** The segments of a message become one line for each market. */
  #message(parts: readonly Record<string, unknown>[]): void {
    const { pt, clk } = parts.at(-1) ?? {};
    if (typeof pt !== 'number') return;
    this.#messages += 1;
    const changesOf = new Map<string, unknown[]>();
    for (const { mc } of parts)
      for (const change of Array.isArray(mc) ? mc : []) {
        const id = isRecord(change) && typeof change['id'] === 'string' ? change['id'] : undefined;
        if (id === undefined || !/^[\w.-]+$/.test(id)) continue;
        changesOf.set(id, [...(changesOf.get(id) ?? []), change]);
      }
    const at = instant(pt);
    for (const [id, changes] of changesOf) this.#change(id, { at, clk, changes });
    this.#spans.reach(at);
  }

  #change(
    id: string,
    { at, clk, changes }: { readonly at: Instant; readonly clk: unknown; readonly changes: readonly unknown[] },
  ): void {
    const isKnown = this.#markets.get(id)?.day === dayOf(at);
    const { fold, file } = this.#open(id, at, changes);
    // Another market was subscribed to, and the image of all came with it.
    if (isKnown && isImage(changes) && fold.isAsIn(changes.filter(isRecord))) return;
    file.add(nativeLine(at, clk, changes));
    for (const change of changes) if (faultOfChange(change) === undefined && isRecord(change)) fold.apply(change);
    if (!fold.isClosed) return;
    file.close();
    this.#markets.delete(id);
  }

  /** A file of a new day begins with what the market stood at before midnight, so that it can be read without the others. */
  #open(id: string, at: Instant, changes: readonly unknown[]): OpenMarket {
    const day = dayOf(at);
    const known = this.#markets.get(id);
    // A market keeps its day where the exchange's clock is set back.
    if (known !== undefined && known.day >= day) return known;
    known?.file.close();
    const folder = join(this.#directory, day);
    writing(folder, () => mkdirSync(folder, { recursive: true }));
    const fold = known?.fold ?? new MarketFold(id);
    const opened = { fold, day, file: new LineFile(join(folder, id)) };
    this.#markets.set(id, opened);
    this.#known.add(id);
    if (known !== undefined && !isImage(changes))
      opened.file.add(nativeLine(at - (at % DAY_MS), undefined, [fold.image()]));
    return opened;
  }
}

function dayOf(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10);
}

function isImage(changes: readonly unknown[]): boolean {
  return changes.some((change) => isRecord(change) && change['img'] === true);
}
