/** Writes each event of a run into its journal, by the exchange's ids and the configuration's names. */

import type { MarketState } from '../../core/market-state.ts';
import type { Journal, JournalRecord } from '../../core/run/journal.ts';
import type { SentOrder } from '../../core/run/kept-order.ts';
import type { OrderTerms } from '../ledger/own-order.ts';
import { type RunNames, strategyName, walletName } from '../ledger/run-names.ts';
import { RepeatedRefusals } from './repeated-refusals.ts';
import type { EventOf, NoteLog, RunEvent, RunLog, RunNote } from './run-log.ts';

export interface JournalLogParts {
  readonly journal: Journal;
  readonly names: RunNames;
  /** Called with every record, also with refusals that the journal only counts: for the run's log and metrics. */
  readonly onRecord: (at: number, record: JournalRecord) => void;
  /** Called with each value that a strategy plots, which no journal keeps. */
  readonly onPlotted?: ((point: PlottedPoint) => void) | undefined;
}

/** A value that a strategy plotted, with names for indexes; NaN where its line ends. */
export interface PlottedPoint {
  readonly at: number;
  readonly strategy: string;
  readonly marketId: string;
  readonly name: string;
  readonly value: number;
}

export class JournalLog implements RunLog, NoteLog {
  readonly #parts: JournalLogParts;
  /** The ids of markets, by the market's index. An id is kept after a market is closed, since a strategy may still name it. */
  readonly #marketIds: string[] = [];
  readonly #eventNames: string[] = [];
  readonly #repeated: RepeatedRefusals;

  constructor(parts: JournalLogParts) {
    this.#parts = parts;
    this.#repeated = new RepeatedRefusals((at, record) => parts.journal.append(at, record));
  }

  /** Prices are on the tape, not in the journal: only the market's names are kept, for the records to come. */
  logUpdate(_at: number, market: MarketState): void {
    this.#marketIds[market.index] ??= market.facts.id;
    this.#eventNames[market.index] = market.facts.eventName;
  }

  logEvent(event: RunEvent): void {
    const { at } = event;
    switch (event.kind) {
      case 'decided':
        return this.#decided(event);
      case 'refused':
        return this.#refused(event);
      case 'sent': {
        const { order } = event;
        const eventName = this.#eventNames[order.terms.market] ?? '';
        return this.noted(at, { kind: 'sent', eventName, ...keptTerms(order.terms, this.#parts.names) });
      }
      case 'cancelSent':
        return this.noted(at, { kind: 'cancelSent', client: event.order.id });
      case 'reduceSent':
        return this.noted(at, { kind: 'reduceSent', client: event.order.id, stake: event.stake });
      case 'rejected':
      case 'unknown':
        return this.noted(at, { kind: event.kind, client: event.order.id, code: event.code });
      case 'reported':
        return this.noted(at, { ...event.report, kind: 'reported' });
      case 'reappeared': {
        const { client, order } = event.report;
        return this.noted(at, { kind: 'reappeared', client, order, ...(!event.order.isAbsent && { hadEnded: true }) });
      }
      case 'settled': {
        const { market, profit, commission } = event;
        const wallet = walletName(this.#parts.names, event.wallet);
        return this.noted(at, { kind: 'settled', market: market.facts.id, wallet, profit, commission });
      }
      case 'halted': {
        const { strategy, code, details } = event.halt;
        return this.noted(at, { kind: 'strategyHalted', strategy: this.#strategy(strategy), code, details });
      }
      case 'plotted': {
        const { strategy, market, name, value } = event;
        const names = { strategy: this.#strategy(strategy), marketId: this.#market(market) };
        return this.#parts.onPlotted?.({ at, ...names, name, value });
      }
    }
  }

  #decided({ at, strategy, market, why, intents }: EventOf<'decided'>): void {
    const names = { strategy: this.#strategy(strategy), market: this.#market(market) };
    const record = { kind: 'decided', ...names, why, intents } as const;
    this.#repeated.decided(at, record);
    this.#parts.onRecord(at, record);
  }

  #refused({ at, strategy, market, refusal }: EventOf<'refused'>): void {
    const names = { strategy: this.#strategy(strategy), market: this.#market(market) };
    const record = { ...refusal, kind: 'refused', ...names } as const;
    this.#parts.onRecord(at, this.#repeated.refused(at, record) ?? record);
  }

  noted(at: number, record: RunNote | JournalRecord): void {
    this.#repeated.other(at, record);
    this.#parts.onRecord(at, record);
  }

  #market(index: number): string {
    return this.#marketIds[index] ?? String(index);
  }

  #strategy(index: number): string {
    return strategyName(this.#parts.names, index);
  }
}

/** An order's terms as the journal keeps them: strategy, wallet and market by name instead of index. */
export function keptTerms(terms: OrderTerms, names: RunNames): SentOrder {
  const { client, marketId, marketName, eventId, outcomeId, outcomeTitle, side, tick, stake } = terms;
  return {
    client,
    strategy: strategyName(names, terms.strategy),
    wallet: walletName(names, terms.wallet),
    market: marketId,
    marketName,
    event: eventId,
    outcome: outcomeId,
    outcomeTitle,
    side,
    tick,
    stake,
    keepWhenInPlay: terms.keepWhenInPlay,
    matchBehavior: terms.matchBehavior,
    // Undefined is left out of the journal: records of orders without a note are as they were.
    note: terms.note,
  };
}
