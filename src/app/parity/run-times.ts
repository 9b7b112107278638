/** Reads from a run's journal when it traded, when it was down, and when something stopped its orders. */

import type { JournalRecord } from '../../core/run/journal.ts';
import { BY_DRAWDOWN } from '../../core/run/risk-memory.ts';
import type { EngineSupervisor } from '../../engine/engine.ts';
import type { Ledger } from '../../engine/ledger/ledger.ts';
import type { Input, Step } from '../../engine/ledger/step.ts';
import type { NoteLog } from '../../engine/log/run-log.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import type { Span, Stop } from './evidence.ts';
import { type RunActs, redo } from './run-acts.ts';
import type { RunRecord } from './steps/step-sequence.ts';

export interface RunTimes {
  /** Spans in which strategies were called; all time, if the records have no phases. */
  readonly trading: readonly Span[];
  /** The gaps between the spans of trading. */
  readonly downs: readonly Span[];
  readonly stops: readonly (Stop & { readonly wallet?: string })[];
  /** When the limit of orders a second was changed. */
  readonly rateMoves: readonly number[];
  /** Starts of a version whose limits on money measured the funds that the exchange asks for. */
  readonly olderLimits: readonly (Span & { readonly version: string })[];
  /** SHA-256 of each strategy's code, by its name; more than one if it was loaded again. */
  readonly codes: ReadonlyMap<string, ReadonlySet<string>>;
  /** The first reported balance of each wallet. */
  readonly balances: ReadonlyMap<string, number>;
}

/** As the journal names it. */
const RATE_LIMIT: keyof Limits = 'ordersPerSecond';

const ALWAYS: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

export function runTimes(records: Iterable<RunRecord>): RunTimes {
  const reader = new Reader();
  for (const each of records) reader.add(each);
  return reader.times();
}

class Reader {
  readonly #trading: { from: number; to: number }[] = [];
  readonly #stops: (Stop & { to: number; wallet?: string })[] = [];
  readonly #openStops = new Map<string, Stop & { to: number }>();
  /** Each limit of orders a second that there was, since when. */
  readonly #rates: { readonly from: number; readonly limit: unknown }[] = [];
  readonly #olderLimits: { from: number; to: number; version: string }[] = [];
  readonly #codes = new Map<string, Set<string>>();
  readonly #balances = new Map<string, number>();
  #hasPhases = false;
  #lastAt = Number.NEGATIVE_INFINITY;

  add({ at, record }: RunRecord): void {
    this.#note(at, record);
    this.#lastAt = at;
  }

  times(): RunTimes {
    const trading = this.#hasPhases ? this.#trading : [ALWAYS];
    const downs = trading.slice(1).map((next, index) => ({ from: trading[index]?.to ?? next.from, to: next.from }));
    const [stops, rateMoves] = [this.#stops, this.#rates.slice(1).map(({ from }) => from)];
    const [olderLimits, codes, balances] = [this.#olderLimits, this.#codes, this.#balances];
    return { trading, downs, stops, rateMoves, olderLimits, codes, balances };
  }

  #note(at: number, record: JournalRecord): void {
    switch (record.kind) {
      case 'started':
        this.#measures(at, record);
        for (const { name, sha256 } of record.strategies) this.#code(name, sha256);
        return this.#stopTrading(this.#lastAt);
      case 'strategyLoaded':
        return this.#code(record.strategy, record.sha256);
      case 'phase':
        this.#hasPhases = true;
        if (record.to === 'trading') this.#trading.push({ from: at, to: Number.POSITIVE_INFINITY });
        else if (record.from === 'trading') this.#stopTrading(record.unaskedSince ?? at);
        return;
      case 'trading':
        return this.#stop('trading', record.to !== 'running', { at, why: `trading is ${record.to}: ${record.cause}` });
      case 'heartbeat':
        return this.#stop('heartbeat', record.to !== 'active', {
          at,
          why: `the heartbeat is ${record.to}: ${record.cause}`,
        });
      case 'marketRisk': {
        const { market, isOff, cause, dark } = record;
        return this.#stop(`${dark === undefined ? 'market' : 'dark'} ${market}`, isOff, {
          at,
          market,
          why: `no orders on the market: ${cause}`,
        });
      }
      case 'freshness': {
        const { feed, market, wallet, isLate, ageMs } = record;
        if (wallet !== undefined) {
          const why = `no orders from wallet ${wallet}, which could not be read for ${ageMs} ms`;
          return this.#stop(`wallet ${wallet}`, isLate, { at, wallet, why });
        }
        const of = market === undefined ? {} : { market };
        const why = `${feed} were ${ageMs} ms old`;
        return this.#stop(`freshness ${feed} ${market ?? ''}`, isLate, { at, ...of, isFreshness: true, why });
      }
      case 'strategyHalted': {
        const { strategy, code } = record;
        return this.#stop(`strategy ${strategy}`, true, { at, strategy, why: `the strategy was halted: ${code}` });
      }
      case 'limits': {
        const limit = record.limits[RATE_LIMIT];
        if (this.#rates.length === 0 || this.#rates.at(-1)?.limit !== limit) this.#rates.push({ from: at, limit });
        return;
      }
      case 'wallet':
        if (!this.#balances.has(record.wallet)) this.#balances.set(record.wallet, record.balance);
    }
  }

  #measures(at: number, { version, limitsOn }: Extract<JournalRecord, { kind: 'started' }>): void {
    const last = this.#olderLimits.at(-1);
    if (last?.to === Number.POSITIVE_INFINITY) last.to = at;
    if (limitsOn === undefined) this.#olderLimits.push({ from: at, to: Number.POSITIVE_INFINITY, version });
  }

  #stopTrading(at: number): void {
    const last = this.#trading.at(-1);
    if (last?.to === Number.POSITIVE_INFINITY) last.to = at;
  }

  #stop(
    key: string,
    isOn: boolean,
    { at, ...of }: Omit<Stop, 'from' | 'to'> & { readonly at: number; readonly wallet?: string },
  ): void {
    const open = this.#openStops.get(key);
    if (open !== undefined) open.to = at;
    this.#openStops.delete(key);
    if (!isOn) return;
    const stop = { ...of, from: at, to: Number.POSITIVE_INFINITY };
    this.#openStops.set(key, stop);
    this.#stops.push(stop);
  }

  #code(strategy: string, sha256: string): void {
    const known = this.#codes.get(strategy) ?? new Set<string>();
    this.#codes.set(strategy, known.add(sha256));
  }
}

