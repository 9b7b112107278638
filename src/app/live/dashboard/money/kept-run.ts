/** What the dashboard keeps of its run over restarts: what each market brought by strategy, and who moved trading last. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { LogLine } from '../../log/log-line.ts';
import { MarketSums, type SettledOrder, type SumsState } from './market-sums.ts';

/** The newest move of trading. */
export interface TradingMove {
  readonly to: string;
  /** A limit’s name, or `command`, `file`, `signal`, … */
  readonly by: string;
  readonly cause: string;
  readonly at: number;
}

/** An order of ours as the ledger has it. */
type OrderOf = (client: number) => Pick<SettledOrder, 'strategy' | 'market' | 'side'> | undefined;

interface KeptParts {
  readonly path: string;
  readonly run: string;
  readonly orderOf: OrderOf;
  readonly marketName: (id: string) => string;
  readonly warn: (text: string) => void;
}

interface KeptFile {
  readonly format: number;
  readonly run: string;
  readonly sums: SumsState;
  readonly move: TradingMove | undefined;
}

const FORMAT = 1;
const OWNER_ONLY = 0o600;
/** Many orders are settled at once. What a killed process had not written yet counts to no strategy; the run’s sums are the journal’s. */
const WRITE_AFTER_MS = 2_000;

export class KeptRun {
  readonly #parts: KeptParts;
  readonly sums: MarketSums;
  #move: TradingMove | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: KeptParts) {
    this.#parts = parts;
    const kept = this.#read();
    this.sums = new MarketSums(kept?.sums);
    this.#move = kept?.move;
  }

  get move(): TradingMove | undefined {
    return this.#move;
  }

  line(at: number, { subject, fields }: LogLine): void {
    if (fields === undefined) return;
    if (subject === 'reported') this.#reported(at, fields);
    else if (subject === 'settled') this.#settled(at, fields);
    else if (subject === 'marketDone') this.sums.done(String(fields['market']));
    else if (subject === 'trading' && fields['from'] !== fields['to']) this.#moved(at, fields);
    else return;
    this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS).unref();
  }

  close(): void {
    if (this.#timer !== undefined) this.#write();
  }

  #reported(at: number, fields: Fields): void {
    const client = Number(fields['client']);
    const order = this.#parts.orderOf(client);
    if (order === undefined) return;
    const status = String(fields['status']);
    const figures = {
      stakeMatched: micros(fields['stakeMatched']),
      winningsMatched: micros(fields['winningsMatched']),
    };
    this.sums.reported(at, { ...order, ...figures, client, status });
  }

  #settled(at: number, fields: Fields): void {
    const id = String(fields['market']);
    const paid = { profit: micros(fields['profit']), commission: micros(fields['commission']) };
    this.sums.settled(at, { id, name: this.#parts.marketName(id) }, paid);
  }

  #moved(at: number, { to, by, cause }: Fields): void {
    this.#move = { to: String(to), by: String(by), cause: String(cause), at };
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { path, run, warn } = this.#parts;
    const kept: KeptFile = { format: FORMAT, run, sums: this.sums.state, move: this.#move };
    try {
      writeFileSync(`${path}.new`, JSON.stringify(kept), { mode: OWNER_ONLY });
      renameSync(`${path}.new`, path);
    } catch (error) {
      warn(`what strategies earned is not kept over a restart: ${String(error)}`);
    }
  }

  #read(): KeptFile | undefined {
    const { path, run, warn } = this.#parts;
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      // There is none before the first result.
      return undefined;
    }
    try {
      const said: KeptFile = JSON.parse(text);
      return said.format === FORMAT && said.run === run && isSums(said.sums) ? said : undefined;
    } catch (error) {
      warn(`${path} is not used, so that earlier results count to no strategy: ${String(error)}`);
      return undefined;
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

function micros(decimal: unknown): number {
  return Math.round(Number(decimal) * 1e6);
}

function isSums(said: unknown): said is SumsState {
  const { markets, older } = Object(said);
  return Array.isArray(markets) && typeof older?.gross === 'object';
}
