/** Puts each step of a run into its journal, by the exchange's ids and the configuration's names. */

import type { Intent } from '../../core/intent.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Money } from '../../core/number/units.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Journal, JournalRecord } from '../../core/run/journal.ts';
import type { SentOrder } from '../../core/run/kept-order.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { Why } from '../../strategy/contract.ts';
import type { OrderTerms, OwnOrder } from '../ledger/own-order.ts';
import { type RunNames, strategyName, walletName } from '../ledger/run-names.ts';
import { type RepeatedRefusal, RepeatedRefusals } from './repeated-refusals.ts';
import type { NoteLog, RunLog, RunNote, StrategyHalt } from './run-log.ts';

export interface JournalLogParts {
  readonly journal: Journal;
  readonly names: RunNames;
  /** Hears every record, also of what is only counted: for the log and the metrics. */
  readonly tell: (at: number, record: JournalRecord) => void;
}

export class JournalLog implements RunLog, NoteLog {
  readonly #parts: JournalLogParts;
  /** By the port's index: a strategy may speak of a market that was closed meanwhile. */
  readonly #marketIds: string[] = [];
  readonly #eventNames: string[] = [];
  readonly #repeated = new RepeatedRefusals();
  /** Decisions that are not kept yet: where all of one is refused as before, it says nothing new either. */
  #held: HeldDecision[] = [];

  constructor(parts: JournalLogParts) {
    this.#parts = parts;
  }

  /** Prices are on the tape, not in the journal. */
  update(_at: number, market: MarketState): void {
    this.#marketIds[market.index] ??= market.facts.id;
    this.#eventNames[market.index] = market.facts.eventName;
  }

  decision(at: number, strategy: number, market: number, why: Why, intents: readonly Intent[]): void {
    if (this.#held.some((held) => held.at !== at)) this.#keepHeld();
    const names = { strategy: this.#strategy(strategy), market: this.#market(market) };
    const record = { kind: 'decided', ...names, why, intents } as const;
    this.#held.push({ at, record, left: intents.length });
    this.#parts.tell(at, record);
  }

  refused(at: number, strategy: number, market: number, refusal: Refusal): void {
    const names = { strategy: this.#strategy(strategy), market: this.#market(market) };
    const record = { ...refusal, kind: 'refused', ...names } as const;
    const times = this.#repeated.times(at, record);
    if (times !== undefined) return this.noted(at, times === 1 ? record : { ...record, times });
    const held = this.#held.find(({ record: decided, left }) => left > 0 && isOf(decided, names));
    if (held !== undefined) held.left -= 1;
    this.#parts.tell(at, record);
  }

  sent(at: number, order: OwnOrder): void {
    const eventName = this.#eventNames[order.terms.market] ?? '';
    this.noted(at, { kind: 'sent', eventName, ...keptTerms(order.terms, this.#parts.names) });
  }

  cancelSent(at: number, order: OwnOrder): void {
    this.noted(at, { kind: 'cancelSent', client: order.id });
  }

  rejected(at: number, order: OwnOrder, code: string): void {
    this.noted(at, { kind: 'rejected', client: order.id, code });
  }

  unknown(at: number, order: OwnOrder, code: string): void {
    this.noted(at, { kind: 'unknown', client: order.id, code });
  }

  reported(at: number, _order: OwnOrder, report: OrderReport): void {
    this.noted(at, { ...report, kind: 'reported' });
  }

  reappeared(at: number, { isAbsent }: OwnOrder, { client, order }: OrderReport): void {
    this.noted(at, { kind: 'reappeared', client, order, ...(!isAbsent && { hadEnded: true }) });
  }

  settled(at: number, market: MarketState, wallet: number, profit: Money, commission: Money): void {
    const name = walletName(this.#parts.names, wallet);
    this.noted(at, { kind: 'settled', market: market.facts.id, wallet: name, profit, commission });
  }

  halted(at: number, { strategy, code, details }: StrategyHalt): void {
    this.noted(at, { kind: 'strategyHalted', strategy: this.#strategy(strategy), code, details });
  }

  noted(at: number, record: RunNote | JournalRecord): void {
    if (this.#held.length > 0) this.#keepHeld();
    if (record.kind === 'trading') this.#repeated.forget();
    this.#parts.journal.append(at, record);
    this.#parts.tell(at, record);
  }

  #keepHeld(): void {
    for (const { at, record, left } of this.#held) if (left > 0) this.#parts.journal.append(at, record);
    this.#held = [];
  }

  #market(index: number): string {
    return this.#marketIds[index] ?? String(index);
  }

  #strategy(index: number): string {
    return strategyName(this.#parts.names, index);
  }
}

interface HeldDecision {
  readonly at: number;
  readonly record: Extract<JournalRecord, { readonly kind: 'decided' }>;
  /** Intents of it that were not refused as so often before. */
  left: number;
}

function isOf(decided: HeldDecision['record'], { strategy, market }: Pick<RepeatedRefusal, 'strategy' | 'market'>) {
  return decided.strategy === strategy && decided.market === market;
}

/** An order's terms by names, as they are kept. */
export function keptTerms(terms: OrderTerms, names: RunNames): SentOrder {
  const { client, marketId, marketName, outcomeId, outcomeTitle, side, tick, stake } = terms;
  return {
    client,
    strategy: strategyName(names, terms.strategy),
    wallet: walletName(names, terms.wallet),
    market: marketId,
    marketName,
    outcome: outcomeId,
    outcomeTitle,
    side,
    tick,
    stake,
    keepWhenInPlay: terms.keepWhenInPlay,
    matchBehavior: terms.matchBehavior,
  };
}