/** Lets a replay call its strategies only while the run did, and all of them at the beginning of each span, as the run's supervisor does. */
export class TradingTimes implements EngineSupervisor {
  isTrading = false;
  readonly #spans: readonly Span[];
  readonly #ledger: Ledger;
  readonly #acts: RunActs;
  readonly #limits: Limits;
  readonly #log: NoteLog;
  readonly #isPaper: boolean;
  readonly #wallets: readonly string[];
  #next = 0;
  #nextAct = 0;

  constructor(parts: {
    readonly spans: readonly Span[];
    readonly ledger: Ledger;
    readonly acts: RunActs;
    readonly limits: Limits;
    readonly log: NoteLog;
    readonly isPaper: boolean;
    /** Names by index. */
    readonly wallets: readonly string[];
  }) {
    this.#spans = parts.spans;
    this.#ledger = parts.ledger;
    this.#acts = parts.acts;
    this.#limits = parts.limits;
    this.#log = parts.log;
    this.#isPaper = parts.isPaper;
    this.#wallets = parts.wallets;
  }

  /** Steps come in the order of time, and there is one at the beginning of each span. */
  beforeDecisions(_input: Input, step: Step): void {
    this.#redo(step);
    while ((this.#spans[this.#next]?.to ?? Number.POSITIVE_INFINITY) < step.at) {
      this.#next += 1;
      this.isTrading = false;
    }
    const from = this.#spans[this.#next]?.from ?? Number.POSITIVE_INFINITY;
    if (this.isTrading || step.at < from) return;
    this.isTrading = true;
    if (step.at > from) return;
    for (const entry of this.#ledger.marketEntries())
      for (const inMarket of entry.watchers) step.call(inMarket, 'status');
  }

  #redo(step: Step): void {
    for (
      let act = this.#acts[this.#nextAct];
      act !== undefined && this.#isDue(act, step);
      act = this.#acts[this.#nextAct]
    ) {
      const parts = { ledger: this.#ledger, limits: this.#limits, log: this.#log, wallets: this.#wallets };
      redo(act, { ...parts, step });
      this.#nextAct += 1;
    }
  }

  /** A limit stops a paper run in the middle of an instant, with the result that reaches it: what came before that in the instant was judged without it. */
  #isDue({ at, record }: RunRecord, step: Step): boolean {
    if (at !== step.at) return at < step.at;
    const isOfResult = this.#isPaper && record.kind === 'trading' && record.by === BY_DRAWDOWN;
    return !isOfResult || this.#ledger.risk.evaluate() !== undefined;
  }

  mayLeave(): boolean {
    return true;
  }

  commit(): void {}
}
