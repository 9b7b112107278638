/** A replayed market on which one kind of recorded event comes again and again, with or without orders of ours resting. */

import { tick } from '../../src/core/number/ladder.ts';
import { instant, type Money, money } from '../../src/core/number/units.ts';
import { AGAINST, FOR, sideOf } from '../../src/core/side.ts';
import { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import { fillRulesOf } from '../../src/simulator/overlay/fill-rules.ts';
import type { PlayedMarket, RecordedMarket } from '../../src/simulator/replay/played-market.ts';
import { RecordedMarkets } from '../../src/simulator/replay/recorded-markets.ts';
import { ReplayExchange } from '../../src/simulator/replay/replay-exchange.ts';
import { claim } from './figure.ts';

export type EventKind = 'none' | 'level' | 'trade' | 'last-price' | 'definition';

/** Levels of a side of an outcome; For above the middle, Against below it. */
const DEPTH = 4;
const LEVELS = 2 * DEPTH;
const MIDDLE = 150;
/** So much that no trade of a run reaches our orders, which rest behind it. */
const CROWD = money(1e13);
const LESS = money(9e12);
const TRADED = money(1e6);
const OURS = money(2e6);
/** Updates that are made once and applied in turns; an even number, so that each turn changes what the last one set. */
const CYCLE = 16;

export interface StageShape {
  readonly kind: EventKind;
  readonly outcomes: number;
  /** One order of ours at each level of each outcome, or none. */
  readonly ownOrders: boolean;
}

export class EventStage {
  /** Events of one update. */
  readonly eventsEach: number;
  readonly ownOrders: number;
  readonly #shape: StageShape;
  readonly #replay: ReplayExchange;
  readonly #markets: RecordedMarkets;
  readonly #market: PlayedMarket;
  readonly #updates: readonly UpdateBuffer[];
  #now = 1;

  constructor(shape: StageShape) {
    const at = instant(this.#now);
    this.#shape = shape;
    this.#replay = new ReplayExchange({
      at,
      fillRules: fillRulesOf('central'),
      listener: { filled: () => {} },
      rules: {},
      wallets: ['unlimited'],
    });
    this.#markets = new RecordedMarkets({ life: { crossMatching: false } }, [this.#replay]);
    this.#market = this.#markets.open(0, recordedMarket(shape.outcomes), at);
    this.#apply(opening(shape.outcomes));
    this.ownOrders = shape.ownOrders ? this.#placeOwn() : 0;
    this.#updates = Array.from({ length: CYCLE }, (_, step) => updateOf(shape, step));
    this.eventsEach = this.#updates[0]?.count ?? 0;
  }

  /** So many updates, a whole number of cycles. */
  play(updates: number): void {
    for (let i = 0; i < updates; i += CYCLE) for (const update of this.#updates) this.#apply(update);
  }

  /** Checks that all events arrived, and that our orders rest as they were placed. */
  check(updates: number): void {
    const { kind, outcomes } = this.#shape;
    const { updatesSeen } = this.#market;
    const market = this.#replay.opened(0);
    const each = this.ownOrders > 0 ? OURS : 0;
    claim(updatesSeen === updates + 1, `${updatesSeen} updates came, not ${updates}`);
    const traded = Array.from({ length: outcomes }, (_, outcome) => market.traded(outcome)).reduce((a, b) => a + b, 0);
    claim(
      traded === (kind === 'trade' ? updates * this.eventsEach * TRADED : 0),
      'the market traded other than it was told',
    );
    const left = market.amountAt(0, FOR, MIDDLE) - each;
    claim(left === (kind === 'level' ? LESS : CROWD), `${left} rest at a level`);
    const last = market.lastPrice(0);
    claim((last !== undefined) === (kind === 'last-price'), 'the last price is another than was told');
    claim(market.suspended === (kind === 'definition'), 'the definition is another than was told');
    claim(this.#replay.exchange.brokenLaws().length === 0, 'laws of conservation are broken');
    claim(this.#replay.exchange.drainChanged().length === 0, 'an order of ours did not rest through it all');
  }

  #apply(update: UpdateBuffer): void {
    this.#now += 1;
    update.publishedAt = instant(this.#now);
    this.#markets.apply(this.#market, update);
  }

  #placeOwn(): number {
    const requests = cells(this.#shape.outcomes).map(({ outcome, side, at }, client) => ({
      ...{ client, strategy: 0, wallet: 0, market: 0, outcome, side: sideOf(side), tick: tick(at), stake: OURS },
      ...{ keepWhenInPlay: true, matchBehavior: 'RetainUnmatched' as const },
    }));
    for (const request of requests) {
      const [placed] = this.#replay.place(instant(this.#now), [request]) ?? [];
      const rests = placed?.kind === 'accepted' && placed.track.unmatched === OURS;
      claim(rests, 'an order of ours does not rest');
    }
    this.#replay.exchange.drainChanged();
    return requests.length;
  }
}

