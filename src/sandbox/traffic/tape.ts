/** The `tape` driver: plays a recording as live markets, made of real orders that anyone can match. */

import { defined } from '../../core/checks/assert.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { UpdateColumns } from '../../recording/segment/update.ts';
import type { Tape } from '../../recording/tape/tape.ts';
import type { TapeCursor } from '../../recording/tape/tape-cursor.ts';
import type { TapeMarket } from '../../recording/tape/tape-schema.ts';
import { applyChange, closeFinished, type MarketMaker, marketMaker, tryCommand } from './market-maker.ts';
import { TapePlayer } from './tape-player.ts';
import { makeEvent, makeMarket } from './tape-terms.ts';
import { type PacedTraffic, type Steps, Ticker, type TrafficContext } from './traffic.ts';

export interface TapeOptions {
  /** The open tape. The caller closes it, after the driver was stopped. */
  readonly tape: Tape;
  /** How many times faster than recorded; absent: 1. In-play delays stay as recorded. */
  readonly speed?: number;
  /** How long a finished market stays readable before it is closed, in ms; absent: an hour. */
  readonly lingerMs?: number;
  /**
   * Whether markets also carry what the recording says beside its prices and its life, for a face that shows it: ids and
   * names (`MarketRecord.recorded`), base rate, adjustment factors and starting prices (`shown`), and last prices.
   */
  readonly showsRecorded?: boolean;
  /** Called with a bug, or with a TapeFailure where the tape turns out to be damaged. */
  readonly onBug: (error: unknown) => void;
}

const APP = { id: 'Tape', name: 'Recorded markets' };
const HOUR = 3_600_000;
/** Time between notes of the position in the tape, in ms. */
const NOTE_EVERY_MS = 1_000;
/** Expected starts are told anew when waiting has moved them by this, in ms. */
const START_MOVES_MS = 1_000;
const TURN_MAX = 50;

/** The position in the tape: the last update played. */
interface TapePosition {
  readonly at: Instant;
  readonly market: number;
  readonly sequence: number;
}

interface FinishedMarket {
  /** The market's index in the tape. */
  readonly index: number;
  readonly market: number;
  readonly clearAt: Instant;
}

interface TapeNote {
  readonly place: TapePosition | undefined;
  /** [index in the tape, market, event] of the markets not yet cleared away. */
  readonly lanes: readonly (readonly [number, number, number])[];
  readonly ended: readonly FinishedMarket[];
  readonly events: readonly (readonly [string, number])[];
  /** Indexes in the tape of finished markets. */
  readonly over: readonly number[];
}

/** The markets of a tape that can be played: on the exchange's ladder, with a result that it can settle. */
export function playable(tape: Tape): readonly TapeMarket[] {
  return tape.markets.filter((market) => market.tradable && market.prices === undefined);
}

/**
 * Plays a recording from its beginning, `speed` times as fast. After each update the driver's stake at every level that
 * the update names is what was recorded. Traded volume is executed by the driver's orders through real matching, so
 * that users' resting orders wait in the queue and are matched by price and time. Markets open, are suspended, go in
 * play with the recorded delay, lose runners and are settled with the recorded winners. One that the recording leaves
 * unfinished is voided.
 *
 * What cannot be reproduced, so that fills here are plausible but no measurement (for that there is `backtest`):
 *
 * - Stake that a user has matched is not replaced until the recording next mentions the level; then all of it is
 *   back.
 * - A recorded decrease cancels the newest of the driver's orders at the level, and what must stay of the last one
 *   goes to the back of the queue: a recording does not say who left. Volume that was traded where nothing rested
 *   matches users' orders at or through its price, and is otherwise matched between two orders of the driver.
 * - Markets do not cross match, even where the recorded one did: the recording shows the results.
 * - Increases recorded while a market was suspended show when it resumes. Stakes are cut to multiples of 0.001.
 * - The recorded crowd does not react to users, and the driver always pays: its wallet may go far below zero.
 * - Starting prices and recorded last prices are shown with `showsRecorded` alone; commission is at the app's own rate,
 *   not the recorded one.
 *
 * After a restart it continues where it was, to within a second of the clock; a tape that was played to its end starts
 * again.
 */
export function startTape(context: TrafficContext, options: TapeOptions): PacedTraffic {
  const { tape, speed = 1, lingerMs = HOUR, showsRecorded = false, onBug } = options;
  const steps = new TapeSteps(context, { tape, speed, lingerMs, showsRecorded });
  return new Ticker({ clock: context.clock, steps, turnMax: TURN_MAX, onBug });
}

class TapeSteps implements Steps {
  readonly #context: TrafficContext;
  readonly #tape: Tape;
  readonly #speed: number;
  readonly #lingerMs: number;
  readonly #showsRecorded: boolean;
  readonly #maker: MarketMaker;
  readonly #cursor: TapeCursor;
  readonly #markets: ReadonlyMap<number, TapeMarket>;
  readonly #playerByIndex = new Map<number, TapePlayer>();
  readonly #playerByMarket = new Map<number, TapePlayer>();
  readonly #events = new Map<string, number>();
  readonly #over = new Set<number>();
  #ended: FinishedMarket[] = [];
  #pending: UpdateColumns | undefined;
  #position: TapePosition | undefined;
  /** The time of the tape that is played at a time of the clock, both ms UTC. */
  #anchor: { readonly tapeAt: number; readonly clockAt: number };
  #notedAt = 0;
  /** By how much the tape has moved since expected starts were told. */
  #movedMs = 0;
  #isActing = false;
  #isStopped = false;

