/** The markets that a run follows, as rows. */

import type { MarketState } from '../../../core/market-state.ts';
import { decimalOfTick, NO_TICK, tick } from '../../../core/number/ladder.ts';
import { moneyToDecimal, ZERO } from '../../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../../core/side.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import type { MarketEntry } from '../../../engine/ledger/strategy-in-market.ts';
import { whyOff } from '../../../engine/live/dark-markets.ts';
import type { MarketRow } from '../../../pages/market-row.ts';
import type { Ask, Level, Part } from '../../../pages/panels.ts';
import type { ReadMarket } from '../../web/dashboard/shown/price-memory.ts';
import { mappedPart, partOf, stateWords } from '../../web/dashboard/shown/shown-rows.ts';
import { sumOpen } from './money/closing-value.ts';
import type { MarketSums } from './money/market-sums.ts';
import { openPositions } from './money/money-part.ts';

/** Those that begin first come first; `own`: only those in which there are orders of ours. */
export function marketsPart(ledger: Ledger, ask: Ask, sums: MarketSums): Part<MarketRow> {
  const { find, which } = ask;
  const found = [...ledger.marketEntries()].filter(
    ({ orders, state: { facts } }) =>
      (which !== 'own' || orders.first !== undefined) &&
      (find === '' || `${facts.eventName} ${facts.name} ${facts.id}`.toLowerCase().includes(find)),
  );
  found.sort((a, b) => startOf(a) - startOf(b) || a.state.index - b.state.index);
  return mappedPart(partOf(found, ask), (entry) => ({
    ...plainRow(ledger, entry, sums),
    favourite: favouriteOf(entry.state),
  }));
}

function startOf({ state }: MarketEntry): number {
  return state.facts.expectedStartTime ?? state.lockAt ?? Number.POSITIVE_INFINITY;
}

/** What a row of the list and the page of the market have in common. */
export function plainRow(ledger: Ledger, entry: MarketEntry, sums: MarketSums): Omit<MarketRow, 'favourite'> {
  const { state, freshAt } = entry;
  const { exposure } = ledger;
  const { id, name, eventName, expectedStartTime } = state.facts;
  const isCounted = exposure.isOpen(state.index);
  const net = sums.of(id)?.net;
  const [first, ...others] = openPositions(ledger, entry).map(({ open }) => open);
  return {
    id,
    name,
    event: eventName,
    ...stateWords(state),
    off: whyOff(ledger, entry),
    startAt: expectedStartTime,
    freshAt,
    traded: undefined,
    liveOrders: isCounted ? exposure.liveOrdersInMarket(state.index) : 0,
    worstLoss: moneyToDecimal(isCounted ? exposure.lossOfMarket(state.index) : ZERO),
    settled: net === undefined ? undefined : net / 1e6,
    open: first && others.reduce(sumOpen, first),
  };
}

/** The markets of a run, for the memory of their prices. */
export function* readMarkets(ledger: Ledger): Iterable<ReadMarket> {
  for (const { state } of ledger.marketEntries()) {
    const bests = () => state.facts.outcomes.map((_, outcome) => state.bestTick(outcome, AGAINST));
    yield { id: state.facts.id, isOpen: state.status === 'Open', bests };
  }
}

/** The outcome with the lowest price at which it can be backed. */
export function favouriteIndex(state: MarketState): number | undefined {
  let best: number | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (let outcome = 0; outcome < state.facts.outcomes.length; outcome += 1) {
    const at = state.bestTick(outcome, AGAINST);
    if (at === NO_TICK || at >= lowest || state.outcomeStatus(outcome) !== 'Active') continue;
    lowest = at;
    best = outcome;
  }
  return best;
}

/** The best level of a resting side: a For order meets resting Against stake. */
export function bestLevel(state: MarketState, outcome: number, resting: SideIndex): Level | undefined {
  const at = state.bestTick(outcome, resting);
  if (at === NO_TICK) return undefined;
  return { price: decimalOfTick(tick(at)), stake: moneyToDecimal(state.amountAt(outcome, resting, at)) };
}

function favouriteOf(state: MarketState): MarketRow['favourite'] {
  const outcome = favouriteIndex(state);
  const facts = outcome === undefined ? undefined : state.facts.outcomes[outcome];
  if (outcome === undefined || facts === undefined) return undefined;
  const [back, lay] = [bestLevel(state, outcome, AGAINST), bestLevel(state, outcome, FOR)];
  return { title: facts.title, back: back?.price, lay: lay?.price };
}
