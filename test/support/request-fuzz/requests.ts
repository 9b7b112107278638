/** Requests made from the table of endpoints: sound ones that know the world a little, and the same ones spoilt. */

import type { TObject } from '@sinclair/typebox';
import type { Endpoint } from '../../../src/betdex/wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../../../src/betdex/wire/endpoints.ts';
import type { SchemaNode } from '../../../src/codec/schema-node.ts';
import type { Random } from '../random.ts';
import { HOSTILE_HEADERS, HOSTILE_JSON, HOSTILE_TEXT, METHODS } from './hostile.ts';

export interface FuzzedRequest {
  readonly operation: Operation;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Spoilt in some way: a success would surprise nobody, and neither would a refusal. */
  readonly isSpoilt: boolean;
}

/** What the world is known to hold, by the name of the parameter or field that would hold it. */
export type Known = ReadonlyMap<string, readonly string[]>;

const OPERATIONS = Object.keys(ENDPOINTS) as readonly Operation[];
/** These are drawn more often: they change the exchange. */
const BUSY: readonly Operation[] = ['createOrder', 'createOrders', 'requestOrders', 'cancelOrders', 'listOrders'];
const PRICES = [1.01, 1.5, 1.99, 2, 2.02, 2.5, 3, 3.35, 5, 9.8, 21, 100, 990, 1000];

export function fuzzedRequest(random: Random, known: Known): FuzzedRequest {
  const operation = random.chance(0.4) ? random.pick(BUSY) : random.pick(OPERATIONS);
  const endpoint: Endpoint = ENDPOINTS[operation];
  const spoilers = random.chance(0.6) ? 0 : random.between(1, 3);
  const spoil = () => spoilers > 0 && random.chance(0.4);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    pathValue(random, known, endpoint, name, spoil),
  );
  const query = queryOf(random, known, endpoint.query, spoil);
  const headers: Record<string, string> = endpoint.body === undefined ? {} : { 'content-type': 'application/json' };
  let method: string = endpoint.method;
  if (spoil()) {
    if (random.chance(0.3)) method = random.pick(METHODS);
    else {
      const [name, value] = random.pick(HOSTILE_HEADERS);
      headers[name] = value;
    }
  }
  const made = endpoint.body === undefined ? undefined : bodyText(random, known, endpoint.body, spoil);
  const body = made !== undefined && spoil() ? broken(random, made) : made;
  return { operation, method, path: query === '' ? path : `${path}?${query}`, headers, body, isSpoilt: spoilers > 0 };
}

function pathValue(random: Random, known: Known, endpoint: Endpoint, name: string, spoil: () => boolean): string {
  if (spoil()) return encodeURI(random.pick(HOSTILE_TEXT)).replaceAll('?', '');
  const [resource = ''] = endpoint.path.slice(1).split('/');
  return encodeURIComponent(valueNamed(random, known, name === 'id' ? `${resource}.id` : name));
}

function queryOf(random: Random, known: Known, schema: TObject | undefined, spoil: () => boolean): string {
  const pairs: string[] = [];
  const required: readonly string[] = schema?.required ?? [];
  for (const [name, node] of Object.entries<SchemaNode>(schema?.properties ?? {})) {
    const isRequired = required.includes(name) && node.default === undefined;
    if (!random.chance(isRequired ? 0.97 : 0.25)) continue;
    const value = spoil() ? random.pick(HOSTILE_TEXT) : queryValue(random, known, name, node);
    pairs.push(`${name}=${random.chance(0.98) ? encodeURIComponent(value) : value.replace(/[ #&]/g, '')}`);
  }
  if (spoil()) pairs.push(`${random.pick(HOSTILE_TEXT).replace(/[ #&?]/g, '')}=1`);
  return pairs.filter((pair) => /^[\x21-\x7e]*$/.test(pair)).join('&');
}

function queryValue(random: Random, known: Known, name: string, node: SchemaNode): string {
  const type = Array.isArray(node.type) ? node.type[0] : node.type;
  if (name === 'sort') return random.pick(['createdAt,desc', 'id', 'modifiedAt,asc', 'ASC', 'DESC', 'stake']);
  if (type === 'array') {
    const count = random.between(0, 4);
    return Array.from({ length: count }, () => queryValue(random, known, name, node.items ?? {})).join(',');
  }
  if (type === 'integer' || type === 'number') return String(random.pick([0, 1, 2, 5, 100, 500, 2000, 100_000]));
  if (type === 'boolean') return String(random.chance(0.5));
  if (node.enum !== undefined) return random.pick(node.enum.map(String));
  if (node.format !== undefined) return new Date(1_700_000_000_000 + random.between(0, 2 ** 40)).toISOString();
  return valueNamed(random, known, name);
}

function bodyText(random: Random, known: Known, schema: SchemaNode, spoil: () => boolean): string {
  return jsonOf(random, known, schema, '', spoil);
}

function jsonOf(random: Random, known: Known, node: SchemaNode, name: string, spoil: () => boolean): string {
  if (spoil() && random.chance(0.3)) return random.pick(HOSTILE_JSON);
  const type = Array.isArray(node.type) ? node.type[0] : node.type;
  if (type === 'object') {
    const fields = Object.entries(node.properties ?? {}).filter(([key, child]) => {
      const isRequired = node.required?.includes(key) === true && child.default === undefined;
      return random.chance(isRequired ? (spoil() ? 0.7 : 1) : 0.5);
    });
    const written = fields.map(([key, child]) => `${JSON.stringify(key)}:${jsonOf(random, known, child, key, spoil)}`);
    if (spoil()) written.push(`${JSON.stringify(random.pick(HOSTILE_TEXT))}:${random.pick(HOSTILE_JSON)}`);
    return `{${written.join(',')}}`;
  }
  if (type === 'array') {
    const count = random.chance(0.02) ? random.pick([0, 50, 51, 200]) : random.between(1, 6);
    return `[${Array.from({ length: count }, () => jsonOf(random, known, node.items ?? {}, name, spoil)).join(',')}]`;
  }
  if (name === 'price') return String(random.chance(0.95) ? random.pick(PRICES) : random.next() * 1000);
  if (name === 'stake') return String(random.chance(0.95) ? random.between(1, 50_000) / 1000 : random.next());
  if (name === 'timeoutMs') return String(random.pick([10_000, 300_000, 60_000]));
  if (type === 'boolean') return String(random.chance(0.5));
  if (type === 'integer' || type === 'number') return String(random.between(0, 100));
  if (node.enum !== undefined) return JSON.stringify(random.pick(node.enum));
  return JSON.stringify(valueNamed(random, known, name));
}

function broken(random: Random, text: string): string {
  const at = random.between(0, text.length);
  const kind = random.between(0, 4);
  if (kind === 0) return text.slice(0, at);
  if (kind === 1) return `${text.slice(0, at)}${random.pick(['"', '{', ',', '\u0000', '\\'])}${text.slice(at)}`;
  if (kind === 2) return `\ufeff${text}`;
  if (kind === 3) return '['.repeat(random.pick([10, 1000, 50_000]));
  return `${text}${text}`;
}

function valueNamed(random: Random, known: Known, name: string): string {
  const values = known.get(name) ?? [];
  if (values.length === 0 || random.chance(0.04)) return String(random.between(1, 10_000_000));
  return random.pick(values);
}
