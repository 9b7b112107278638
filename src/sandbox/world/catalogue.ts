/**
 * The sandbox's catalogue: categories down to markets, by the API's ids. Records of unchanging things are never
 * modified.
 */

import { defined } from '../../core/checks/assert.ts';
import type { Instant } from '../../core/number/units.ts';
import type { CatalogueChange, ChangeRefusal, MarketChange, ReferencedKind } from './change.ts';
import { countOfId, numericId } from './ids.ts';
import { IN_PLAY_DELAY_MAX_MS, invalid, isInstant, refuseId, taken, unknown } from './limits.ts';
import type {
  CategoryRecord,
  CurrencyRecord,
  EventGroupRecord,
  EventRecord,
  MarketRecord,
  MarketTypeRecord,
  ParticipantRecord,
  ReferenceRecord,
  ReferenceSourceRecord,
  SubcategoryRecord,
} from './records.ts';

type CreateEvent = Extract<MarketChange, { kind: 'createEvent' }>;
type CreateMarket = Extract<MarketChange, { kind: 'createMarket' }>;

/** All maps keep the order of creation. */
export class Catalogue {
  readonly currencies = new Map<string, CurrencyRecord>();
  readonly categories = new Map<string, CategoryRecord>();
  readonly subcategories = new Map<string, SubcategoryRecord>();
  readonly eventGroups = new Map<string, EventGroupRecord>();
  readonly participants = new Map<string, ParticipantRecord>();
  readonly marketTypes = new Map<string, MarketTypeRecord>();
  readonly sources = new Map<string, ReferenceSourceRecord>();
  /** Events and markets by the exchange machine's numbers. */
  readonly events = new Map<number, EventRecord>();
  readonly markets = new Map<number, MarketRecord>();
  /** Market and index of the outcome, by outcome id. */
  readonly outcomes = new Map<string, { readonly market: number; readonly outcome: number }>();
  readonly notes = new Map<string, string>();
  readonly #references = new References();
  readonly #currencyIds: string[] = [];
  #outcomesMade = 0;

