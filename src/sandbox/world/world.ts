/** The whole state of the sandbox: the exchange machine, the records beside it, and one way to change both. */

import { assert, defined } from '../../core/checks/assert.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import { Exchange } from '../../matching/exchange.ts';
import type { PlaceRequest } from '../../matching/messages/command.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { Rules } from '../../matching/messages/rules.ts';
import { AppRegistry } from './app-registry.ts';
import { Catalogue } from './catalogue.ts';
import { type Change, type ChangeRefusal, type MachineCommand, NAMED_KINDS } from './change.ts';
import { ClearedOrders } from './cleared-orders.ts';
import { IN_PLAY_DELAY_MAX_MS, invalid, isInstant, unknown } from './limits.ts';
import { MoneyGuard } from './money-guard.ts';
import { RecordKeeper } from './record-keeper.ts';

export interface WorldOptions {
  readonly rules?: Partial<Rules>;
  /**
   * Keeps what users did in markets that are cleared away, at most so many orders. Absent: a market in which they had
   * orders is not cleared away.
   */
  readonly clearedOrdersMax?: number;
}

/**
 * The result of a change. `events` are those of the change itself; events that became due before it went to the
 * listeners separately. A refused change has none. They are read from the machine on first access: access them before
 * the next change.
 */
export type Changed =
  | { readonly kind: 'done'; readonly events: readonly ExchangeEvent[] }
  | { readonly kind: 'refused'; readonly refusal: ChangeRefusal; readonly events: readonly ExchangeEvent[] };

/**
 * Called after each change that was made and recorded, with its events, before `apply` returns; without a change for
 * events that became due. Must not make changes.
 */
export type WorldListener = (change: Change | undefined, events: readonly ExchangeEvent[]) => void;

const NO_EVENTS: readonly ExchangeEvent[] = [];

/**
 * A pure function of its changes: the same list gives the same world. An invalid change is refused and changes nothing
 * but the time.
 */
export class World {
  readonly exchange: Exchange;
  readonly catalogue = new Catalogue();
  readonly registry = new AppRegistry();
  readonly cleared: ClearedOrders | undefined;
  readonly #recordKeeper: RecordKeeper;
  readonly #money: MoneyGuard;
  readonly #listeners = new Map<WorldListener, (change: Change | undefined) => boolean>();
  #record: ((change: Change) => void) | undefined;
  #unwritten: { readonly why: unknown } | undefined;
  #turn = 0;

  constructor(options: WorldOptions = {}) {
    this.exchange = new Exchange(options.rules === undefined ? {} : { rules: options.rules });
    const { exchange, catalogue, registry } = this;
    const ordersMax = options.clearedOrdersMax;
    this.cleared =
      ordersMax === undefined ? undefined : new ClearedOrders({ exchange, catalogue, registry, ordersMax });
    this.#recordKeeper = new RecordKeeper({ exchange, catalogue, registry, cleared: this.cleared });
    this.#money = new MoneyGuard(this.exchange);
  }

  /**
   * Adds a listener; returns a function that removes it. Events are made into objects only for changes that `caresFor`
   * accepts.
   */
  listen(listener: WorldListener, caresFor: (change: Change | undefined) => boolean = () => true): () => void {
    this.#listeners.set(listener, caresFor);
    return () => this.#listeners.delete(listener);
  }