  constructor(
    context: TrafficContext,
    options: Required<Pick<TapeOptions, 'tape' | 'speed' | 'lingerMs' | 'showsRecorded'>>,
  ) {
    this.#context = context;
    this.#tape = options.tape;
    this.#speed = options.speed;
    this.#lingerMs = options.lingerMs;
    this.#showsRecorded = options.showsRecorded;
    this.#maker = marketMaker(context, APP);
    const markets = playable(options.tape);
    this.#markets = new Map(markets.map((market) => [market.index, market]));
    this.#cursor = options.tape.cursor({ markets: [...this.#markets.keys()] });
    context.world.listen((change, happened) => this.#onEvents(happened, this.#isActing && change !== undefined));
    const firstAt = markets.reduce((first, market) => Math.min(first, market.firstAt), Number.POSITIVE_INFINITY);
    this.#anchor = { tapeAt: firstAt, clockAt: context.clock.now() };
    this.#doAsOwn(() => this.#begin());
  }

  nextAt(): number {
    const next = this.#pending === undefined ? Number.POSITIVE_INFINITY : this.#clockTime(this.#pending.publishedAt);
    return Math.min(next, this.#ended[0]?.clearAt ?? Number.POSITIVE_INFINITY);
  }

  takeStep(): void {
    this.#doAsOwn(() => {
      const [ended] = this.#ended;
      const update = this.#pending;
      if (update !== undefined && (ended === undefined || this.#clockTime(update.publishedAt) <= ended.clearAt))
        return this.#play(update);
      if (ended !== undefined) this.#clear(ended);
    });
  }

  delay(ms: number): void {
    const { tapeAt, clockAt } = this.#anchor;
    this.#anchor = { tapeAt, clockAt: clockAt + ms };
    this.#movedMs += ms;
    if (this.#movedMs < START_MOVES_MS) return;
    this.#movedMs = 0;
    this.#doAsOwn(() => {
      for (const [index, player] of this.#playerByIndex)
        if (!this.#over.has(index)) this.#followDefinition(index, player);
    });
  }

  onStop(): void {
    this.#isStopped = true;
    this.#remember();
  }

  #clear({ index, market }: FinishedMarket): void {
    this.#ended.shift();
    closeFinished(this.#context, market);
    this.#playerByIndex.delete(index);
    this.#playerByMarket.delete(market);
    this.#remember();
  }

  #play(update: UpdateColumns): void {
    const { market, sequence, publishedAt } = update;
    this.#position = { at: publishedAt, market, sequence };
    // Later updates of a market that was cleared away are ignored.
    const isCleared = this.#over.has(market) && !this.#playerByIndex.has(market);
    const player = isCleared ? undefined : (this.#playerByIndex.get(market) ?? this.#openMarket(market));
    const isDefined = player?.apply(update) === true;
    if (player !== undefined && isDefined) this.#followDefinition(market, player);
    this.#pending = this.#cursor.next();
    if (this.#pending === undefined) this.#finish();
    else if (isDefined || this.#context.clock.now() >= this.#notedAt + NOTE_EVERY_MS) this.#remember();
  }

  /** Adjusts the event's times and active flag to its markets. */
  #followDefinition(index: number, player: TapePlayer): void {
    const { definition, event } = player;
    const record = this.#context.world.catalogue.events.get(event);
    if (record === undefined || definition === undefined) return;
    const { expectedStartTime: recorded } = definition;
    const expectedStartTime = recorded === undefined ? record.expectedStartTime : instant(this.#clockTime(recorded));
    if (expectedStartTime !== record.expectedStartTime)
      applyChange(this.#context, { kind: 'setEventTimes', event, expectedStartTime });
    if (definition.inPlayStatus === 'InPlay' && record.actualStartTime === undefined)
      applyChange(this.#context, { kind: 'setEventTimes', event, actualStartTime: this.#context.now() });
    if (player.hasEnded) this.#end(index, player);
  }

  /** Notes that a market is finished; it stays readable until it is cleared away. */
  #end(index: number, player: TapePlayer): void {
    if (this.#over.has(index)) return;
    this.#over.add(index);
    this.#ended.push({ index, market: player.market, clearAt: instant(this.#context.now() + this.#lingerMs) });
    const { event } = player;
    if ([...this.#playerByIndex].some(([other, { event: its }]) => its === event && !this.#over.has(other))) return;
    applyChange(this.#context, { kind: 'setEventTimes', event, actualEndTime: this.#context.now() });
    tryCommand(this.#context, { kind: 'setEventActive', event, active: false });
  }

  #finish(): void {
    for (const [index, player] of this.#playerByIndex) {
      player.abandon();
      this.#end(index, player);
    }
    this.#remember();
  }

  #openMarket(index: number): TapePlayer {
    const context = this.#context;
    const recorded = this.#recorded(index);
    const { eventId, expectedStartTime } = recorded.facts;
    const definitions = this.#tape.definitions(index);
    const startAt = instant(this.#clockTime(expectedStartTime ?? recorded.lastAt));
    const event = this.#events.get(eventId) ?? makeEvent(context, this.#maker, recorded, startAt);
    this.#events.set(eventId, event);
    tryCommand(context, { kind: 'setEventActive', event, active: true });
    const lockAt = this.#lockAt(recorded);
    const showsRecorded = this.#showsRecorded;
    const market = makeMarket(context, this.#maker, { recorded, definitions, event, lockAt, showsRecorded });
    return this.#addPlayer(index, market, event);
  }

  #addPlayer(index: number, market: number, event: number): TapePlayer {
    const definitions = this.#tape.definitions(index);
    const outcomes = this.#recorded(index).facts.outcomes.length;
    const [context, maker] = [this.#context, this.#maker];
    const clockTime = this.#showsRecorded ? (tapeAt: Instant) => instant(this.#clockTime(tapeAt)) : undefined;
    const player = new TapePlayer({ context, maker, market, event, outcomes, definitions, clockTime });
    this.#playerByIndex.set(index, player);
    this.#playerByMarket.set(market, player);
    return player;
  }

  #begin(): void {
    this.#pending = this.#cursor.next();
    const text = this.#context.world.catalogue.notes.get(this.#noteKey);
    const note = text === undefined ? undefined : (JSON.parse(text) as TapeNote);
    if (note === undefined) return;
    this.#ended = [...note.ended];
    // A tape that was played to its end starts again with new markets.
    if (note.place === undefined) return;
    for (const [index, market, event] of note.lanes) this.#addPlayer(index, market, event);
    for (const [id, event] of note.events) this.#events.set(id, event);
    for (const index of note.over) this.#over.add(index);
    this.#rehearse(note.place);
  }

  /** Reads the tape up to the position of the earlier run, then adjusts the exchange to the recording. */
  #rehearse(place: TapePosition): void {
    while (this.#pending !== undefined && !isAfter(this.#pending, place)) {
      this.#playerByIndex.get(this.#pending.market)?.rehearse(this.#pending);
      this.#pending = this.#cursor.next();
    }
    this.#position = place;
    this.#anchor = { tapeAt: place.at, clockAt: this.#context.clock.now() };
    for (const [index, player] of this.#playerByIndex) {
      const { market } = player;
      if (this.#context.world.exchange.market(market)?.status === 'Open')
        tryCommand(this.#context, { kind: 'setLockAt', market, lockAt: this.#lockAt(this.#recorded(index)) });
      player.takeOver();
      this.#followDefinition(index, player);
    }
    if (this.#pending === undefined) this.#finish();
  }

  /** `own`: the events belong to a change of this driver; what becomes due while it acts does not. */
  #onEvents(happened: readonly ExchangeEvent[], own: boolean): void {
    if (this.#isStopped || this.#playerByMarket.size === 0) return;
    for (const event of happened) {
      const market = this.#marketOf(event);
      if (market !== undefined) this.#playerByMarket.get(market)?.onEvent(event, own);
    }
  }

  /** The market of an event that the players handle; undefined for all other events. */
  #marketOf(event: ExchangeEvent): number | undefined {
    if (event.kind === 'marketChanged') return event.market;
    if (event.kind !== 'orderAccepted' && event.kind !== 'orderChanged' && event.kind !== 'orderReduced')
      return undefined;
    return this.#context.world.exchange.marketOfOrder(event.order);
  }

  #doAsOwn(work: () => void): void {
    this.#isActing = true;
    work();
    this.#isActing = false;
  }

  #recorded(index: number): TapeMarket {
    return defined(this.#markets.get(index), 'the cursor gives the markets it was asked for');
  }

  #clockTime(tapeAt: number): number {
    return Math.ceil(this.#anchor.clockAt + (tapeAt - this.#anchor.tapeAt) / this.#speed);
  }

  #lockAt(recorded: TapeMarket): Instant {
    return instant(this.#clockTime(recorded.lastAt) + HOUR);
  }

  get #noteKey(): string {
    return `tape ${this.#tape.sha256}`;
  }

  #remember(): void {
    this.#notedAt = this.#context.clock.now();
    const note: TapeNote = {
      place: this.#pending === undefined ? undefined : this.#position,
      lanes: [...this.#playerByIndex].map(([index, { market, event }]) => [index, market, event]),
      ended: this.#ended,
      events: [...this.#events],
      over: [...this.#over],
    };
    applyChange(this.#context, { kind: 'setNote', key: this.#noteKey, value: JSON.stringify(note) });
  }
}

/** Whether an update is behind the position. Updates are ordered by publish time, then market, then sequence. */
function isAfter(update: UpdateColumns, place: TapePosition): boolean {
  if (update.publishedAt !== place.at) return update.publishedAt > place.at;
  if (update.market !== place.market) return update.market > place.market;
  return update.sequence > place.sequence;
}
