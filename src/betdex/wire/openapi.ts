/** The API as an OpenAPI 3.1 document, made from the table of endpoints and the stream's messages. */

import type { TSchema } from '@sinclair/typebox';
import type { SchemaNode } from '../../codec/schema-node.ts';
import { Problem } from './answers.ts';
import { type Endpoint, pathParametersOf } from './endpoint.ts';
import { EVENT_ENDPOINTS, MARKET_ENDPOINTS, ORDER_ENDPOINTS, SESSION_ENDPOINTS } from './endpoints.ts';
import { ADDRESS_EXAMPLE, BATCH_EXAMPLE, ORDER_EXAMPLE, PRICES_EXAMPLE, SUBSCRIBE_EXAMPLE } from './examples.ts';
import { CLIENT_MESSAGES, SERVER_MESSAGES, StreamProblem } from './messages/stream.ts';
import { responsesOf, STATUS_MEANINGS, type Status } from './responses.ts';
import { WALLET_ENDPOINTS } from './wallet-endpoints.ts';

type Json = Record<string, unknown>;

const GROUPS: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = {
  'Sessions and app settings': SESSION_ENDPOINTS,
  Events: EVENT_ENDPOINTS,
  'Markets and prices': MARKET_ENDPOINTS,
  'Orders and trades': ORDER_ENDPOINTS,
  Wallets: WALLET_ENDPOINTS,
};

const EXAMPLES: Readonly<Record<string, unknown>> = { Order: ORDER_EXAMPLE, CreateOrdersRequest: BATCH_EXAMPLE };

/** The content of docs/openapi.json. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), undefined, 2)}\n`;
}

export function openApiDocument(): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const [tag, endpoints] of Object.entries(GROUPS)) {
    for (const [operationId, endpoint] of Object.entries(endpoints)) {
      const atPath = paths[endpoint.path] ?? {};
      atPath[endpoint.method.toLowerCase()] = { operationId, tags: [tag], ...operationOf(endpoint, components) };
      paths[endpoint.path] = atPath;
    }
  }
  const stream = streamOf(components);
  const responses = problems(components);
  return {
    openapi: '3.1.0',
    info: { title: 'Betting Exchange Trading API', version: '0.1', description: DESCRIPTION },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:8080' } } }],
    security: [{ session: [] }],
    tags: Object.keys(GROUPS).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer', description: 'The access token of a session.' } },
      responses,
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    'x-stream': stream,
  };
}

const DESCRIPTION = [
  'The endpoints of the specification, and those that the live exchange has beside them: `x-from` says which.',
  'Documents are closed: a server sends the fields named and no other. Clients should read past unknown fields and words.',
  `Lists are one comma-joined value, and only sort repeats: \`GET ${ADDRESS_EXAMPLE}\`.`,
].join(' ');

function operationOf(endpoint: Endpoint, components: Json): Json {
  const body = endpoint.body === undefined ? undefined : asRequest(endpoint.body);
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint, components)];
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonOf(body, components) } }),
    responses: Object.fromEntries(
      [...responsesOf(endpoint)].map(([status, schema]) => [String(status), responseOf(status, schema, components)]),
    ),
    ...(endpoint.open ? { security: [] } : {}),
    ...(endpoint.deprecated ? { deprecated: true } : {}),
    ...(endpoint.sandboxOnly ? { 'x-sandbox-only': true } : {}),
    'x-from': endpoint.from,
  };
}

/** The response of one status. The problem that all failures share stands once among the components, for each status. */
function responseOf(status: Status, schema: TSchema, components: Json): Json {
  if (schema === Problem) return { $ref: `#/components/responses/${status}` };
  return { description: STATUS_MEANINGS[status], content: jsonOf(schema, components) };
}

function problems(components: Json): Json {
  const content = jsonOf(Problem, components);
  return Object.fromEntries(
    Object.entries(STATUS_MEANINGS)
      .filter(([status]) => status !== '200')
      .map(([status, description]) => [status, { description, content }]),
  );
}

function pathParameters(endpoint: Endpoint): readonly Json[] {
  return pathParametersOf(endpoint.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Endpoint, components: Json): readonly Json[] {
  const required: readonly string[] = query?.required ?? [];
  return Object.entries<SchemaNode>(query?.properties ?? {}).map(([name, node]) => ({
    name,
    in: 'query',
    required: required.includes(name) && node.default === undefined,
    schema: extract(node, components),
    ...(node.type === 'array' ? { style: 'form', explode: node['x-repeats'] === true } : {}),
  }));
}

function jsonOf(schema: TSchema | SchemaNode, components: Json): Json {
  return { 'application/json': { schema: extract(schema, components) } };
}

/** The schema as a request: fields with a default may be left out, which they never are in answers. */
function asRequest(node: SchemaNode): SchemaNode {
  const properties = Object.entries(node.properties ?? {});
  return {
    ...node,
    ...(node.items === undefined ? {} : { items: asRequest(node.items) }),
    ...(node.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(properties.map(([key, child]) => [key, asRequest(child)])),
          required: (node.required ?? []).filter((key) => node.properties?.[key]?.default === undefined),
        }),
  };
}

/** Replaces every named part of a schema by a reference to it, and adds the part to the components. */
function extract(node: SchemaNode, components: Json): Json {
  const { title, default: fallback, ...rest } = node;
  // Copying the entries leaves out the marks that TypeBox keeps under symbols.
  const plain = () => ({ ...Object.fromEntries(Object.entries(rest)), ...extractedParts(rest, components) });
  const withDefault = fallback === undefined ? {} : { default: fallback };
  if (title === undefined) return { ...plain(), ...withDefault };
  if (!Object.hasOwn(components, title)) {
    components[title] = { ...plain(), ...(Object.hasOwn(EXAMPLES, title) ? { examples: [EXAMPLES[title]] } : {}) };
  }
  return { $ref: `#/components/schemas/${title}`, ...withDefault };
}

function extractedParts({ properties, patternProperties, items, anyOf }: SchemaNode, components: Json): Json {
  const all = (nodes: Readonly<Record<string, SchemaNode>>) =>
    Object.fromEntries(Object.entries(nodes).map(([key, node]) => [key, extract(node, components)]));
  return {
    ...(properties === undefined ? {} : { properties: all(properties) }),
    ...(patternProperties === undefined ? {} : { patternProperties: all(patternProperties) }),
    ...(items === undefined ? {} : { items: extract(items, components) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((shape) => extract(shape, components)) }),
  };
}

/**
 * Describes the stream. OpenAPI cannot describe a socket, so the shapes stand among the components and the rest in an
 * extension.
 */
function streamOf(components: Json): Json {
  const named = (schemas: Readonly<Record<string, TSchema>>) =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, extract(schema, components)]));
  return {
    description: 'One WebSocket at /. A frame from the server is one message or an array of them.',
    clientMessages: named(CLIENT_MESSAGES),
    serverMessages: { ...named(SERVER_MESSAGES), problem: extract(StreamProblem, components) },
    examples: [SUBSCRIBE_EXAMPLE, PRICES_EXAMPLE],
  };
}