  currencyId(currency: number): string {
    return defined(this.#currencyIds[currency], 'every currency of the machine has an id');
  }

  /** The external references of the record with this API id, oldest first. */
  referencesOf(target: ReferencedKind, id: string): readonly ReferenceRecord[] {
    return this.#references.of(target, id);
  }

  /** The API ids of the records that an external reference names. */
  idsByReference(target: ReferencedKind, source: string, reference: string): readonly string[] {
    return this.#references.named(target, source, reference).map(({ targetId }) => targetId);
  }

  put(change: { readonly at: Instant } & CatalogueChange): ChangeRefusal | undefined {
    switch (change.kind) {
      case 'createCurrency':
        return this.#createCurrency(change.id);
      case 'createCategory':
        return create(this.categories, dated(change));
      case 'createSubcategory':
        if (!this.categories.has(change.categoryId)) return unknown(`category ${change.categoryId}`);
        return create(this.subcategories, dated(change));
      case 'createEventGroup':
        if (!this.subcategories.has(change.subcategoryId)) return unknown(`subcategory ${change.subcategoryId}`);
        return create(this.eventGroups, dated(change));
      case 'createParticipant': {
        if (!this.subcategories.has(change.subcategoryId)) return unknown(`subcategory ${change.subcategoryId}`);
        const { kind: _, at, ...given } = change;
        return create(this.participants, { ...given, active: true });
      }
      case 'createMarketType':
        if (!isRange(change.outcomes, 1) || !isRange(change.winners, 0)) return invalid('no such range');
        return create(this.marketTypes, dated(change));
      case 'createReferenceSource':
        return this.#createSource(change.code, change.description);
      case 'addReference':
        return this.#addReference(change);
      case 'setNote':
        // Deleted first, so that notes are in the order of their last setting, whatever was set before.
        this.notes.delete(change.key);
        if (change.value !== undefined) this.notes.set(change.key, change.value);
        return undefined;
    }
  }

  /** Why the event cannot be created; checked before the exchange machine creates it. */
  refuseEvent(change: CreateEvent): ChangeRefusal | undefined {
    if (!this.eventGroups.has(change.eventGroupId)) return unknown(`event group ${change.eventGroupId}`);
    if (!isInstant(change.expectedStartTime)) return invalid('no such time');
    const { participantIds } = change;
    if (new Set(participantIds).size < participantIds.length) return invalid('a participant stands there twice');
    const stranger = participantIds.find((id) => !this.participants.has(id));
    return stranger === undefined ? undefined : unknown(`participant ${stranger}`);
  }

  addEvent(event: number, change: CreateEvent & { readonly at: Instant }): void {
    const times = { actualStartTime: undefined, actualEndTime: undefined };
    this.events.set(event, { ...dated(change), ...times, event, id: numericId(event) });
  }

  refuseMarket(change: CreateMarket): ChangeRefusal | undefined {
    const type = this.marketTypes.get(change.marketTypeId);
    if (type === undefined) return unknown(`market type ${change.marketTypeId}`);
    if (!this.currencies.has(change.currencyId)) return unknown(`currency ${change.currencyId}`);
    if (!this.events.has(change.event)) return unknown(`event ${change.event}`);
    const { outcomes, winners, inPlayDelayMs } = change;
    if (outcomes.length < type.outcomes.min || outcomes.length > type.outcomes.max)
      return invalid(`${type.id} has no markets of ${outcomes.length} outcomes`);
    if (!isRange(winners, type.winners.min) || winners.max > Math.min(type.winners.max, outcomes.length))
      return invalid(`${type.id} has no such range of winners`);
    if (!isInstant(change.lockAt)) return invalid('no such time of lock');
    if (!(inPlayDelayMs >= 0 && inPlayDelayMs <= IN_PLAY_DELAY_MAX_MS)) return invalid('no such in-play delay');
    const stranger = outcomes.find(({ participantId: id }) => id !== undefined && !this.participants.has(id));
    return stranger === undefined ? undefined : unknown(`participant ${stranger.participantId}`);
  }

  addMarket(market: number, change: CreateMarket): void {
    const outcomes = change.outcomes.map((outcome, index) => {
      this.#outcomesMade += 1;
      const id = String(this.#outcomesMade);
      this.outcomes.set(id, { market, outcome: index });
      return { ...outcome, id, ordering: index + 1 };
    });
    const { app, event, name, marketTypeId, marketValue, marketDiscriminator, currencyId, winners, recorded } = change;
    this.markets.set(market, {
      market,
      id: numericId(market),
      app,
      event,
      name,
      marketTypeId,
      currencyId,
      winners,
      outcomes,
      marketLockAction: change.marketLockAction,
      eventStartAction: change.eventStartAction,
      version: 0,
      shown: undefined,
      ...(recorded === undefined ? {} : { recorded }),
      ...(marketValue === undefined ? {} : { marketValue }),
      ...(marketDiscriminator === undefined ? {} : { marketDiscriminator }),
    });
  }

  show({ market, shown }: Extract<MarketChange, { kind: 'showMarket' }>): ChangeRefusal | undefined {
    const record = this.markets.get(market);
    if (record === undefined) return unknown(`market ${market}`);
    if (shown.outcomes.length !== record.outcomes.length) return invalid('other outcomes are shown');
    record.shown = shown;
    record.version += 1;
    return undefined;
  }

  /** Removes a market and the references to it. Does nothing where the market is unknown. */
  forgetMarket(market: number): void {
    const record = this.markets.get(market);
    if (record === undefined) return;
    for (const { id } of record.outcomes) this.outcomes.delete(id);
    this.markets.delete(market);
    this.#references.drop('market', record.id);
  }

  #createCurrency(id: string): ChangeRefusal | undefined {
    const refusal = create(this.currencies, { id, currency: this.#currencyIds.length });
    if (refusal === undefined) this.#currencyIds.push(id);
    return refusal;
  }

  #createSource(code: string, description: string): ChangeRefusal | undefined {
    if (this.sources.has(code)) return taken(`reference source ${code}`);
    const refusal = refuseId(code);
    if (refusal === undefined) this.sources.set(code, { code, description });
    return refusal;
  }

  #addReference(change: Extract<CatalogueChange, { kind: 'addReference' }>): ChangeRefusal | undefined {
    const { source, reference, target, id } = change;
    if (!this.sources.has(source)) return unknown(`reference source ${source}`);
    if (!this.#has(target, id)) return unknown(`${target} ${id}`);
    if (this.referencesOf(target, id).some((known) => known.source === source && known.reference === reference))
      return taken(`reference ${source} ${reference}`);
    this.#references.add({ source, reference, target, targetId: id });
    return undefined;
  }

  #has(target: ReferencedKind, id: string): boolean {
    switch (target) {
      case 'subcategory':
        return this.subcategories.has(id);
      case 'eventGroup':
        return this.eventGroups.has(id);
      case 'participant':
        return this.participants.has(id);
      case 'event':
        return this.events.has(countOfId(id) ?? -1);
      case 'market':
        return this.markets.has(countOfId(id) ?? -1);
    }
  }
}

/** The record that a change creates: what the change says of it, and its dates. */
function dated<C extends { readonly kind: string; readonly at: Instant }>({ kind: _, at, ...given }: C) {
  return { ...given, createdAt: at, modifiedAt: at };
}

function create<R extends { readonly id: string }>(into: Map<string, R>, record: R): ChangeRefusal | undefined {
  if (into.has(record.id)) return taken(record.id);
  const refusal = refuseId(record.id);
  if (refusal === undefined) into.set(record.id, record);
  return refusal;
}

function isRange(range: { readonly min: number; readonly max: number }, least: number): boolean {
  return Number.isInteger(range.min) && Number.isInteger(range.max) && range.min >= least && range.min <= range.max;
}

/** External references (ids in other systems), by the record named and by the name. */
class References {
  readonly #byTarget = new Map<string, ReferenceRecord[]>();
  readonly #byName = new Map<string, ReferenceRecord[]>();
  #made = 0;

