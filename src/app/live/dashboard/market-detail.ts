/** One market of a run: its outcomes, the ladder of one of them with our orders in it, and what each result brings. */

import type { MarketState } from '../../../core/market-state.ts';
import { decimalOfTick, NO_TICK, tick } from '../../../core/number/ladder.ts';
import { moneyToDecimal, priceToDecimal } from '../../../core/number/units.ts';
import { AGAINST, FOR } from '../../../core/side.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import type { OwnOrder } from '../../../engine/ledger/own-order.ts';
import { strategyName } from '../../../engine/ledger/run-names.ts';
import type { MarketEntry } from '../../../engine/ledger/strategy-in-market.ts';
import type { MarketPaid } from '../../../pages/money-panel.ts';
import type { Ask, Ladder, MarketPanel, OutcomeRow, PositionRow } from '../../../pages/panels.ts';
import type { PriceMemory } from '../../web/dashboard/shown/price-memory.ts';
import { DEPTH, type LadderLevel, ladderRows } from '../../web/dashboard/shown/shown-rows.ts';
import { bestLevel, favouriteIndex, plainRow } from './market-rows.ts';
import type { MarketSum, MarketSums } from './money/market-sums.ts';
import { rowsOf } from './order-rows.ts';

/** What the ledger does not remember. */
export interface MarketMemory {
  readonly sums: MarketSums;
  readonly prices: PriceMemory;
}

export function marketPanel(ledger: Ledger, ask: Ask, { sums, prices }: MarketMemory): MarketPanel {
  const entry = ledger.entryById(ask.id);
  const paid = paidOf(sums.of(ask.id));
  if (entry === undefined) return { page: 'market', id: ask.id, paid, market: undefined };
  const { state } = entry;
  const orders = [...entry.orders];
  const positions = positionsOf(ledger, entry);
  return {
    page: 'market',
    id: ask.id,
    paid,
    market: {
      ...plainRow(ledger, entry, sums),
      lockAt: state.lockAt,
      inPlayDelayMs: state.inPlayDelayMs,
      winners: state.winners,
      outcomes: state.facts.outcomes.map((_, index) => outcomeRow({ state, index, orders, positions })),
      prices: prices.curve(state.facts),
      ladder: ladderOf(state, shownOutcome(state, ask), orders),
      positions,
      orders: rowsOf(ledger, orders, ask),
    },
  };
}

function paidOf(sum: MarketSum | undefined): MarketPaid | undefined {
  if (sum === undefined) return undefined;
  const { name, at, net, commission, gross } = sum;
  const strategies = Object.entries(gross).map(([owner, profit]) => ({ name: owner, profit: profit / 1e6 }));
  return { name, at, net: net / 1e6, commission: commission / 1e6, strategies };
}

/** The one that is asked for, else the favourite, else the first. */
function shownOutcome(state: MarketState, { outcome }: Ask): number {
  const asked = state.facts.outcomes.findIndex(({ id }) => id === outcome);
  return asked >= 0 ? asked : (favouriteIndex(state) ?? 0);
}

interface OutcomeParts {
  readonly state: MarketState;
  readonly index: number;
  readonly orders: readonly OwnOrder[];
  readonly positions: readonly PositionRow[];
}

function outcomeRow({ state, index, orders, positions }: OutcomeParts): OutcomeRow {
  const { id = '', title = '' } = state.facts.outcomes[index] ?? {};
  const last = state.lastPrice(index);
  return {
    id,
    title,
    status: state.outcomeStatus(index),
    back: bestLevel(state, index, AGAINST),
    lay: bestLevel(state, index, FOR),
    last: last === undefined ? undefined : priceToDecimal(last),
    traded: moneyToDecimal(state.traded(index)),
    profit: positions.length === 0 ? undefined : positions.reduce((sum, { profits }) => sum + (profits[index] ?? 0), 0),
    liveOrders: orders.filter((order) => order.isLive && order.terms.outcome === index).length,
  };
}

/** The positions of each strategy that has matched something here, and of adopted orders. */
function positionsOf(ledger: Ledger, { state }: MarketEntry): readonly PositionRow[] {
  const { exposure, instances, names } = ledger;
  if (!exposure.isOpen(state.index)) return [];
  const rows: PositionRow[] = [];
  for (let strategy = 0; strategy <= instances.length; strategy += 1) {
    const position = exposure.position(state.index, strategy);
    if (position === undefined || position.isFlat) continue;
    rows.push({
      owner: strategyName(names, strategy),
      profits: state.facts.outcomes.map((_, outcome) => moneyToDecimal(position.profitIfWins(outcome))),
      worstLoss: moneyToDecimal(exposure.worstLoss(state.index, strategy)),
    });
  }
  return rows;
}

function ladderOf(state: MarketState, outcome: number, orders: readonly OwnOrder[]): Ladder | undefined {
  const facts = state.facts.outcomes[outcome];
  if (facts === undefined) return undefined;
  const own = orders
    .filter((order) => order.isLive && order.terms.outcome === outcome)
    .map(
      ({ price, side, stakeUnmatched: stake }) => ({ price, stake, column: side === 'For' ? 'lay' : 'back' }) as const,
    );
  const tradedAt = (at: number) => moneyToDecimal(state.tradedAt(outcome, at));
  const rows = ladderRows({ levels: levelsOf(state, outcome), own, tradedAt });
  return { outcome: facts.id, title: facts.title, rows };
}

function levelsOf(state: MarketState, outcome: number): readonly LadderLevel[] {
  const levels: LadderLevel[] = [];
  for (const [column, side] of [['back', AGAINST] as const, ['lay', FOR] as const]) {
    let at = state.bestTick(outcome, side);
    for (let depth = 0; depth < DEPTH && at !== NO_TICK; depth += 1) {
      const stake = moneyToDecimal(state.amountAt(outcome, side, at));
      levels.push({ price: decimalOfTick(tick(at)), column, stake });
      at = state.nextTick(outcome, side, at);
    }
  }
  return levels;
}
