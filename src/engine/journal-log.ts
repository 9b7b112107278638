/** Puts each step of a run into its journal, by the exchange's ids and the configuration's names. */

import type { Intent } from '../core/intent.ts';
import type { Journal, JournalRecord } from '../core/journal.ts';
import type { SentOrder } from '../core/kept-order.ts';
import type { MarketState } from '../core/market-state.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Money } from '../core/units.ts';
import type { OrderReport } from '../exchange/gateway.ts';
import type { Why } from '../strategy/contract.ts';
import type { OrderTerms, OwnOrder } from './own-order.ts';
import type { NoteLog, RunLog, RunNote, StrategyHalt } from './run-log.ts';
import { type RunNames, strategyName, walletName } from './run-names.ts';

export interface JournalLogParts {
  readonly journal: Journal;
  readonly names: RunNames;
  /** Hears every record, after it was appended: for the log and the metrics. */
  readonly tell: (at: number, record: JournalRecord) => void;
}

export class JournalLog implements RunLog, NoteLog {
  readonly #parts: JournalLogParts;
  /** By the port's index: a strategy may speak of a market that was closed meanwhile. */
  readonly #marketIds: string[] = [];

  constructor(parts: JournalLogParts) {
    this.#parts = parts;
  }

  /** Prices are on the tape, not in the journal. */
  update(_at: number, market: MarketState): void {
    this.#marketIds[market.index] ??= market.facts.id;
  }

  decision(at: number, strategy: number, market: number, why: Why, intents: readonly Intent[]): void {
    this.noted(at, { kind: 'decided', strategy: this.#strategy(strategy), market: this.#market(market), why, intents });
  }

  refused(at: number, strategy: number, market: number, refusal: Refusal): void {
    this.noted(at, { ...refusal, kind: 'refused', strategy: this.#strategy(strategy), market: this.#market(market) });
  }

  sent(at: number, order: OwnOrder): void {
    this.noted(at, { kind: 'sent', ...keptTerms(order.terms, this.#parts.names) });
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
    this.#parts.journal.append(at, record);
    this.#parts.tell(at, record);
  }

  #market(index: number): string {
    return this.#marketIds[index] ?? String(index);
  }

  #strategy(index: number): string {
    return strategyName(this.#parts.names, index);
  }
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