  /** The references of the record with this API id, oldest first. */
  of(target: ReferencedKind, id: string): readonly ReferenceRecord[] {
    return this.#byTarget.get(`${target} ${id}`) ?? [];
  }

  /** The references with this name, oldest first: several records may have the same name. */
  named(target: ReferencedKind, source: string, reference: string): readonly ReferenceRecord[] {
    return this.#byName.get(`${target} ${source} ${reference}`) ?? [];
  }

  add(made: Omit<ReferenceRecord, 'id'>): void {
    this.#made += 1;
    const record = { id: this.#made, ...made };
    push(this.#byTarget, `${made.target} ${made.targetId}`, record);
    push(this.#byName, nameOf(record), record);
  }

  /** Removes every reference to a record that no longer exists. */
  drop(target: ReferencedKind, id: string): void {
    for (const record of this.of(target, id)) {
      const name = nameOf(record);
      const left = (this.#byName.get(name) ?? []).filter((other) => other !== record);
      if (left.length === 0) this.#byName.delete(name);
      else this.#byName.set(name, left);
    }
    this.#byTarget.delete(`${target} ${id}`);
  }
}

/** The key of a name. Target and source contain no blank, so no two names share a key. */
function nameOf({ target, source, reference }: ReferenceRecord): string {
  return `${target} ${source} ${reference}`;
}

function push<R>(into: Map<string, R[]>, key: string, record: R): void {
  const list = into.get(key);
  if (list === undefined) into.set(key, [record]);
  else list.push(record);
}
