/** What strategies plot in a paper or live run, in plots.csv of its directory: at most a point a second of each line, off the path of orders. */

import { appendFile, stat } from 'node:fs/promises';
import { type Subscription, timer } from 'rxjs';
import { PLOT_NAMES_MAX } from '../../../backtest/simulation/plot-table.ts';
import type { PlottedPoint } from '../../../engine/log/journal-log.ts';
import { csv } from '../../../result/columns/csv.ts';
import { PLOT_COLUMNS, type PlotRow } from '../../../result/columns/plot-columns.ts';
import type { Clock } from '../../../time/clock.ts';

const EVERY_MS = 1_000;
/** Lines that got no value for so long are forgotten: their markets are over. */
const FORGOTTEN_MS = 6 * 3_600_000;
const BYTES_MAX = 256 * 1024 * 1024;

export interface PlotFileParts {
  readonly path: string;
  readonly clock: Clock;
  /** Called once, when nothing is written any more. */
  readonly onStopped: (why: string) => void;
  /** The largest file; tests set it. */
  readonly bytesMax?: number;
}

interface Line {
  readonly strategy: string;
  readonly marketId: string;
  readonly name: string;
  at: number;
  value: number;
  /** What the file says of it; NaN at first, as a line begins with a value. */
  written: number;
}

export class PlotFile {
  readonly #parts: PlotFileParts;
  readonly #bytesMax: number;
  /** The lines by strategy and market, then by name. */
  readonly #lines = new Map<string, Map<string, Line>>();
  #ticking: Subscription | undefined;
  #bytes: number | undefined;
  #isStopped = false;
  /** One write after the other. */
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: PlotFileParts) {
    this.#parts = parts;
    this.#bytesMax = parts.bytesMax ?? BYTES_MAX;
  }

  /** Only remembers the value: nothing is written in the strategy's call. A name beyond those that a market may have is left out. */
  add({ at, strategy, marketId, name, value }: PlottedPoint): void {
    if (this.#isStopped) return;
    const { clock } = this.#parts;
    this.#ticking ??= timer(EVERY_MS, EVERY_MS, clock).subscribe(() => void this.#write());
    const key = JSON.stringify([strategy, marketId]);
    const lines = this.#lines.get(key) ?? new Map<string, Line>();
    this.#lines.set(key, lines);
    const known = lines.get(name);
    if (known !== undefined) {
      known.at = at;
      known.value = value;
    } else if (lines.size < PLOT_NAMES_MAX)
      lines.set(name, { strategy, marketId, name, at, value, written: Number.NaN });
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    this.#ticking?.unsubscribe();
    await this.#write();
  }

  #write(): Promise<void> {
    const rows = [...this.#changed()];
    if (rows.length > 0) this.#writing = this.#writing.then(() => this.#append(rows));
    return this.#writing;
  }

  *#changed(): Generator<PlotRow> {
    const now = this.#parts.clock.now();
    for (const [key, lines] of this.#lines) {
      let newest = Number.NEGATIVE_INFINITY;
      for (const line of lines.values()) {
        newest = Math.max(newest, line.at);
        if (Object.is(line.value, line.written)) continue;
        line.written = line.value;
        const value = Number.isNaN(line.value) ? undefined : line.value;
        yield { run: 1, flow: 'central', line, at: line.at, value };
      }
      if (now - newest > FORGOTTEN_MS) this.#lines.delete(key);
    }
  }

  async #append(rows: readonly PlotRow[]): Promise<void> {
    if (this.#isStopped) return;
    const { path } = this.#parts;
    try {
      this.#bytes ??= await sizeOf(path);
      const text = [...csv(PLOT_COLUMNS, rows)].join('');
      // A file that is there already has its heading.
      const added = this.#bytes === 0 ? text : text.slice(text.indexOf('\n') + 1);
      if (this.#bytes + added.length > this.#bytesMax) return this.#stop(`${path} has ${this.#bytes} bytes`);
      await appendFile(path, added, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(added);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      this.#stop(error.message);
    }
  }

  #stop(why: string): void {
    this.#isStopped = true;
    this.#ticking?.unsubscribe();
    this.#lines.clear();
    this.#parts.onStopped(why);
  }
}

/** 0 where there is none. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
