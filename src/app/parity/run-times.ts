/** Reads from a run's journal when it traded, when it was down, and when something stopped its orders. */

import type { TimedRecord } from '../../core/run/journal.ts';
import { BY_DRAWDOWN } from '../../core/run/risk-memory.ts';
import type { EngineSupervisor } from '../../engine/engine.ts';
import type { Ledger } from '../../engine/ledger/ledger.ts';
import type { Input, Step } from '../../engine/ledger/step.ts';
import type { NoteLog } from '../../engine/log/run-log.ts';
import { type EventOf, type HistoryEvent, isTradingMove, liftsHalt } from '../../journal/history/fold.ts';
import { historyOf, type TimedEvent } from '../../journal/history/read-history.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import type { Span, Stop } from './evidence.ts';
import { type RunActs, redo } from './run-acts.ts';

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

/** The journal's name of the limit. */
const RATE_LIMIT: keyof Limits = 'ordersPerSecond';

const ALWAYS: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

export function runTimes(records: Iterable<TimedRecord>): RunTimes {
  const reader = new Reader();
  for (const each of historyOf(records)) reader.add(each);
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

  add({ at, event }: TimedEvent): void {
    this.#note(at, event);
    this.#lastAt = at;
  }

  times(): RunTimes {
    const trading = this.#hasPhases ? this.#trading : [ALWAYS];
    const downs = trading.slice(1).map((next, index) => ({ from: trading[index]?.to ?? next.from, to: next.from }));
    const [stops, rateMoves] = [this.#stops, this.#rates.slice(1).map(({ from }) => from)];
    const [olderLimits, codes, balances] = [this.#olderLimits, this.#codes, this.#balances];
    return { trading, downs, stops, rateMoves, olderLimits, codes, balances };
  }

  #note(at: number, event: HistoryEvent): void {
    switch (event.kind) {
      case 'started':
        this.#measures(at, event);
        for (const { name, sha256 } of event.strategies) this.#code(name, sha256);
        return endLast(this.#trading, this.#lastAt);
      case 'strategyLoaded':
        if (liftsHalt(event)) this.#end(`strategy ${event.strategy}`, at);
        return this.#code(event.strategy, event.sha256);
      case 'phase':
        this.#hasPhases = true;
        if (event.to === 'trading') this.#trading.push({ from: at, to: Number.POSITIVE_INFINITY });
        else if (event.from === 'trading') endLast(this.#trading, event.unaskedSince ?? at);
        return;
      case 'trading':
        if (!isTradingMove(event)) return;
        if (liftsHalt(event)) this.#endOfStrategies(at);
        return this.#stop('trading', event.to !== 'running', { at, why: `trading is ${event.to}: ${event.cause}` });
      case 'heartbeat':
        return this.#stop('heartbeat', event.to !== 'active', {
          at,
          why: `the heartbeat is ${event.to}: ${event.cause}`,
        });
      case 'marketRisk': {
        const { market, isOff, cause, dark } = event;
        return this.#stop(`${dark === undefined ? 'market' : 'dark'} ${market}`, isOff, {
          at,
          market,
          why: `no orders on the market: ${cause}`,
        });
      }
      case 'freshness': {
        const { feed, market, wallet, isLate, ageMs } = event;
        if (wallet !== undefined) {
          const why = `no orders from wallet ${wallet}, which could not be read for ${ageMs} ms`;
          return this.#stop(`wallet ${wallet}`, isLate, { at, wallet, why });
        }
        const of = market === undefined ? {} : { market };
        const why = `${feed} were ${ageMs} ms old`;
        return this.#stop(`freshness ${feed} ${market ?? ''}`, isLate, { at, ...of, isFreshness: true, why });
      }
      case 'strategyHalted': {
        const { strategy, code } = event;
        return this.#stop(`strategy ${strategy}`, true, { at, strategy, why: `the strategy was halted: ${code}` });
      }
      case 'limits': {
        const limit = event.limits[RATE_LIMIT];
        if (this.#rates.length === 0 || this.#rates.at(-1)?.limit !== limit) this.#rates.push({ from: at, limit });
        return;
      }
      case 'wallet':
        if (!this.#balances.has(event.wallet)) this.#balances.set(event.wallet, event.balance);
    }
  }

  #measures(at: number, { version, limitsOn }: EventOf<'started'>): void {
    endLast(this.#olderLimits, at);
    if (limitsOn === undefined) this.#olderLimits.push({ from: at, to: Number.POSITIVE_INFINITY, version });
  }

  #stop(
    key: string,
    isOn: boolean,
    { at, ...of }: Omit<Stop, 'from' | 'to'> & { readonly at: number; readonly wallet?: string },
  ): void {
    this.#end(key, at);
    if (!isOn) return;
    const stop = { ...of, from: at, to: Number.POSITIVE_INFINITY };
    this.#openStops.set(key, stop);
    this.#stops.push(stop);
  }

  #end(key: string, at: number): void {
    const open = this.#openStops.get(key);
    if (open !== undefined) open.to = at;
    this.#openStops.delete(key);
  }

  #endOfStrategies(at: number): void {
    for (const [key, { strategy }] of this.#openStops) if (strategy !== undefined) this.#end(key, at);
  }

  #code(strategy: string, sha256: string): void {
    const known = this.#codes.get(strategy) ?? new Set<string>();
    this.#codes.set(strategy, known.add(sha256));
  }
}

