/** What there is to cover, from the tables and schemas of the API: of the specification, and of the profile besides. */

import { type Endpoint, pathParametersOf } from '../../../src/betdex/wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../../../src/betdex/wire/endpoints.ts';
import { CLIENT_MESSAGES, SERVER_MESSAGES, StreamProblem } from '../../../src/betdex/wire/messages/stream.ts';
import type { SchemaNode } from '../../../src/codec/schema-node.ts';
import { valueNodeOf } from '../../../src/codec/schema-node.ts';
import { CANCELLATION_REASONS } from '../../../src/core/order.ts';
import { documentName, pathsOf } from './notebook.ts';

export type Origin = Endpoint['from'];

export interface RequestItem {
  readonly operation: Operation;
  readonly part: 'path' | 'query' | 'body';
  readonly path: string;
}

export interface Items {
  readonly operations: readonly Operation[];
  readonly requests: readonly RequestItem[];
  /** Fields by the document's name. */
  readonly documents: ReadonlyMap<string, readonly string[]>;
  /** Words by the name of their list. */
  readonly words: ReadonlyMap<string, readonly string[]>;
}

/** Words that our lists have beyond the specification's own (profile sections 6 and 7; wire-shapes, enums). */
const PROFILE_WORDS: Readonly<Record<string, readonly string[]>> = {
  OrderStatus: ['HalfWon', 'HalfLost', 'Push'],
  ParticipantType: ['Team'],
};
/** Documents that carry no name in the specification, for being wholly the profile's way of serving its arrays. */
const PROFILE_FIELDS: Readonly<Record<string, readonly string[]>> = { _meta: ['offset', 'nextOffset'] };

export function endpointOf(operation: Operation): Endpoint {
  return ENDPOINTS[operation];
}

export function operationsOf(from: Origin): readonly Operation[] {
  return (Object.keys(ENDPOINTS) as Operation[]).filter((operation) => ENDPOINTS[operation].from === from);
}

export function answerPathsOf(operation: Operation): readonly string[] {
  return pathsOf(endpointOf(operation).answer.schema as SchemaNode);
}

export function itemsOfSpecification(): Items {
  const operations = operationsOf('specification');
  const nodes = operations.flatMap(nodesOf);
  return {
    operations,
    requests: operations.flatMap(requestItems),
    documents: without(documentsIn(operations.map(answerNode)), PROFILE_FIELDS),
    words: without(wordsIn(nodes), PROFILE_WORDS),
  };
}

/** Whatever is not the specification's. */
export function itemsOfProfile(): Items {
  const operations = operationsOf('profile');
  const stream: readonly SchemaNode[] = [
    ...Object.values(SERVER_MESSAGES),
    StreamProblem,
    ...Object.values(CLIENT_MESSAGES),
  ];
  const ours = itemsOfSpecification();
  const nodes = [...operationsOf('specification').flatMap(nodesOf), ...operations.flatMap(nodesOf), ...stream];
  const answers = [...operationsOf('specification'), ...operations].map(answerNode);
  return {
    operations,
    requests: operations.flatMap(requestItems),
    documents: without(documentsIn([...answers, ...stream]), Object.fromEntries(ours.documents)),
    words: new Map([
      ...without(wordsIn(nodes), Object.fromEntries(ours.words)),
      ['CancellationReason', CANCELLATION_REASONS],
    ]),
  };
}

function requestItems(operation: Operation): readonly RequestItem[] {
  const { path, query, body } = endpointOf(operation);
  const bodyPaths = body === undefined ? [] : pathsOf(body as SchemaNode);
  return [
    ...pathParametersOf(path).map((each) => ({ operation, part: 'path' as const, path: each })),
    ...Object.keys(query?.properties ?? {}).map((each) => ({ operation, part: 'query' as const, path: each })),
    // The list itself is there where an item of it is.
    ...bodyPaths
      .filter((each) => !each.endsWith('[]'))
      .map((each) => ({ operation, part: 'body' as const, path: each })),
  ];
}

function answerNode(operation: Operation): SchemaNode {
  return endpointOf(operation).answer.schema as SchemaNode;
}

function nodesOf(operation: Operation): readonly SchemaNode[] {
  const { query, body } = endpointOf(operation);
  return [answerNode(operation), query, body].filter((node) => node !== undefined) as readonly SchemaNode[];
}

function documentsIn(nodes: readonly SchemaNode[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const node of nodes.flatMap(everyNode)) {
    if (node.properties === undefined || node.title === undefined) continue;
    const fields = found.get(documentName(node.title)) ?? new Set();
    for (const key of Object.keys(node.properties)) fields.add(key);
    found.set(documentName(node.title), fields);
  }
  return listed(found);
}

function wordsIn(nodes: readonly SchemaNode[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { title, enum: words } of nodes.flatMap(everyNode)) {
    if (words !== undefined && title !== undefined) found.set(title, new Set(words));
  }
  return listed(found);
}

function listed(found: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, readonly string[]> {
  return new Map([...found].map(([name, each]) => [name, [...each]]));
}

function without(
  lists: ReadonlyMap<string, readonly string[]>,
  taken: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, readonly string[]> {
  const left = [...lists].map(([name, each]) => [name, each.filter((one) => !taken[name]?.includes(one))] as const);
  return new Map(left.filter(([, each]) => each.length > 0));
}

function everyNode(node: SchemaNode): readonly SchemaNode[] {
  const values = valueNodeOf(node);
  const below = [...Object.values(node.properties ?? {}), ...(node.anyOf ?? [])];
  if (node.items !== undefined) below.push(node.items);
  if (values !== undefined) below.push(values);
  return [node, ...below.flatMap(everyNode)];
}
