/** Bets added up by price, time to off, market type and side, each with the position that its bets alone make. */

import { SIDES, type SideIndex } from '../../core/side.ts';
import type { MarketOfRun } from '../../research/chance/luck.ts';
import { positionProfits } from '../../research/chance/position-profits.ts';
import type { CellBets } from '../../research/run/cells.ts';
import type { MarketResult } from '../../result/result.ts';
import type { CellsBy } from '../../result/statistics.ts';
import { isBeforeOff } from '../result/pre-off-bets.ts';
import type { BetSlots, OutcomePlace } from './bet-slots.ts';

/** One fill of a settled market. Money in decimals. */
export interface CellFill {
  readonly place: OutcomePlace;
  readonly side: SideIndex;
  readonly price: number;
  readonly stake: number;
  readonly at: number;
  /** Matched before the off. */
  readonly isEarly: boolean;
  /** What it brings if its outcome wins, and if it does not. */
  readonly ifWins: number;
  readonly ifLoses: number;
  /** The profit that settlement paid. */
  readonly profit: number;
}

interface CellSums {
  bets: number;
  stake: number;
  profit: number;
  /** The positions by market, of its bets before the off. */
  readonly positions: Map<number, Position>;
}

/** The position in one market, by outcome. */
interface Position {
  readonly ifWins: Float64Array;
  readonly ifLoses: Float64Array;
}

/** A cell with the table that it is in. */
export interface NamedCell extends CellBets {
  readonly by: CellsBy['by'];
}

/** The sums of fills and a settlement may differ by this much, since each is rounded to millionths. */
const ROUNDING = 1e-3;

export class CellBook {
  readonly #slots: BetSlots;
  readonly #types: readonly string[];
  readonly #typeOf: readonly number[];
  readonly #cells: Readonly<Record<CellsBy['by'], (CellSums | undefined)[]>> = {
    price: [],
    timeToOff: [],
    marketType: [],
    side: [],
  };
  /** What all bets bring, by outcome. */
  readonly #ifWins: Float64Array;

  constructor(slots: BetSlots) {
    this.#slots = slots;
    const types = slots.markets.map(({ result }) => result.marketTypeId);
    this.#types = [...new Set(types)].sort();
    this.#typeOf = types.map((type) => this.#types.indexOf(type));
    this.#ifWins = new Float64Array(slots.outcomes);
  }

  add(fill: CellFill): void {
    const { market, outcome } = fill.place;
    this.#ifWins[outcome]! += fill.ifWins;
    this.#addTo('price', priceBand(fill.price), fill);
    this.#addTo('timeToOff', timeBand(this.#slots.markets[market]!.result, fill.at), fill);
    this.#addTo('marketType', this.#typeOf[market]!, fill);
    this.#addTo('side', fill.side, fill);
  }

  #addTo(by: CellsBy['by'], at: number, { place, isEarly, ifWins, ifLoses, stake, profit }: CellFill): void {
    const cells = this.#cells[by];
    const cell = cells[at] ?? { bets: 0, stake: 0, profit: 0, positions: new Map() };
    cells[at] = cell;
    cell.bets += 1;
    cell.stake += stake;
    cell.profit += profit;
    if (!isEarly) return;
    const position = cell.positions.get(place.market) ?? this.#emptyPosition(place.market);
    cell.positions.set(place.market, position);
    const outcome = place.outcome - this.#slots.firstOutcome[place.market]!;
    position.ifWins[outcome]! += ifWins;
    position.ifLoses[outcome]! += ifLoses;
  }

  #emptyPosition(market: number): Position {
    const outcomes = this.#slots.markets[market]!.result.outcomes.length;
    return { ifWins: new Float64Array(outcomes), ifLoses: new Float64Array(outcomes) };
  }

  /** All cells with bets, table by table. */
  cells(): readonly NamedCell[] {
    const names = { price: PRICE_BANDS, timeToOff: TIME_BANDS, marketType: this.#types, side: SIDE_NAMES };
    const isOther = this.#slots.markets.map((_, market) => this.#isOther(market));
    return (['price', 'timeToOff', 'marketType', 'side'] as const).flatMap((by) =>
      names[by].flatMap((cell, at) => {
        const sums = this.#cells[by][at];
        if (sums === undefined) return [];
        const { bets, stake, profit } = sums;
        return [{ by, cell, bets, stake, profit, markets: this.#marketsOf(sums, isOther) }];
      }),
    );
  }

  /** The positions of a cell in the markets that can be judged. */
  #marketsOf({ positions }: CellSums, isOther: readonly boolean[]): readonly MarketOfRun[] {
    return [...positions.keys()]
      .sort((a, b) => a - b)
      .flatMap((market) => {
        const { settled } = this.#slots.markets[market]!;
        if (settled.kind === 'notKnown' || isOther[market] === true) return [];
        const { closing, winners, share } = settled;
        const profit = positionProfits({ winners: winners.length, share, ...positions.get(market)! });
        return [{ closing, winners, profit }];
      });
  }

  /** Whether something else than these fills is in the settlement: a cell cannot be judged by it then. */
  #isOther(market: number): boolean {
    const first = this.#slots.firstOutcome[market]!;
    return this.#slots.markets[market]!.result.outcomes.some(({ position }, at) => {
      if (position === undefined) return false;
      const { betsIfWins } = position.central;
      return Math.abs(this.#ifWins[first + at]! - betsIfWins) > ROUNDING + 1e-6 * Math.abs(betsIfWins);
    });
  }
}

const PRICES = [1.5, 2, 3, 5, 10, 20, 50];
const PRICE_BANDS: readonly string[] = [
  'below 1.5',
  ...PRICES.slice(1).map((to, at) => `${PRICES[at]} to ${to}`),
  '50 and more',
];

/** A band holds its lower price, not its upper one. */
function priceBand(price: number): number {
  const at = PRICES.findIndex((edge) => price < edge);
  return at === -1 ? PRICES.length : at;
}

const MINUTE = 60_000;
/** The longest first. */
const TIMES = [
  { from: 360 * MINUTE, name: '6 hours and more' },
  { from: 60 * MINUTE, name: '1 to 6 hours' },
  { from: 30 * MINUTE, name: '30 to 60 minutes' },
  { from: 10 * MINUTE, name: '10 to 30 minutes' },
  { from: 5 * MINUTE, name: '5 to 10 minutes' },
  { from: MINUTE, name: '1 to 5 minutes' },
  { from: 0, name: 'last minute' },
];
const IN_PLAY = TIMES.length;
const UNKNOWN = IN_PLAY + 1;
const TIME_BANDS: readonly string[] = [...TIMES.map(({ name }) => name), 'in play', 'off not known'];

/** The band of a bet by its time to the off as it was, or to the scheduled start where the recording shows no off. */
function timeBand({ preOffAt, inPlayAt, startsAt }: MarketResult, at: number): number {
  const isEarly = isBeforeOff({ preOffAt: preOffAt ?? inPlayAt ?? Number.POSITIVE_INFINITY, inPlayAt }, at);
  if (!isEarly) return IN_PLAY;
  const off = inPlayAt ?? preOffAt ?? startsAt;
  if (off === undefined) return UNKNOWN;
  const left = Math.max(0, off - at);
  return TIMES.findIndex(({ from }) => left >= from);
}

/** The names by index of the side. */
const SIDE_NAMES: readonly string[] = SIDES.map((side) => (side === 'For' ? 'For (back)' : 'Against (lay)'));
