/** What a result must say of how its markets were played and settled, where their recordings leave a doubt. */

import { isImported, type TapeMarket } from '../../recording/tape/tape-schema.ts';
import type { Notice } from '../../result/notices.ts';
import { count, plural } from '../../words/numbers.ts';
import type { CollectedMarket } from '../simulation/backtest-collector.ts';

export function settlementNotices(all: readonly CollectedMarket[]): readonly Notice[] {
  const settled = all.filter(
    ({ status, orders, winnerCount }) => status === 'Settled' && orders > 0 && winnerCount > 0,
  );
  return [...withoutWinner(settled), ...placesShared(settled)];
}

/**
 * The notices about recordings of an exchange whose delay has models. The definitions of some do not say which model,
 * and tapes of earlier versions dropped it.
 */
export function delayNotices(
  all: readonly CollectedMarket[],
  tapes: readonly { readonly market: TapeMarket }[],
): readonly Notice[] {
  const imported = new Set(tapes.filter(({ market }) => isImported(market)).map(({ market }) => market.facts.id));
  const open = all.filter((market) => market.isDelayModelOpen && market.orders > 0 && imported.has(market.facts.id));
  if (open.length === 0) return [];
  return [
    {
      code: 'DELAY_MODEL_UNKNOWN',
      what: `In ${plural(open.length, 'market')} with orders that turned in play the recording does not say for which orders the delay was (\`betDelayModels\`): all of them waited. Where it was for takers alone, orders that would rest came to the book earlier than here.`,
      next: 'Record the whole market definition, and import it again. Judge what rests in play by markets that say it.',
      markets: open.map(({ facts }) => facts.id),
    },
  ];
}

function winnersOf({ outcomes }: CollectedMarket): number {
  return outcomes.filter(({ result }) => result === 'Winner').length;
}

function withoutWinner(settled: readonly CollectedMarket[]): readonly Notice[] {
  const markets = settled.filter((market) => winnersOf(market) === 0).map(({ facts }) => facts.id);
  if (markets.length === 0) return [];
  return [
    {
      code: 'MARKETS_WITHOUT_WINNER',
      what: `${plural(markets.length, 'market')} with orders ended with losers alone, although as many as ${markets.length === 1 ? 'it has' : 'they have'} places should win: all outcomes were taken for losers.`,
      next: 'Look at the end of the recording: the winner may have been removed, or the result may have come after it. Leave the market out where you do not believe it.',
      markets,
    },
  ];
}

/** A market with one place is left out: all its winners share that place. */
function placesShared(settled: readonly CollectedMarket[]): readonly Notice[] {
  const shared = settled.filter((market) => market.winnerCount > 1 && winnersOf(market) > market.winnerCount);
  if (shared.length === 0) return [];
  return [
    {
      code: 'PLACES_SHARED',
      what: `In ${count(shared.length)} of the markets with orders more outcomes won than there are places. Which of them tied is not in a recording: each was paid the mean of all possible ties (\`winShare\`), so that a single bet may have won more, or lost.`,
      next: 'Judge single bets in such a market by the account of the exchange.',
      markets: shared.map(({ facts }) => facts.id),
    },
  ];
}
