/** Opens and ends the windows of markets at their time, and hides markets from the bot before. */

import type { MarketCause } from '../../exchange/gateway.ts';
import type { SimulatedClock } from '../../time/simulated-clock.ts';
import { MarketWindow, type WindowRule } from '../replay/market-window.ts';
import type { ReplayMarket } from '../replay/replay-market.ts';

export interface MarketWindowsParts {
  readonly clock: SimulatedClock;
  /** Absent: every market is shown from its first update to its end. */
  readonly rule: WindowRule | undefined;
  /** Whether the market is there still. */
  readonly isOpen: (market: ReplayMarket) => boolean;
  /** Shows a market whose window opened or ended by itself. */
  readonly show: (market: ReplayMarket, cause: MarketCause) => void;
}

export class MarketWindows {
  readonly #parts: MarketWindowsParts;

  constructor(parts: MarketWindowsParts) {
    this.#parts = parts;
  }

  /** Hides a new market until its window opens. */
  begin(market: ReplayMarket): void {
    const { rule } = this.#parts;
    if (rule === undefined) return;
    market.window = new MarketWindow(rule);
    market.isHidden = true;
  }

  /** After a market's first update, or a definition: what the bot is told if its window opens or ends with that. */
  changed(market: ReplayMarket, at: number): MarketCause | undefined {
    const { window } = market;
    if (window === undefined) return undefined;
    const { definition } = market.played;
    if (definition !== undefined) window.define(definition, market.updatedAt);
    const cause = move(market, window, at);
    this.#watch(market, window);
    return cause;
  }

  /** A window opens and ends at its time, and not with the next update. */
  #watch(market: ReplayMarket, window: MarketWindow): void {
    const { clock, isOpen, show } = this.#parts;
    const due = window.dueAt;
    if (due === Number.POSITIVE_INFINITY) return;
    clock.at(due, () => {
      if (!isOpen(market)) return;
      const cause = move(market, window, clock.now());
      if (cause === undefined) return;
      show(market, cause);
      this.#watch(market, window);
    });
  }
}

/** A market that ended before its window opened, or whose recording did, is not shown any more. */
function move(market: ReplayMarket, window: MarketWindow, at: number): MarketCause | undefined {
  if (market.isHidden && (market.played.hasEnded || market.isCutOff)) window.state = 'over';
  const moved = window.moveTo(at);
  if (moved !== 'opened') return moved === 'ended' ? 'windowEnds' : undefined;
  market.isHidden = false;
  return 'listed';
}