  /** Sets the recorder, of which there is one: from now on it is called with every change before any listener is. */
  recordWith(record: (change: Change) => void): void {
    assert(this.#record === undefined, 'a world is recorded once');
    this.#record = record;
  }

  /** The time of a change made now: the given one, or the world's where that is later. */
  at(now: number): Instant {
    return instant(Math.max(Math.floor(now), this.exchange.now));
  }

  /**
   * Applies what is due by now: delays that end, heartbeats that lapse. This is no change for the log: the next change
   * would apply them too.
   */
  advance(at: Instant): void {
    this.#newTurn();
    this.exchange.apply({ at, kind: 'advance' });
    if (this.exchange.events.length === 0) return;
    this.#recordKeeper.book(undefined);
    this.#notify(undefined, this.#newMadeChange());
  }

  /**
   * Makes a change. @throws what the recorder threw, at that change and all later ones, since the world is ahead of its
   * record
   */
  apply(change: Change): Changed {
    if (this.#unwritten !== undefined) throw this.#unwritten.why;
    const { at } = change;
    if (!isInstant(at) || at < this.exchange.now) {
      return { kind: 'refused', refusal: invalid('time runs forward'), events: NO_EVENTS };
    }
    this.advance(at);
    this.#newTurn();
    const refusal = this.#make(change);
    if (refusal !== undefined) return { kind: 'refused', refusal, events: NO_EVENTS };
    this.#recordKeeper.book(change);
    this.#write(change);
    const done = this.#newMadeChange();
    this.#notify(change, done);
    return done;
  }

  #write(change: Change): void {
    try {
      this.#record?.(change);
    } catch (why) {
      this.#unwritten = { why };
      throw why;
    }
  }

  #make(change: Change): ChangeRefusal | undefined {
    const { at } = change;
    switch (change.kind) {
      case 'command':
        return this.#refuseCommand(change.command) ?? this.#command(at, change.command);
      case 'createApp': {
        const refusal = this.registry.refuseApp(change.id);
        return refusal ?? this.#createApp(change);
      }
      case 'createWallet': {
        const { app, moneyStep } = change;
        return this.#applyToMachine(at, {
          kind: 'createWallet',
          app,
          ...(moneyStep === undefined ? {} : { moneyStep }),
        });
      }
      case 'createCommissionRate': {
        const { app, ratePpm, isDefault } = change;
        const refusal = this.#applyToMachine(at, { kind: 'createCommissionRate', app, ratePpm, isDefault });
        if (refusal === undefined) this.registry.addRate(this.registry.rates.length, change, at);
        return refusal;
      }
      case 'createKey':
        return this.registry.createKey(change, at);
      case 'deactivateKey':
        return this.registry.deactivateKey(change.name, at);
      case 'openSession':
        return this.registry.openSession(change, at);
      case 'createEvent':
        return this.#createEvent(change);
      case 'setEventTimes':
        return this.#setEventTimes(change);
      case 'createMarket':
        return this.#createMarket(change);
      case 'showMarket':
        return this.catalogue.show(change);
      default:
        return this.catalogue.put(change);
    }
  }

  #command(at: Instant, command: MachineCommand): ChangeRefusal | undefined {
    if (command.kind !== 'forget' || this.cleared === undefined) return this.#applyToMachine(at, command);
    const picture = this.cleared.picture(command.market);
    const refusal = this.#applyToMachine(at, command);
    if (refusal === undefined) this.cleared.keep(command.market, picture);
    return refusal;
  }

  #refuseCommand(command: MachineCommand): ChangeRefusal | undefined {
    switch (command.kind) {
      case 'openAccount':
      case 'deposit':
      case 'withdraw':
      case 'adjust':
      case 'transfer':
      case 'setOverdraft': {
        const refusal = this.#money.refuse(command, this.catalogue.currencies.size);
        if (refusal === undefined && command.kind === 'setOverdraft') this.#money.setOverdraft(command);
        return refusal;
      }
      default:
        return refuseCommand(command);
    }
  }

  /** Passes a command to the machine. A refused command leaves no trace in it. */
  #applyToMachine(
    at: Instant,
    command: Parameters<Exchange['apply']>[0] extends infer C ? Timeless<C> : never,
  ): ChangeRefusal | undefined {
    this.exchange.apply({ at, ...command });
    const { events } = this.exchange;
    if (events.length === 0 || events.kindAt(events.length - 1) !== 'refused') return undefined;
    const last = events.read(events.length - 1);
    events.retract();
    return { code: 'MACHINE', what: last.kind === 'refused' ? last.reason : last.kind };
  }

  #createApp(change: Extract<Change, { kind: 'createApp' }>): ChangeRefusal | undefined {
    const { at, id, name } = change;
    this.registry.addApp({ app: this.registry.apps.length, id, name, isHouse: change.isHouse === true, createdAt: at });
    return this.#applyToMachine(at, { kind: 'createApp' });
  }

  #createEvent(change: Extract<Change, { kind: 'createEvent' }>): ChangeRefusal | undefined {
    const { app, at } = change;
    const refusal = this.catalogue.refuseEvent(change) ?? this.#applyToMachine(at, { kind: 'createEvent', app });
    if (refusal === undefined) this.catalogue.addEvent(this.#newest('eventCreated').event, change);
    return refusal;
  }

  #setEventTimes(change: Extract<Change, { kind: 'setEventTimes' }>): ChangeRefusal | undefined {
    const record = this.catalogue.events.get(change.event);
    if (record === undefined) return unknown(`event ${change.event}`);
    const { expectedStartTime, actualStartTime, actualEndTime } = change;
    for (const time of [expectedStartTime, actualStartTime, actualEndTime]) {
      if (time !== undefined && !isInstant(time)) return invalid('no such time');
    }
    if (expectedStartTime !== undefined) record.expectedStartTime = expectedStartTime;
    if (actualStartTime !== undefined) record.actualStartTime = actualStartTime;
    if (actualEndTime !== undefined) record.actualEndTime = actualEndTime;
    record.modifiedAt = change.at;
    return undefined;
  }

  #createMarket(change: Extract<Change, { kind: 'createMarket' }>): ChangeRefusal | undefined {
    const refusal = this.catalogue.refuseMarket(change);
    if (refusal !== undefined) return refusal;
    const { at, app, event, winners, crossMatching, turnsInPlay, inPlayDelayMs, lockAt } = change;
    const currency = defined(this.catalogue.currencies.get(change.currencyId), 'the currency was looked at').currency;
    const { eventStartAction, marketLockAction } = change;
    const made = this.#applyToMachine(at, {
      kind: 'createMarket',
      app,
      event,
      currency,
      outcomes: change.outcomes.length,
      winners,
      crossMatching,
      turnsInPlay,
      inPlayDelayMs,
      ...(change.delaysTakersOnly === undefined ? {} : { delaysTakersOnly: change.delaysTakersOnly }),
      lockAt,
      eventStartAction,
      marketLockAction,
    });
    if (made === undefined) this.catalogue.addMarket(this.#newest('marketCreated').market, change);
    return made;
  }

  /** The newest event of a kind among those of the current change. */
  #newest<K extends ExchangeEvent['kind']>(kind: K): Extract<ExchangeEvent, { readonly kind: K }> {
    const { events } = this.exchange;
    let found: Extract<ExchangeEvent, { readonly kind: K }> | undefined;
    for (let index = events.length - 1; index >= 0 && found === undefined; index -= 1) {
      const event = events.read(index);
      if (isOfKind(event, kind)) found = event;
    }
    return defined(found, `the machine told ${kind}`);
  }

  /** Starts a turn. The machine's log holds the events of one turn: of one change, or of what became due before it. */
  #newTurn(): void {
    this.exchange.events.clear();
    this.#turn += 1;
  }

  #eventsOf(turn: number): readonly ExchangeEvent[] {
    assert(turn === this.#turn, 'the events of a change are read before the next change');
    const { events } = this.exchange;
    return Array.from({ length: events.length }, (_, index) => events.read(index));
  }

  #newMadeChange(): MadeChange {
    return new MadeChange((turn) => this.#eventsOf(turn), this.#turn);
  }

  #notify(change: Change | undefined, done: MadeChange): void {
    for (const [listener, caresFor] of this.#listeners) if (caresFor(change)) listener(change, done.events);
  }
}

