/** What happens to Betfair's markets alone: matched bets become void, runners are withdrawn, also late, and a goal lapses what rests. */

import type { Random } from '../../../../src/core/number/random.ts';
import { instant } from '../../../../src/core/number/units.ts';
import type { MarketView } from '../../../../src/matching/state/views.ts';
import type { OwnMoves } from '../market-life.ts';
import type { Story } from '../story.ts';
import type { FaceExchange } from './face-exchange.ts';

interface MovedMarket {
  readonly market: number;
  readonly outcomes: number;
  readonly winnersMax: number;
}

export class FaceMoves implements OwnMoves {
  readonly #exchange: FaceExchange;
  readonly #random: Random;
  readonly #story: Story;

  constructor(parts: { readonly exchange: FaceExchange; readonly random: Random; readonly story: Story }) {
    this.#exchange = parts.exchange;
    this.#random = parts.random;
    this.#story = parts.story;
  }

  change(living: MovedMarket, view: MarketView): boolean {
    const luck = this.#random.uniform();
    switch (view.status) {
      case 'Open':
        if (luck < 0.12) return this.#voidTrades(living.market);
        if (luck < 0.24) return this.#withdraw(living, view, 'market runner withdrawn');
        return luck < 0.34 && !view.suspended && this.#goal(living.market);
      case 'Locked':
        return luck < 0.1 && this.#voidTrades(living.market);
      case 'Settled':
        return luck < 0.25 && this.#withdraw(living, view, 'market runner withdrawn after the result');
      default:
        return false;
    }
  }

  #voidTrades(market: number): boolean {
    const to = this.#exchange.in(0);
    const from = instant(to - 500 - this.#random.below(10_000));
    const events = this.#exchange.command({ kind: 'voidTrades', market, from, to });
    const isDone = events !== undefined && events.length > 0;
    if (isDone) this.#story.count('market trades void');
    return isDone;
  }

  #withdraw({ market, outcomes, winnersMax }: MovedMarket, { removed }: MarketView, what: string): boolean {
    if (outcomes - removed.length <= winnersMax + 1) return false;
    const outcome = this.#random.below(outcomes);
    const basis = winnersMax > 1 ? 'place' : 'win';
    const factorPpm = this.#random.below(450_000);
    const isDone = this.#exchange.command({ kind: 'removeOutcome', market, outcome, factorPpm, basis }) !== undefined;
    if (isDone) this.#story.count(what);
    return isDone;
  }

  #goal(market: number): boolean {
    this.#exchange.command({ kind: 'voidResting', market });
    this.#exchange.command({ kind: 'suspend', market, suspended: true });
    this.#story.count('market goal');
    return true;
  }
}