function endLast(spans: readonly { to: number }[], at: number): void {
  const last = spans.at(-1);
  if (last?.to === Number.POSITIVE_INFINITY) last.to = at;
}

interface TradingParts {
  readonly spans: readonly Span[];
  readonly ledger: Ledger;
  readonly acts: RunActs;
  readonly limits: Limits;
  readonly log: NoteLog;
  readonly isPaper: boolean;
  /** Names by index. */
  readonly wallets: readonly string[];
}

/** Lets a replay call its strategies only while the run did, and all of them at the beginning of each span, as the run's supervisor does. */
export class TradingTimes implements EngineSupervisor {
  isTrading = false;
  readonly #parts: TradingParts;
  #next = 0;
  #nextAct = 0;

  constructor(parts: TradingParts) {
    this.#parts = parts;
  }

  /** Steps come in the order of time, and there is one at the beginning of each span. */
  beforeDecisions(_input: Input, step: Step): void {
    this.#redo(step);
    const { spans, ledger } = this.#parts;
    while ((spans[this.#next]?.to ?? Number.POSITIVE_INFINITY) < step.at) {
      this.#next += 1;
      this.isTrading = false;
    }
    const from = spans[this.#next]?.from ?? Number.POSITIVE_INFINITY;
    if (this.isTrading || step.at < from) return;
    this.isTrading = true;
    if (step.at > from) return;
    for (const entry of ledger.marketEntries()) for (const inMarket of entry.watchers) step.call(inMarket, 'status');
  }

  #redo(step: Step): void {
    const { acts } = this.#parts;
    for (let act = acts[this.#nextAct]; act !== undefined && this.#isDue(act, step); act = acts[this.#nextAct]) {
      redo(act, { ...this.#parts, step });
      this.#nextAct += 1;
    }
  }

  /** A limit stops a paper run in the middle of an instant, with the result that reaches it: what came before that in the instant was judged without it. */
  #isDue({ at, event }: TimedEvent, step: Step): boolean {
    if (at !== step.at) return at < step.at;
    const isOfResult = this.#parts.isPaper && event.kind === 'trading' && event.by === BY_DRAWDOWN;
    return !isOfResult || this.#parts.ledger.risk.evaluate() !== undefined;
  }

  mayLeave(): boolean {
    return true;
  }

  commit(): void {}
}
