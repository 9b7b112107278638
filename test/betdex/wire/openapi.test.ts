/** The OpenAPI document is complete, refers to nothing outside itself, and is the one that is committed. */

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { openApiDocument, openApiText } from '../../../src/betdex/wire/openapi.ts';
import { CALLED_ANSWERS, OTHER_ANSWERS, strictSample } from '../../support/wire-strict.ts';

type Json = Record<string, unknown>;
const document = JSON.parse(openApiText()) as Json;
const paths = document['paths'] as Record<string, Record<string, Json>>;
const components = document['components'] as Record<string, Json>;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, name: `${method} ${path}` })),
);

const SPECIFIED = `
post /orders/batch
post /orders/cancel
post /orders/cancel-v2
get /orders/{id}
get /orders/{id}/trades
get /markets/{id}
get /market-types
get /market-prices/ladder
get /events/{id}
get /events/by-reference/{source}/{reference}
get /external-reference-sources
get /wallets
get /wallets/{id}/positions-all
get /wallets/{id}/positions
get /wallets/{id}/metrics
get /wallets/{id}/deposits/addresses
post /wallets/{id}/deposits/{currencyId}
post /api-keys
post /api-keys/deactivate
post /wallets/{id}/api-keys
get /heartbeats
delete /heartbeats
get /apps/{id}/commission-rates
`;

/** The endpoints of the profile's sections 1, 2 and 4. */
const ADDED = `
post /sessions
post /sessions/refresh
post /heartbeats
get /markets
get /market-prices
get /events
get /categories
get /subcategories
get /event-groups
get /orders
get /orders/by-reference/{reference}
post /orders
get /trades
get /trades/{id}
get /wallets/{id}
get /wallets/{id}/transactions
get /faucet
get /markets/{id}/prices
get /markets/{id}/prices-v2
get /markets/{id}/orders
get /markets/{id}/positions
get /markets/by-reference/{source}/{reference}
get /market-types/{id}
get /events/{id}/participants
get /categories/{id}
get /subcategories/{id}
get /event-groups/{id}
get /subcategories/{id}/participants
get /subcategories/by-reference/{source}/{reference}
get /event-groups/by-reference/{source}/{reference}
get /participants/by-reference/{source}/{reference}
post /orders/{id}/cancel
post /order-requests
post /order-requests/batch
get /orders/settled
post /wallets
get /orders/historical
get /orders/cancelled
get /trades/historical
get /markets/historical
`;

const listed = (text: string) => text.trim().split('\n').sort();
const from = (origin: string) =>
  operations.flatMap(({ name, operation }) => (operation['x-from'] === origin ? [name] : [])).sort();

test('has every endpoint of the specification and of the profile, and no other', () => {
  expect(from('specification')).toEqual(listed(SPECIFIED));
  expect(from('profile')).toEqual(listed(ADDED));
});

test('docs/openapi.json is the one that would be written now (npm run make:openapi)', () => {
  const committed = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
  expect(JSON.parse(committed)).toEqual(document);
});

test('is made the same twice, and is plain JSON', () => {
  expect(openApiText()).toBe(openApiText());
  expect(openApiDocument()).toEqual(document);
});

