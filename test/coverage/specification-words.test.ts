/** Nothing that the specification's own text names is missing from the items whose coverage is shown. */

import { describe, expect } from 'vitest';
import type { Endpoint } from '../../src/betdex/wire/endpoint.ts';
import { endpointOf, itemsOfSpecification } from '../support/coverage/items.ts';
import { specificationWords } from '../support/coverage/specification-words.ts';
import { RESOURCE_GROUPS } from '../support/coverage/table.ts';
import { testWithSpecification } from '../support/coverage/with-specification.ts';

const items = itemsOfSpecification();

/** How the specification calls a resource, and the document that it is here. */
const DOCUMENT_OF: Readonly<Record<string, string>> = {
  _meta: '_meta',
  PageMeta: 'PageMeta',
  DocumentReference: 'DocumentReference',
  'Order (full form)': 'Order',
  'Order (reduced form': 'OrderSummary',
  'Order failure (element of the orders array in a batch creation response)': 'OrderFailure',
  MarketSummary: 'MarketSummary',
  EventSummary: 'EventSummary',
  TradeSummary: 'TradeSummary',
  EventGroupSummary: 'EventGroupSummary',
  SubcategorySummary: 'SubcategorySummary',
  CategorySummary: 'CategorySummary',
  'Trade (full form, from the trades-by-order operation)': 'Trade',
  'Market (full form)': 'Market',
  'Sibling arrays in the market response: marketTypes': 'MarketTypeSummary',
  'Sibling arrays in the market response: marketOutcomes': 'MarketOutcome',
  'Sibling arrays in the market response: externalReferences': 'ExternalReference',
  'Sibling arrays in the market response: participants': 'ParticipantSummary',
  'Event (full form)': 'Event',
  'Sibling arrays in the event response: eventGroups': 'EventGroupDated',
  'Sibling arrays in the event response: subcategories': 'SubcategoryDated',
  'Sibling arrays in the event response: categories': 'Category',
  'Sibling arrays in the event response: participants': 'EventParticipant',
  'Sibling arrays in the event response: externalReferences': 'ExternalReference',
  Wallet: 'Wallet',
  balances: 'Balance',
  'Market position': 'MarketPosition',
  'Wallet metrics': 'WalletMetrics',
  'Deposit address': 'DepositAddress',
  'Deposit request': 'DepositRequest',
  'App API key': 'AppApiKey',
  Heartbeat: 'Heartbeat',
  'Commission rate': 'CommissionRate',
  'Market type': 'MarketType',
  'External reference source': 'ExternalReferenceSource',
  'Market price ladder': 'PriceLadder',
};
/** Not a document of an answer: its fields stand among the bodies of `createOrders`. */
const CREATE_ORDER = 'Order creation request item (CreateOrderRequest)';

function endpointNames(): readonly string[] {
  return items.operations.map((operation) => {
    const { method, path } = endpointOf(operation);
    return `${method} ${path}`;
  });
}

describe('the specification', () => {
  testWithSpecification('names the endpoints that are shown, no other', (text) => {
    expect([...specificationWords(text).endpoints].sort()).toEqual([...endpointNames()].sort());
  });

  testWithSpecification('names the fields of each resource as its document has them', (text) => {
    const { resources } = specificationWords(text);
    expect([...resources.keys()].sort()).toEqual([...Object.keys(DOCUMENT_OF), CREATE_ORDER].sort());
    for (const [resource, fields] of resources) {
      if (resource === CREATE_ORDER) continue;
      const document = DOCUMENT_OF[resource] ?? '';
      expect([...(items.documents.get(document) ?? [])].sort(), resource).toEqual([...fields].sort());
    }
    expect(items.documents.get('WalletApiKey')).toEqual(
      expect.arrayContaining([...(resources.get('App API key') ?? []), 'walletId']),
    );
  });

  testWithSpecification('names the fields of a new order as the bodies have them', (text) => {
    const asked = items.requests.flatMap(({ operation, part, path }) =>
      operation === 'createOrders' && part === 'body' ? (/^requests\[\]\.(\w+)$/.exec(path)?.[1] ?? []) : [],
    );
    expect([...asked].sort()).toEqual([...(specificationWords(text).resources.get(CREATE_ORDER) ?? [])].sort());
  });

  testWithSpecification('names the parts of each answer as the endpoint has them', (text) => {
    for (const [name, parts] of specificationWords(text).answers) {
      const operation = items.operations.find((each) => {
        const { method, path }: Endpoint = endpointOf(each);
        return `${method} ${path}` === name;
      });
      if (operation === undefined) throw new Error(`${name} is not shown`);
      expect(Object.keys(endpointOf(operation).answer.schema.properties).sort(), name).toEqual([...parts].sort());
    }
  });

  testWithSpecification(
    'names the words of each list, the order errors, statuses and groups that are shown',
    (text) => {
      const words = specificationWords(text);
      expect(items.words.get('OrderErrorCode')).toEqual(words.errorCodes);
      expect(items.words.get('OrderStatus')).toEqual(words.orderStatuses);
      expect(items.words.get('MarketStatus')).toEqual(words.marketStatuses);
      expect(items.words.get('InPlayStatus')).toEqual(words.inPlayStatuses);
      expect(items.words.get('PrimaryDocument')).toEqual(words.primaryDocuments);
      expect(items.words.get('WalletType')).toEqual(words.walletTypes);
      expect(words.batchStatuses).toEqual([400, 401, 403, 503]);
      expect(RESOURCE_GROUPS.map(([group]) => group)).toEqual(words.groups);
      const grouped = RESOURCE_GROUPS.flatMap(([, operations]) => operations);
      expect([...grouped].sort()).toEqual([...items.operations].sort());
    },
  );
});
