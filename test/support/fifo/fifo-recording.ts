/** What a Betfair stream shows of a `FifoExchange`: level amounts, traded volume and last prices, as text. */

import { type FifoExchange, type Match, PRICES, type Side } from './fifo-exchange.ts';

export interface SourceHabits {
  /** Changes are sent together at each whole multiple of it; 0: at once. */
  readonly everyMs: number;
  /** How many levels of each side are shown; absent: all. */
  readonly depth?: number;
}

export const MARKET = '1.700000001';
export const OUTCOME = '11';
const STARTED = 1_700_000_000_000;
const SIDES = [
  ['lay', 'atb', 'batb'],
  ['back', 'atl', 'batl'],
] as const;

export class FifoRecording {
  readonly lines: string[] = [];
  readonly #market: FifoExchange;
  readonly #source: SourceHabits;
  readonly #traded = new Map<number, number>();
  readonly #tradedNow = new Set<number>();
  readonly #shown: Readonly<Record<Side, Map<number, number>>> = { back: new Map(), lay: new Map() };
  readonly #best: Readonly<Record<Side, string[]>> = { back: [], lay: [] };
  #last: number | undefined;

  constructor(market: FifoExchange, source: SourceHabits) {
    this.#market = market;
    this.#source = source;
    this.#write(0, { marketDefinition: definition('OPEN') });
  }

  static readonly startedAt = STARTED;

  /** When the message is sent that tells of what happens at an instant. */
  sentAt(at: number): number {
    const { everyMs } = this.#source;
    return everyMs === 0 ? at : Math.ceil(at / everyMs) * everyMs;
  }

  matched({ maker, stake }: Match): void {
    this.#traded.set(maker.place, (this.#traded.get(maker.place) ?? 0) + stake);
    this.#tradedNow.add(maker.place);
    this.#last = maker.place;
  }

  /** Sends what changed since the last message, where anything did. */
  send(at: number): void {
    const change: Record<string, unknown> = {};
    for (const [side, all, best] of SIDES) {
      const rows = this.#source.depth === undefined ? this.#levels(side) : this.#positions(side, this.#source.depth);
      if (rows.length > 0) change[this.#source.depth === undefined ? all : best] = rows;
    }
    if (this.#tradedNow.size > 0) {
      // Betfair counts the stakes of backers and layers.
      change['trd'] = [...this.#tradedNow].map((place) => [PRICES[place], (2 * (this.#traded.get(place) ?? 0)) / 100]);
      change['ltp'] = PRICES[this.#last ?? 0];
      this.#tradedNow.clear();
    }
    if (Object.keys(change).length > 0) this.#write(at, { rc: [{ id: Number(OUTCOME), ...change }] });
  }

  close(at: number): void {
    this.#write(at, { marketDefinition: definition('CLOSED') });
  }

  #levels(side: Side): (readonly (number | undefined)[])[] {
    const shown = this.#shown[side];
    const rows: (readonly (number | undefined)[])[] = [];
    PRICES.forEach((price, place) => {
      const amount = this.#market.amount(side, place);
      if (amount === (shown.get(place) ?? 0)) return;
      shown.set(place, amount);
      rows.push([price, amount / 100]);
    });
    return rows;
  }

  #positions(side: Side, depth: number): (readonly number[])[] {
    const places = PRICES.map((_, place) => place).filter((place) => this.#market.queue(side, place).length > 0);
    const best = (side === 'back' ? places : places.reverse()).slice(0, depth);
    const rows: (readonly number[])[] = [];
    for (let position = 0; position < depth; position += 1) {
      const place = best[position];
      const row =
        place === undefined ? [position, 0, 0] : [position, PRICES[place] ?? 0, this.#market.amount(side, place) / 100];
      if (this.#best[side][position] === String(row)) continue;
      this.#best[side][position] = String(row);
      rows.push(row);
    }
    return rows;
  }

  #write(at: number, change: object): void {
    this.lines.push(
      JSON.stringify({ op: 'mcm', clk: `C${this.lines.length}`, pt: STARTED + at, mc: [{ id: MARKET, ...change }] }),
    );
  }
}

function definition(status: 'OPEN' | 'CLOSED'): object {
  const ends = status === 'OPEN' ? ['ACTIVE', 'ACTIVE'] : ['WINNER', 'LOSER'];
  return {
    ...{ status, bettingType: 'ODDS', marketType: 'MATCH_ODDS', numberOfWinners: 1, marketBaseRate: 5, betDelay: 0 },
    ...{
      inPlay: false,
      turnInPlayEnabled: false,
      persistenceEnabled: true,
      bspMarket: false,
      eventId: '7',
      eventName: 'Event',
    },
    marketTime: new Date(STARTED + 86_400_000).toISOString(),
    runners: ends.map((end, at) => ({ id: 11 + at, status: end, sortPriority: at + 1, name: `Runner ${at + 1}` })),
  };
}
