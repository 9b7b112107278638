/** Records of a run written by hand: a decision, what is sent of it, and what becomes of that. */

import type { Intent } from '../../../src/core/intent.ts';
import { money } from '../../../src/core/number/units.ts';
import type { JournalRecord, TimedRecord } from '../../../src/core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../../src/core/run/kept-order.ts';

export const START = Date.UTC(2026, 10, 20, 12);
const UNIT = 1_000_000;

type Refused = Extract<JournalRecord, { kind: 'refused' }>;

export interface Quote {
  /** Tick of the ladder. */
  readonly tick?: number;
  readonly side?: 'For' | 'Against';
  readonly matchBehavior?: SentOrder['matchBehavior'];
  readonly strategy?: string;
  readonly market?: string;
}

/** Times are ms after the start. Orders are numbered in the order of their sending, as a run does. */
export class MadeRun {
  readonly records: TimedRecord[] = [];
  #clients = 0;

  add(at: number, record: JournalRecord): this {
    this.records.push({ at: START + at, record });
    return this;
  }

  /** Decides one order and sends it; its number. */
  order(at: number, quote: Quote = {}, why = 'prices'): number {
    this.decides(at, [quote], why);
    return this.sent(at, quote);
  }

  /** Sends an order that was decided before; its number. */
  sent(at: number, quote: Quote = {}): number {
    const terms = this.#terms(quote);
    this.#clients += 1;
    this.add(at, { kind: 'sent', ...terms });
    return terms.client;
  }

  /** Decides one order, which is refused. */
  refused(at: number, code: Refused['code'], quote: Quote = {}, figures: Partial<Refused> = {}, why = 'prices'): this {
    return this.decides(at, [quote], why).refusedOf(at, code, quote, figures);
  }

  /** Refuses an order that was decided before. */
  refusedOf(at: number, code: Refused['code'], quote: Quote, figures: Partial<Refused> = {}): this {
    const { strategy, market } = this.#terms(quote);
    return this.add(at, { kind: 'refused', strategy, market, code, ...figures });
  }

  /** Decides orders of one strategy and market. */
  decides(at: number, quotes: readonly Quote[], why = 'prices'): this {
    const intents = quotes.map((quote): Intent => {
      const { tick, market, outcome, side, matchBehavior } = this.#terms(quote);
      return { kind: 'place', market, outcome, side, price: 1 + (tick + 1) / 100, stake: 2, matchBehavior };
    });
    const { strategy, market } = this.#terms(quotes[0] ?? {});
    return this.add(at, { kind: 'decided', strategy, market, why, intents });
  }

  report(at: number, client: number, matched = 0, more: Partial<ReportedOrder> = {}): this {
    const stakeMatched = money(matched * UNIT);
    return this.add(at, {
      ...{ kind: 'reported', client, order: 1_000 + client, stakeMatched, winningsMatched: stakeMatched },
      ...{ status: matched === 2 ? 'Matched' : matched > 0 ? 'PartiallyMatched' : 'Unmatched' },
      ...{ stakeUnmatched: money((2 - matched) * UNIT), stakeVoided: money(0), at: START + at },
      ...more,
    });
  }

  /** An order of another program counts as the run's own. */
  adopted(at: number, quote: Quote = {}): this {
    const terms = this.#terms(quote);
    this.#clients += 1;
    return this.add(at, { kind: 'adopted', ...terms, order: 9_000 + terms.client });
  }

  cancel(at: number, client: number): this {
    return this.add(at, { kind: 'cancelSent', client });
  }

  /** Of the next order. */
  #terms({
    tick = 50,
    side = 'For',
    matchBehavior = 'RetainUnmatched',
    strategy = 's',
    market = 'm',
  }: Quote): SentOrder {
    return {
      ...{
        client: this.#clients + 1,
        strategy,
        wallet: 'main',
        market,
        marketName: market,
        outcome: 'o',
        outcomeTitle: 'O',
      },
      ...{ side, tick, stake: money(2 * UNIT), keepWhenInPlay: false, matchBehavior },
    };
  }
}