describe('structure', () => {
  test('head', () => {
    expect(document['openapi']).toBe('3.1.0');
    expect(document['info']).toMatchObject({ title: expect.any(String), version: '0.1' });
    expect(document['security']).toEqual([{ session: [] }]);
    expect(components['securitySchemes']).toMatchObject({ session: { type: 'http', scheme: 'bearer' } });
  });

  test('every reference leads somewhere, and every component is referred to', () => {
    const used = new Set<string>();
    everyObject(document, (node) => {
      const reference = node['$ref'];
      if (typeof reference !== 'string') return;
      expect(reference).toMatch(/^#\/components\/(schemas|responses)\/\w+$/);
      const [, , kind = '', name = ''] = reference.split('/');
      expect(components[kind]?.[name], reference).toBeDefined();
      used.add(`${kind}/${name}`);
    });
    const all = ['schemas', 'responses'].flatMap((kind) =>
      Object.keys(components[kind] ?? {}).map((n) => `${kind}/${n}`),
    );
    expect([...used].sort()).toEqual(all.sort());
  });

  test('operations have names of their own, their path’s parameters, and an answer for success and for failure', () => {
    const names = operations.map(({ operation }) => operation['operationId']);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, operation, name } of operations) {
      const parameters = (operation['parameters'] ?? []) as Json[];
      const inPath = parameters.flatMap((each) => (each['in'] === 'path' ? [each['name']] : []));
      expect(inPath, name).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
      for (const each of parameters)
        expect(Object.keys(each)).toEqual(expect.arrayContaining(['name', 'in', 'required', 'schema']));
      const keys = parameters.map((each) => `${each['in']} ${each['name']}`);
      expect(new Set(keys).size, name).toBe(keys.length);
      expect(Object.keys(operation['responses'] as Json)).toEqual(
        expect.arrayContaining(['200', '400', '401', '403', '503']),
      );
    }
  });

  test('only POST has a body, and only the session calls go without a session', () => {
    const withBody = operations.filter(({ operation }) => 'requestBody' in operation);
    expect(new Set(withBody.map(({ method }) => method))).toEqual(new Set(['post']));
    const open = operations.filter(({ operation }) => 'security' in operation).map(({ name }) => name);
    expect(open).toEqual(['post /sessions', 'post /sessions/refresh']);
    const deprecated = operations.filter(({ operation }) => operation['deprecated'] === true).map(({ name }) => name);
    expect(deprecated.sort()).toEqual(['post /orders/cancel', 'post /orders/{id}/cancel']);
  });

  test('a batch that fails as a whole has the shape of its answer, with title and details', () => {
    const responses = paths['/orders/batch']?.['post']?.['responses'] as Json;
    for (const status of ['400', '401', '403', '503']) {
      expect(JSON.stringify(responses[status])).toContain('BatchOrderProblem');
    }
    const problem = components['schemas']?.['BatchOrderProblem'] as Record<string, Json> | undefined;
    const keys = Object.keys(problem?.['properties'] ?? {});
    expect(keys).toEqual(expect.arrayContaining(['_meta', 'orders', 'markets', 'trades', 'title', 'details']));
  });

  test('what the specification requires of a request for an order, less what has a default', () => {
    expect(components['schemas']?.['CreateOrderRequest']).toMatchObject({
      required: ['walletId', 'marketId', 'side', 'outcomeId', 'price', 'stake'],
      properties: { keepWhenInPlay: { default: false }, matchBehavior: { default: 'RetainUnmatched' } },
    });
    expect(components['schemas']?.['CreateOrdersRequest']).toMatchObject({
      properties: { requests: { minItems: 1, maxItems: 50 } },
    });
  });
});

test('every schema compiles once its references are resolved, and its examples fit', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', ...document });
  let examples = 0;
  for (const [name, schema] of Object.entries(components['schemas'] ?? {})) {
    const isAllowed = ajv.compile({ $ref: `api#/components/schemas/${name}` });
    for (const example of ((schema as Json)['examples'] ?? []) as unknown[]) {
      expect([name, isAllowed(example), isAllowed.errors]).toEqual([name, true, null]);
      examples += 1;
    }
  }
  expect(examples).toBe(2);
});

test('the answers it describes are those of the strict check', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', ...document });
  for (const [request, shape] of [...CALLED_ANSWERS, ...OTHER_ANSWERS]) {
    const [method = '', path = ''] = request.split(' ');
    const pointer = path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const place = `paths/${pointer}/${method.toLowerCase()}/responses/200/content/application~1json/schema`;
    const isAllowed = ajv.compile({ $ref: `api#/${place}` });
    const sample = strictSample(shape, true);
    expect([request, isAllowed(sample), isAllowed.errors]).toEqual([request, true, null]);
    expect(isAllowed({ ...sample, undeclared: 1 }), request).toBe(false);
  }
});

function everyObject(node: unknown, visit: (node: Json) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) visit(node as Json);
  for (const child of Object.values(node)) everyObject(child, visit);
}
