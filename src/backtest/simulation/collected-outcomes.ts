/** What is kept of a market's outcomes at its end: who won, the starting prices and the close. Plain data, which may be sent between threads. */

import type { Instant } from '../../core/number/units.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import type { PlayedMarket } from '../../simulator/replay/played-market.ts';
import type { PreOffPrices } from '../../simulator/replay/pre-off-prices.ts';

export interface CollectedOutcome {
  readonly id: string;
  readonly title: string;
  readonly result: 'Winner' | 'Loser' | 'Removed' | undefined;
  /** The part of a bet that was paid as won; undefined where bets on it were void. */
  readonly winShare: number | undefined;
  readonly startingPrice: number | undefined;
}

export interface CollectedOutcomes {
  readonly startsAt: Instant | undefined;
  readonly inPlayAt: Instant | undefined;
  /** Whether orders waited in play, and its recording does not say which of them should. */
  readonly isDelayModelOpen: boolean;
  /** How many winners the market pays; 0 where its definition leaves that open. */
  readonly winnerCount: number;
  readonly outcomes: readonly CollectedOutcome[];
  /** Undefined where the recording does not show the close: it ends before, or begins in play. */
  readonly preOff: PreOffPrices | undefined;
}

/** The outcomes as they were replayed until now: a result or a name that the recording gives later is not there. */
export function collectedOutcomes(market: PlayedMarket): CollectedOutcomes {
  const { facts, definition, ending, removed, inPlayAt } = market;
  const shareOfWinner = ending?.status === 'Settled' ? winnersShare(ending) : undefined;
  // While a market may still turn in play, or trade again, it is not known which prices were the last.
  const isClosed = inPlayAt !== undefined || market.hasEnded;
  return {
    startsAt: facts.expectedStartTime,
    inPlayAt,
    isDelayModelOpen: inPlayAt !== undefined && inPlayAt >= MODELS_SINCE && hasOpenDelay(definition),
    winnerCount: (ending ?? definition)?.winnerCount ?? 1,
    outcomes: facts.outcomes.map(({ id, title }, outcome) => {
      const { startingPrice } = definition?.outcomes[outcome] ?? {};
      const named = { id, title, startingPrice };
      if (removed.has(outcome)) return { ...named, result: 'Removed', winShare: undefined };
      if (shareOfWinner === undefined) return { ...named, result: undefined, winShare: undefined };
      const isWinner = ending?.outcomes[outcome]?.status === 'Winner';
      return { ...named, result: isWinner ? 'Winner' : 'Loser', winShare: isWinner ? shareOfWinner : 0 };
    }),
    preOff: isClosed ? market.preOff : undefined,
  };
}

/** Betfair has had models of its delay since then, and its recordings say which. */
const MODELS_SINCE = Date.UTC(2025, 8, 4);

function hasOpenDelay(definition: RecordedDefinition | undefined): boolean {
  return definition !== undefined && definition.inPlayDelayMs > 0 && definition.inPlayDelayModels === undefined;
}

/** 1, or in a dead heat of k winners for w places w ÷ k. */
function winnersShare({ outcomes, winnerCount }: RecordedDefinition): number {
  const winners = outcomes.filter(({ status }) => status === 'Winner').length;
  return winnerCount > 0 && winners > winnerCount ? winnerCount / winners : 1;
}
