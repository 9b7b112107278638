/** Records of a run written by hand: a decision, what is sent of it, and what becomes of that. */

import type { RunRecord } from '../../../src/app/parity/step-sequence.ts';
import type { Intent } from '../../../src/core/intent.ts';
import { money } from '../../../src/core/number/units.ts';
import type { JournalRecord } from '../../../src/core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../../src/core/run/kept-order.ts';

export const START = Date.UTC(2026, 10, 20, 12);
const UNIT = 1_000_000;

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
  readonly records: RunRecord[] = [];
  #clients = 0;

  add(at: number, record: JournalRecord): this {
    this.records.push({ at: START + at, record });
    return this;
  }

  /** Decides one order and sends it; its number. */
  order(at: number, quote: Quote = {}, why = 'prices'): number {
    const terms = this.#terms(quote);
    const { strategy, market, outcome, side, matchBehavior } = terms;
    const price = 1 + (terms.tick + 1) / 100;
    const intent: Intent = { kind: 'place', market, outcome, side, price, stake: 2, matchBehavior };
    this.add(at, { kind: 'decided', strategy, market, why, intents: [intent] });
    this.add(at, { kind: 'sent', ...terms });
    return terms.client;
  }

  /** Decides one order, which is refused. */
  refused(at: number, code: Extract<JournalRecord, { kind: 'refused' }>['code'], quote: Quote = {}): this {
    const { strategy, market, outcome, side } = this.#terms(quote);
    this.#clients -= 1;
    const price = 1 + ((quote.tick ?? 50) + 1) / 100;
    const matchBehavior = quote.matchBehavior ?? 'RetainUnmatched';
    const intents: Intent[] = [{ kind: 'place', market, outcome, side, price, stake: 2, matchBehavior }];
    this.add(at, { kind: 'decided', strategy, market, why: 'prices', intents });
    return this.add(at, { kind: 'refused', strategy, market, code });
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

  cancel(at: number, client: number): this {
    return this.add(at, { kind: 'cancelSent', client });
  }

  #terms({
    tick = 50,
    side = 'For',
    matchBehavior = 'RetainUnmatched',
    strategy = 's',
    market = 'm',
  }: Quote): SentOrder {
    this.#clients += 1;
    return {
      ...{
        client: this.#clients,
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
