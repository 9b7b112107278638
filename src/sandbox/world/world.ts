/** The sandbox's whole state: the exchange machine, the names around it, and one way to change both. */

import { present } from '../../core/assert.ts';
import { type Instant, instant } from '../../core/units.ts';
import type { ExchangeEvent } from '../../matching/event.ts';
import { Exchange } from '../../matching/exchange.ts';
import type { Rules } from '../../matching/rules.ts';
import { Catalogue } from './catalogue.ts';
import type { Change, ChangeRefusal, MachineCommand } from './change.ts';
import { Chronicle } from './chronicle.ts';
import { Holders } from './holders.ts';

export interface WorldOptions {
  readonly rules?: Partial<Rules>;
}

/** `events` are what the machine did, things that fell due included; a refused change has none of its own. */
export type Changed =
  | { readonly kind: 'done'; readonly events: readonly ExchangeEvent[] }
  | { readonly kind: 'refused'; readonly refusal: ChangeRefusal; readonly events: readonly ExchangeEvent[] };

/** Told after each change that was made, with its events, before the one who made it goes on. Makes no changes itself. */
export type WorldListener = (change: Change | undefined, events: readonly ExchangeEvent[]) => void;

/** A pure function of its changes: the same list gives the same world. */
export class World {
  readonly exchange: Exchange;
  readonly catalogue = new Catalogue();
  readonly holders = new Holders();
  readonly #chronicle: Chronicle;
  readonly #listeners: WorldListener[] = [];

  constructor(options: WorldOptions = {}) {
    this.exchange = new Exchange(options.rules === undefined ? {} : { rules: options.rules });
    this.#chronicle = new Chronicle(this.exchange, this.catalogue, this.holders);
  }

  listen(listener: WorldListener): void {
    this.#listeners.push(listener);
  }

  /** The instant that a change made now bears: the given one, or the world's where that is later. */
  at(now: number): Instant {
    return instant(Math.max(Math.floor(now), this.exchange.now));
  }

  /** Lets fall due what is due by now: delays that end, heartbeats that lapse. It is no change: the next one would do so too. */
  advance(at: Instant): void {
    this.exchange.apply({ at, kind: 'advance' });
    const events = this.#drain();
    if (events.length > 0) this.#tell(undefined, events);
  }

  apply(change: Change): Changed {
    this.advance(change.at);
    const refusal = this.#make(change);
    const events = this.#drain(change);
    if (refusal === undefined) this.#tell(change, events);
    return refusal === undefined ? { kind: 'done', events } : { kind: 'refused', refusal, events };
  }