type Timeless<C> = C extends unknown ? Omit<C, 'at'> : never;

/** A change that was made; its events are read on first access. */
class MadeChange {
  readonly kind = 'done';
  readonly #read: (turn: number) => readonly ExchangeEvent[];
  readonly #turn: number;
  #events: readonly ExchangeEvent[] | undefined;

  constructor(read: (turn: number) => readonly ExchangeEvent[], turn: number) {
    this.#read = read;
    this.#turn = turn;
  }

  get events(): readonly ExchangeEvent[] {
    this.#events ??= this.#read(this.#turn);
    return this.#events;
  }
}

function isOfKind<K extends ExchangeEvent['kind']>(
  event: ExchangeEvent,
  kind: K,
): event is Extract<ExchangeEvent, { readonly kind: K }> {
  return event.kind === kind;
}

/**
 * Refuses commands that the exchange machine would misread or not understand, except those that move money, for which see money-guard.ts.
 */
function refuseCommand(command: MachineCommand): ChangeRefusal | undefined {
  switch (command.kind) {
    case 'place':
      return command.requests.every(hasIds) ? undefined : invalid('an order names something that is no id');
    case 'cancel': {
      const { orders = [], markets = [], events = [], wallets = [] } = command;
      const isFine = [orders, markets, events, wallets].every((ids) => ids.every(isCount));
      return isFine ? undefined : invalid('a list holds something that is no id');
    }
    case 'reduce':
    case 'setKeep':
      return isCount(command.order) ? undefined : invalid('an order is named by something that is no id');
    case 'replace': {
      const isFine = command.replacements.every(({ order }) => isCount(order));
      return isFine ? undefined : invalid('a replacement names something that is no id');
    }
    case 'setInPlayDelay':
      return command.delayMs <= IN_PLAY_DELAY_MAX_MS ? undefined : invalid('no such in-play delay');
    case 'setLockAt':
      return command.lockAt === undefined || isInstant(command.lockAt) ? undefined : invalid('no such time of lock');
    default: {
      const { kind }: { readonly kind: string } = command;
      return NAMED_KINDS.some((named) => named === kind) ? invalid(`${kind} has a change of its own`) : undefined;
    }
  }
}

function hasIds({ wallet, market, outcome, commissionRate }: PlaceRequest): boolean {
  return (
    isCount(wallet) && isCount(market) && isCount(outcome) && (commissionRate === undefined || isCount(commissionRate))
  );
}

/** NaN and ∞ are refused because JSON turns them into null, which counts as 0: the replayed change would differ. */
function isCount(id: number): boolean {
  return Number.isSafeInteger(id);
}
