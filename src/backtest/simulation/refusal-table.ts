/** The refused intents of a simulation: the first of each code and of each market, and how many there were. */

import type { MarketFacts } from '../../core/market.ts';
import type { EventOf } from '../../engine/log/run-log.ts';
import {
  askedFor,
  FirstRefusals,
  type KeptRefusal,
  type RefusalRow,
  type RefusedIntents,
} from '../../result/figures/refusal-rows.ts';

interface RefusalNames {
  /** The facts of a market, by its index. */
  readonly factsOf: (market: number) => MarketFacts | undefined;
  /** The place of a strategy's order, by the order's number. */
  readonly orderOf: (order: number, strategy: number) => Pick<RefusalRow, 'outcomeId' | 'side'> | undefined;
}

export class RefusalTable {
  readonly #strategies: readonly string[];
  /** Strategies and markets by their indexes. */
  readonly #first = new FirstRefusals<number>();

  constructor(strategies: readonly string[]) {
    this.#strategies = strategies;
  }

  add(event: EventOf<'refused'>): void {
    this.#first.add(event);
  }

  kept(names: RefusalNames): RefusedIntents {
    return {
      rows: this.#first.kept.map((kept) => this.#row(kept, names)),
      byMarket: this.#first.byMarket((market) => names.factsOf(market)?.id ?? String(market)),
    };
  }

  #row({ first, lastAt, times }: KeptRefusal<number>, { factsOf, orderOf }: RefusalNames): RefusalRow {
    const { at, strategy, market, refusal, intent } = first;
    const { code, limit, value, wouldBe } = refusal;
    const facts = factsOf(market);
    const asked = askedFor(intent);
    const place = asked.order === undefined ? undefined : orderOf(asked.order, strategy);
    const outcomeId = place?.outcomeId ?? asked.outcomeId;
    return {
      ...asked,
      at,
      lastAt,
      times,
      strategy: this.#strategies[strategy] ?? '',
      marketId: facts?.id ?? String(market),
      code,
      outcomeId,
      outcomeTitle: facts?.outcomes.find(({ id }) => id === outcomeId)?.title,
      side: place?.side ?? asked.side,
      limit,
      value,
      wouldBe,
    };
  }
}