interface Cell {
  readonly outcome: number;
  readonly side: typeof FOR | typeof AGAINST;
  readonly at: number;
}

function cells(outcomes: number): readonly Cell[] {
  return Array.from({ length: outcomes * LEVELS }, (_, index) => {
    const [outcome, level] = [Math.trunc(index / LEVELS), index % LEVELS];
    const away = level % DEPTH;
    return level < DEPTH
      ? { outcome, side: FOR, at: MIDDLE + away }
      : { outcome, side: AGAINST, at: MIDDLE - 1 - away };
  });
}

function opening(outcomes: number): UpdateBuffer {
  const update = new UpdateBuffer();
  update.definition(0);
  for (const { outcome, side, at } of cells(outcomes)) update.level(outcome, side, at, CROWD);
  return update;
}

/** Every second update says what the one before it did not. */
function updateOf({ kind, outcomes }: StageShape, step: number): UpdateBuffer {
  const update = new UpdateBuffer();
  const isSecond = step % 2 === 1;
  if (kind === 'none') return update;
  if (kind === 'definition') {
    update.definition(isSecond ? 1 : 0);
    return update;
  }
  const amount: Money = isSecond ? LESS : CROWD;
  for (let level = 0; level < LEVELS; level += 1) {
    // Both updates of a pair are about the same outcomes.
    const outcome = (Math.trunc(step / 2) + level) % outcomes;
    const cell = cells(outcomes)[outcome * LEVELS + level];
    // A trade beyond the best price would go through what of ours rests there, and fill it.
    if (cell === undefined || (kind === 'trade' && level % DEPTH > 0)) continue;
    if (kind === 'level') update.level(outcome, cell.side, cell.at, amount);
    else if (kind === 'trade') update.trade(outcome, cell.at, TRADED);
    else update.lastPrice(outcome, MIDDLE + (isSecond ? 1 : 0));
  }
  return update;
}

function recordedMarket(outcomes: number): RecordedMarket {
  const open: RecordedDefinition = {
    ...{ status: 'Open', suspended: false, inPlayStatus: 'NotApplicable', inPlayDelayMs: 0 },
    ...{ winnerCount: 1, commissionPpm: 50_000, eventStartAction: 'None' },
    outcomes: Array.from({ length: outcomes }, () => ({ status: 'Active' as const })),
  };
  const facts = {
    id: '1.1',
    name: 'Result',
    eventId: 'e1',
    eventName: 'Northgate v Southmoor',
    marketTypeId: 'RESULT',
  };
  const named = Array.from({ length: outcomes }, (_, ordering) => ({
    ...{ id: `o${ordering}`, title: `Outcome ${ordering}`, ordering },
  }));
  return {
    ...{ grade: 'A', updates: Number.POSITIVE_INFINITY, definitions: [open, { ...open, suspended: true }] },
    facts: { ...facts, outcomes: named },
  };
}
