/** Turns what the exchange did on one market into the updates that a recording of it would hold. */

import { type Instant, instant } from '../../src/core/number/units.ts';
import { isLive } from '../../src/core/order.ts';
import { sideIndex } from '../../src/core/side.ts';
import type { Command } from '../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../src/matching/messages/event.ts';
import type { UpdateColumns } from '../../src/recording/segment/update.ts';
import { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import type { RecordedDefinition, RecordedOutcome, RecordedStatus } from '../../src/recording/tape/definition.ts';
import { cellOf } from '../../src/simulator/overlay/level-cell.ts';
import { PictureChange } from './picture-change.ts';

/** Receives the updates. Their columns are reused: copy what is to be kept. */
export interface UpdateSink {
  /** Stores a definition and returns the index by which updates name it. */
  define(definition: RecordedDefinition): number;
  update(columns: UpdateColumns): void;
}

interface Seen {
  readonly level: number;
  unmatched: number;
  /**
   * Pending orders and the order being placed do not rest: what matches them is recorded as the resting orders' trades.
   */
  stand: 'pending' | 'taking' | 'resting';
}

type MarketChanged = Extract<ExchangeEvent, { readonly kind: 'marketChanged' }>;

/**
 * Pass it every command with the events it gave, in order. Traded volume is that of the resting orders, at their
 * prices: a cross match trades on the outcomes of its makers. `eventsPerMessage` changes are merged into one update.
 */
export class MarketRecorder {
  readonly #market: number;
  readonly #eventsPerMessage: number;
  readonly #sink: UpdateSink;
  readonly #change: PictureChange;
  readonly #buffer = new UpdateBuffer();
  readonly #seenByOrder = new Map<number, Seen>();
  #definition: RecordedDefinition;
  #taker: Seen | undefined;
  #changesWaiting = 0;
  #changedAt: Instant;
  /** Whether the public picture changed since the last change was counted. */
  #touched = false;
  #definitionIsNew = false;

  constructor(options: {
    /** The exchange's id of the market. */
    readonly market: number;
    /** The market's definition before the first command. */
    readonly definition: RecordedDefinition;
    readonly eventsPerMessage: number;
    readonly startsAt: Instant;
    readonly sink: UpdateSink;
  }) {
    this.#market = options.market;
    this.#definition = options.definition;
    this.#eventsPerMessage = options.eventsPerMessage;
    this.#sink = options.sink;
    this.#change = new PictureChange(options.definition.outcomes.length);
    this.#changedAt = options.startsAt;
    this.#definitionIsNew = true;
    this.flush();
  }

  see(command: Command, events: Iterable<ExchangeEvent>): void {
    const changesMarket = 'market' in command;
    if (changesMarket) this.flush();
    for (const event of events) this.#onEvent(command, event);
    this.#closeTaker();
    this.#changeDone(command.at);
    if (changesMarket) this.flush();
  }

  /** Writes the changes that were not written yet, if there are any. */
  flush(): void {
    this.#changesWaiting = 0;
    if (this.#definitionIsNew) this.#change.define(this.#sink.define(this.#definition));
    this.#definitionIsNew = false;
    if (this.#change.isEmpty) return;
    this.#change.write(this.#buffer, this.#changedAt);
    this.#sink.update(this.#buffer);
  }

  #onEvent(command: Command, event: ExchangeEvent): void {
    switch (event.kind) {
      case 'orderAccepted':
        this.#closeTaker();
        this.#accepted(command, event);
        return;
      case 'orderMatched':
        this.#matched(event.order, event.stake);
        return;
      case 'orderChanged':
        this.#changed(event);
        return;
      case 'marketChanged':
        this.#marketChanged(command, event);
        return;
      case 'outcomeRemoved':
        this.#outcomeRemoved(event);
        return;
    }
  }

  #accepted(command: Command, event: Extract<ExchangeEvent, { readonly kind: 'orderAccepted' }>): void {
    if (command.kind !== 'place') return;
    const request = command.requests[event.item];
    if (request === undefined || request.market !== this.#market) return;
    const seen: Seen = {
      level: cellOf(request.outcome, sideIndex(request.side), request.tick),
      unmatched: request.stake,
      stand: event.status === 'Pending' ? 'pending' : 'taking',
    };
    this.#seenByOrder.set(event.order, seen);
    if (seen.stand === 'taking') this.#taker = seen;
  }

  #matched(order: number, stake: number): void {
    const seen = this.#seenByOrder.get(order);
    if (seen === undefined) return;
    seen.unmatched -= stake;
    if (seen.stand !== 'resting') return;
    this.#change.trade(seen.level, stake);
    this.#touched = true;
  }

  #changed(event: Extract<ExchangeEvent, { readonly kind: 'orderChanged' }>): void {
    const seen = this.#seenByOrder.get(event.order);
    if (seen === undefined || event.status === 'Pending') return;
    const wasPending = seen.stand === 'pending';
    const before = seen.stand === 'resting' ? seen.unmatched : 0;
    const after = isLive(event.status) ? event.stakeUnmatched : 0;
    if (before !== after) this.#rest(seen.level, after - before);
    seen.unmatched = after;
    seen.stand = 'resting';
    if (seen === this.#taker) this.#taker = undefined;
    if (after === 0) this.#seenByOrder.delete(event.order);
    if (wasPending) this.#changeDone(event.at);
  }

  /** An order that matched nothing when it was placed rests from here on. */
  #closeTaker(): void {
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker === undefined) return;
    taker.stand = 'resting';
    this.#rest(taker.level, taker.unmatched);
  }

  #rest(level: number, stake: number): void {
    this.#change.rest(level, stake);
    this.#touched = true;
  }

  #changeDone(at: Instant): void {
    if (!this.#touched) return;
    this.#touched = false;
    this.#changedAt = at;
    this.#changesWaiting += 1;
    if (this.#changesWaiting >= this.#eventsPerMessage) this.flush();
  }

  #marketChanged(command: Command, event: MarketChanged): void {
    if (event.market !== this.#market) return;
    const status = recordedStatus(event, this.#definition.status);
    const winners = command.kind === 'settle' ? command.winners : undefined;
    const { outcomes } = this.#definition;
    this.#define(event.at, {
      ...this.#definition,
      status,
      suspended: event.suspended || event.status === 'Locked' || event.status === 'Locking',
      inPlayStatus: event.inPlayStatus,
      inPlayDelayMs: event.inPlayDelayMs,
      outcomes: status === 'Settled' && winners !== undefined ? settled(outcomes, winners) : outcomes,
    });
  }

  #outcomeRemoved(event: Extract<ExchangeEvent, { readonly kind: 'outcomeRemoved' }>): void {
    if (event.market !== this.#market) return;
    const removed: RecordedOutcome = { status: 'Removed', factorPpm: event.factorPpm, removedAt: instant(event.at) };
    const outcomes = this.#definition.outcomes.map((outcome, index) => (index === event.outcome ? removed : outcome));
    this.#define(event.at, { ...this.#definition, outcomes });
  }

  /** Writes what came before a new definition under the old one. Only the last definition of a command is written. */
  #define(at: Instant, definition: RecordedDefinition): void {
    if (this.#touched) this.#changedAt = at;
    if (!this.#definitionIsNew) this.flush();
    this.#definition = definition;
    this.#definitionIsNew = true;
    this.#changedAt = at;
  }
}

function recordedStatus(event: MarketChanged, before: RecordedStatus): RecordedStatus {
  switch (event.status) {
    case 'Initializing':
      return 'Initializing';
    case 'Open':
    case 'Locking':
    case 'Locked':
    case 'Settling':
    case 'Voiding':
      return 'Open';
    case 'Settled':
    case 'Voided':
      return event.status;
    case 'Closed':
      return before;
  }
}

function settled(outcomes: readonly RecordedOutcome[], winners: readonly number[]): readonly RecordedOutcome[] {
  return outcomes.map((outcome, index) => {
    if (outcome.status === 'Removed') return outcome;
    return { ...outcome, status: winners.includes(index) ? 'Winner' : 'Loser' };
  });
}
