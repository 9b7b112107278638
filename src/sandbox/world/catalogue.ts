/** Categories down to markets as the sandbox knows them, by the API's ids. Records of what changes are made anew. */

import type { Instant } from '../../core/units.ts';
import type { CatalogueChange, ChangeRefusal, MarketChange, ReferencedKind } from './change.ts';
import { numericId } from './ids.ts';
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

type PutChange = { readonly at: Instant } & CatalogueChange;
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
  readonly references: ReferenceRecord[] = [];
  /** By the machine's ids. */
  readonly events = new Map<number, EventRecord>();
  readonly markets = new Map<number, MarketRecord>();
  /** Which market and which of its outcomes an outcome id names. */
  readonly outcomes = new Map<string, { readonly market: number; readonly outcome: number }>();
  readonly notes = new Map<string, string>();
  readonly #currencyIds: string[] = [];
  readonly #referencesByTarget = new Map<string, ReferenceRecord[]>();
  readonly #referencesByName = new Map<string, ReferenceRecord[]>();
  #outcomesMade = 0;

  currencyId(currency: number): string {
    return this.#currencyIds[currency] ?? '';
  }

  referencesOf(target: ReferencedKind, id: string): readonly ReferenceRecord[] {
    return this.#referencesByTarget.get(`${target} ${id}`) ?? [];
  }

  /** The API's ids of what a record of another system names. */
  idsByReference(target: ReferencedKind, source: string, reference: string): readonly string[] {
    const found = this.#referencesByName.get(`${target} ${source} ${reference}`) ?? [];
    return found.map(({ targetId }) => targetId);
  }

  put(change: PutChange): ChangeRefusal | undefined {
    const { at } = change;
    switch (change.kind) {
      case 'createCurrency':
        return this.#createCurrency(change.id);
      case 'createCategory':
        return create(this.categories, { id: change.id, name: change.name, createdAt: at, modifiedAt: at });
      case 'createSubcategory': {
        if (!this.categories.has(change.categoryId)) return unknown(`category ${change.categoryId}`);
        const { id, name, categoryId } = change;
        return create(this.subcategories, { id, name, categoryId, createdAt: at, modifiedAt: at });
      }
      case 'createEventGroup': {
        if (!this.subcategories.has(change.subcategoryId)) return unknown(`subcategory ${change.subcategoryId}`);
        const { id, name, subcategoryId } = change;
        return create(this.eventGroups, { id, name, subcategoryId, createdAt: at, modifiedAt: at });
      }
      case 'createParticipant': {
        if (!this.subcategories.has(change.subcategoryId)) return unknown(`subcategory ${change.subcategoryId}`);
        const { id, code, name, type, subcategoryId } = change;
        return create(this.participants, { id, code, name, type, subcategoryId, active: true });
      }
      case 'createMarketType': {
        const { id, outcomes, winners } = change;
        return create(this.marketTypes, { id, outcomes, winners, createdAt: at, modifiedAt: at });
      }
      case 'createReferenceSource':
        if (this.sources.has(change.code)) return { code: 'ID_TAKEN', what: `reference source ${change.code}` };
        this.sources.set(change.code, { code: change.code, description: change.description });
        return undefined;
      case 'addReference':
        return this.#addReference(change);
      case 'setNote':
        if (change.value === undefined) this.notes.delete(change.key);
        else this.notes.set(change.key, change.value);
        return undefined;
    }
  }

  /** Why the event cannot be made, looked at before the machine makes it. */
  refuseEvent(change: CreateEvent): ChangeRefusal | undefined {
    if (!this.eventGroups.has(change.eventGroupId)) return unknown(`event group ${change.eventGroupId}`);
    const stranger = change.participantIds.find((id) => !this.participants.has(id));
    return stranger === undefined ? undefined : unknown(`participant ${stranger}`);
  }

  addEvent(event: number, change: CreateEvent, at: Instant): EventRecord {
    const { app, eventGroupId, name, code, expectedStartTime, participantIds } = change;
    const record: EventRecord = {
      ...{ event, id: numericId(event), app, eventGroupId, name, code, participantIds, expectedStartTime },
      ...{ createdAt: at, modifiedAt: at, actualStartTime: undefined, actualEndTime: undefined },
    };
    this.events.set(event, record);
    return record;
  }

  refuseMarket(change: CreateMarket): ChangeRefusal | undefined {
    const type = this.marketTypes.get(change.marketTypeId);
    if (type === undefined) return unknown(`market type ${change.marketTypeId}`);
    if (!this.currencies.has(change.currencyId)) return unknown(`currency ${change.currencyId}`);
    if (!this.events.has(change.event)) return unknown(`event ${change.event}`);
    const count = change.outcomes.length;
    if (count < type.outcomes.min || count > type.outcomes.max)
      return { code: 'INVALID', what: `${change.marketTypeId} has no markets of ${count} outcomes` };
    const stranger = change.outcomes.find(({ participantId: id }) => id !== undefined && !this.participants.has(id));
    return stranger === undefined ? undefined : unknown(`participant ${stranger.participantId}`);
  }

  addMarket(market: number, change: CreateMarket): MarketRecord {
    const { kind, outcomes: titles, crossMatching, turnsInPlay, inPlayDelayMs, lockAt, ...same } = change;
    const outcomes = titles.map((outcome, index) => {
      this.#outcomesMade += 1;
      const id = String(this.#outcomesMade);
      this.outcomes.set(id, { market, outcome: index });
      return { ...outcome, id, ordering: index + 1 };
    });
    const record: MarketRecord = { ...same, market, id: numericId(market), outcomes, version: 0 };
    this.markets.set(market, record);
    return record;
  }

  forgetMarket(market: number): void {
    for (const { id } of this.markets.get(market)?.outcomes ?? []) this.outcomes.delete(id);
    this.markets.delete(market);
  }

  #createCurrency(id: string): ChangeRefusal | undefined {
    const refusal = create(this.currencies, { id, currency: this.#currencyIds.length });
    if (refusal === undefined) this.#currencyIds.push(id);
    return refusal;
  }

  #addReference(change: Extract<CatalogueChange, { kind: 'addReference' }>): ChangeRefusal | undefined {
    const { source, reference, target, id } = change;
    if (!this.sources.has(source)) return unknown(`reference source ${source}`);
    if (!this.#has(target, id)) return unknown(`${target} ${id}`);
    const record = { id: this.references.length + 1, source, reference, target, targetId: id };
    this.references.push(record);
    push(this.#referencesByTarget, `${target} ${id}`, record);
    push(this.#referencesByName, `${target} ${source} ${reference}`, record);
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
        return [...this.events.values()].some((event) => event.id === id);
      case 'market':
        return [...this.markets.values()].some((market) => market.id === id);
    }
  }
}

function create<R extends { readonly id: string }>(into: Map<string, R>, record: R): ChangeRefusal | undefined {
  if (into.has(record.id)) return { code: 'ID_TAKEN', what: record.id };
  into.set(record.id, record);
  return undefined;
}

function push<R>(into: Map<string, R[]>, key: string, record: R): void {
  const list = into.get(key);
  if (list === undefined) into.set(key, [record]);
  else list.push(record);
}

function unknown(what: string): ChangeRefusal {
  return { code: 'UNKNOWN_ID', what };
}