  #make(change: Change): ChangeRefusal | undefined {
    const { at } = change;
    switch (change.kind) {
      case 'command':
        return this.#command(at, change.command);
      case 'createApp':
      case 'createWallet':
      case 'createCommissionRate':
        return this.#createHolder(change);
      case 'createKey':
        if (this.holders.apps[change.app] === undefined) return { code: 'UNKNOWN_ID', what: `app ${change.app}` };
        return this.holders.createKey(change, at);
      case 'deactivateKey':
        return this.holders.deactivateKey(change.name, at);
      case 'openSession':
        return this.holders.openSession(change, at);
      case 'createEvent':
        return this.#createEvent(change);
      case 'setEventTimes':
        return this.#setEventTimes(change);
      case 'createMarket':
        return this.#createMarket(change);
      default:
        return this.catalogue.put(change);
    }
  }

  #command(at: Instant, command: MachineCommand): ChangeRefusal | undefined {
    this.exchange.apply({ at, ...command });
    return this.#refusedByMachine();
  }

  #createHolder(
    change: Extract<Change, { kind: 'createApp' | 'createWallet' | 'createCommissionRate' }>,
  ): ChangeRefusal | undefined {
    const { at } = change;
    if (change.kind === 'createApp') {
      if (this.holders.appById(change.id) !== undefined) return { code: 'ID_TAKEN', what: `app ${change.id}` };
      const app = this.holders.apps.length;
      this.holders.addApp({ app, id: change.id, name: change.name, isHouse: change.isHouse === true, createdAt: at });
      return this.#command(at, { kind: 'createApp' });
    }
    if (change.kind === 'createCommissionRate') {
      const { app, ratePpm, isDefault } = change;
      const refusal = this.#command(at, { kind: 'createCommissionRate', app, ratePpm, isDefault });
      if (refusal === undefined) this.holders.addRate(this.holders.rates.length, change, at);
      return refusal;
    }
    return this.#command(at, { kind: 'createWallet', app: change.app });
  }

  #createEvent(change: Extract<Change, { kind: 'createEvent' }>): ChangeRefusal | undefined {
    const refusal = this.catalogue.refuseEvent(change);
    if (refusal !== undefined) return refusal;
    const { app, at } = change;
    const made = this.#command(at, { kind: 'createEvent', app });
    if (made === undefined) this.catalogue.addEvent(this.#newest('eventCreated').event, change, at);
    return made;
  }

  #setEventTimes(change: Extract<Change, { kind: 'setEventTimes' }>): ChangeRefusal | undefined {
    const record = this.catalogue.events.get(change.event);
    if (record === undefined) return { code: 'UNKNOWN_ID', what: `event ${change.event}` };
    if (change.expectedStartTime !== undefined) record.expectedStartTime = change.expectedStartTime;
    if (change.actualStartTime !== undefined) record.actualStartTime = change.actualStartTime;
    if (change.actualEndTime !== undefined) record.actualEndTime = change.actualEndTime;
    record.modifiedAt = change.at;
    return undefined;
  }

  #createMarket(change: Extract<Change, { kind: 'createMarket' }>): ChangeRefusal | undefined {
    const refusal = this.catalogue.refuseMarket(change);
    if (refusal !== undefined) return refusal;
    const { at, app, event, winners, crossMatching, turnsInPlay, inPlayDelayMs, lockAt } = change;
    const currency = present(this.catalogue.currencies.get(change.currencyId), 'the currency was looked at').currency;
    const { eventStartAction, marketLockAction } = change;
    const made = this.#command(at, {
      ...{ kind: 'createMarket', app, event, currency, outcomes: change.outcomes.length, winners },
      ...{ crossMatching, turnsInPlay, inPlayDelayMs, lockAt, eventStartAction, marketLockAction },
    });
    if (made === undefined) this.catalogue.addMarket(this.#newest('marketCreated').market, change);
    return made;
  }

  /** The newest event of its kind among those of the change being made. */
  #newest<K extends ExchangeEvent['kind']>(kind: K): Extract<ExchangeEvent, { readonly kind: K }> {
    const { events } = this.exchange;
    let found: Extract<ExchangeEvent, { readonly kind: K }> | undefined;
    for (let index = events.length - 1; index >= 0 && found === undefined; index -= 1) {
      const event = events.read(index);
      if (isOfKind(event, kind)) found = event;
    }
    return present(found, `the machine told ${kind}`);
  }

  /** Takes the machine's new events, and books them. */
  #drain(change?: Change): readonly ExchangeEvent[] {
    const log = this.exchange.events;
    const events: ExchangeEvent[] = [];
    for (let index = 0; index < log.length; index += 1) events.push(log.read(index));
    log.clear();
    for (const event of events) this.#chronicle.book(event, change);
    return events;
  }

  #tell(change: Change | undefined, events: readonly ExchangeEvent[]): void {
    for (const listener of this.#listeners) listener(change, events);
  }

  #refusedByMachine(): ChangeRefusal | undefined {
    const { events } = this.exchange;
    const last = events.length === 0 ? undefined : events.read(events.length - 1);
    return last?.kind === 'refused' ? { code: 'MACHINE', what: last.reason } : undefined;
  }
}

function isOfKind<K extends ExchangeEvent['kind']>(
  event: ExchangeEvent,
  kind: K,
): event is Extract<ExchangeEvent, { readonly kind: K }> {
  return event.kind === kind;
}
