/** Sends fuzzed requests and raw bytes at a running sandbox, and collects everything that should not have happened. */

import http from 'node:http';
import net from 'node:net';
import { ENDPOINTS } from '../../../src/betdex/wire/endpoints.ts';
import { Random } from '../random.ts';
import type { Json } from '../vendor/vendor-client.ts';
import { CALLED_ANSWERS, OTHER_ANSWERS, strictFaults } from '../wire-strict.ts';
import { rawBytes } from './hostile.ts';
import { type FuzzedRequest, fuzzedRequest } from './requests.ts';

export interface Bombardment {
  readonly url: string;
  /** Bearer of a live session; asked for anew now and then. */
  readonly token: () => Promise<string>;
  readonly requests: number;
  readonly seed: number;
  /** What is known to be there at the start, by parameter name; grows with what answers show. */
  readonly known: Map<string, string[]>;
  readonly onProgress?: (done: number) => void;
}

export interface Outcome {
  /** By status; 'raw' for raw bytes that were answered, 'closed' for those whose connection was ended. */
  readonly counts: ReadonlyMap<string, number>;
  /** Each breach with the request that made it. */
  readonly breaches: readonly string[];
}

const LANES = 8;
const HANG_MS = 20_000;
const RAW_SHARE = 0.05;
const KEPT = 400;

export async function bombard(plan: Bombardment): Promise<Outcome> {
  const random = new Random(plan.seed);
  const counts = new Map<string, number>();
  const breaches: string[] = [];
  const agent = new http.Agent({ keepAlive: true, maxSockets: LANES });
  let left = plan.requests;
  const lane = async (): Promise<void> => {
    while (left > 0 && breaches.length < 20) {
      left -= 1;
      if ((plan.requests - left) % 1000 === 0) plan.onProgress?.(plan.requests - left);
      if (random.chance(RAW_SHARE)) count(counts, await throwBytes(plan.url, rawBytes(random), breaches));
      else count(counts, await ask(plan, agent, fuzzedRequest(random, plan.known), breaches));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
  return { counts, breaches };
}

async function ask(plan: Bombardment, agent: http.Agent, request: FuzzedRequest, into: string[]): Promise<string> {
  const answer = await send(plan, agent, request);
  const what = `${request.method} ${request.path.slice(0, 300)} ${(request.body ?? '').slice(0, 300)} ${JSON.stringify(request.headers).slice(0, 200)}`;
  if (answer === 'refused to send') return answer;
  if (typeof answer === 'string') {
    into.push(`${answer}: ${what}`);
    return 'broken';
  }
  for (const fault of faultsOf(request, answer))
    into.push(`${answer.status} ${fault}: ${what} → ${answer.text.slice(0, 300)}`);
  return String(answer.status);
}

/** The last request that was answered on a connection: the one that may have spoilt it for the next. */
const lastOn = new WeakMap<object, string>();

interface Received {
  readonly status: number;
  readonly text: string;
}

async function send(plan: Bombardment, agent: http.Agent, request: FuzzedRequest): Promise<Received | string> {
  const { hostname, port } = new URL(plan.url);
  const token = await plan.token();
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, ...request.headers };
  if (request.body !== undefined) headers['content-length'] = String(Buffer.byteLength(request.body));
  return new Promise((resolve) => {
    const options = { hostname, port, method: request.method, path: request.path, headers, agent };
    let sent: http.ClientRequest;
    try {
      sent = http.request(options);
    } catch {
      // Node's own client will not send such a path or header.
      return resolve('refused to send');
    }
    let socket: object | undefined;
    sent.on('socket', (taken) => {
      socket = taken;
    });
    sent.setTimeout(HANG_MS, () => sent.destroy(new Error('no answer in time')));
    sent.on('error', (error) => {
      const before = socket === undefined ? undefined : lastOn.get(socket);
      resolve(`connection: ${error.message}, after ${before ?? 'nothing'} on the same one`);
    });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => resolve(`answer: ${error.message}`));
      response.on('end', () => {
        const { statusCode = 0, headers: answered } = response;
        if (socket !== undefined) {
          const body = (request.body ?? '').slice(0, 80);
          const how = `${JSON.stringify(request.headers)} ${body} (${request.body?.length ?? 0}) → ${statusCode} ${answered.connection}`;
          lastOn.set(socket, `${request.method} ${request.path.slice(0, 200)} ${how}`);
        }
        resolve({ status: statusCode, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.end(request.body);
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, text: '' });
    });
  }).then((answer) => {
    if (typeof answer !== 'string') learn(plan.known, answer as Received);
    return answer as Received | string;
  });
}

function faultsOf(request: FuzzedRequest, { status, text }: Received): readonly string[] {
  if (status >= 500) return ['a fault of the server'];
  if (request.method === 'HEAD' || status === 100) return [];
  let body: Json;
  try {
    body = JSON.parse(text);
  } catch {
    return ['no JSON'];
  }
  if (/\bat .+:\d+:\d+|node_modules|\.ts:\d/.test(text)) return ['shows a trace'];
  if (status >= 400) {
    const isProblem = typeof body.title === 'string' && Array.isArray(body.details);
    return isProblem ? [] : ['no title and details'];
  }
  const endpoint = `${request.method} ${ENDPOINTS[request.operation].path}`;
  const shape = CALLED_ANSWERS.get(endpoint) ?? OTHER_ANSWERS.get(endpoint);
  // A spoilt path may have reached another endpoint than the one it was made for.
  return shape === undefined || request.isSpoilt ? [] : strictFaults(shape, body).slice(0, 3);
}

/** Ids that answers show are asked about later. */
function learn(known: Map<string, string[]>, { status, text }: Received): void {
  if (status !== 200 || text.length > 200_000) return;
  const body: Json = JSON.parse(text);
  for (const [key, names] of LEARNT) {
    for (const each of Array.isArray(body[key]) ? body[key].slice(0, 20) : []) {
      for (const name of names) remember(known, name, String(each.id ?? each));
      if (key === 'orders' && each.reference !== undefined) remember(known, 'reference', each.reference);
    }
  }
}

const LEARNT: readonly (readonly [string, readonly string[]])[] = [
  ['orders', ['orders.id', 'ids', 'orderIds']],
  ['trades', ['trades.id']],
  ['markets', ['markets.id', 'marketId', 'marketIds']],
  ['marketOutcomes', ['outcomeId']],
  ['events', ['events.id', 'eventIds', 'eventId']],
  ['categories', ['categories.id', 'categoryIds']],
  ['subcategories', ['subcategories.id', 'subcategoryIds']],
  ['eventGroups', ['event-groups.id', 'eventGroupIds']],
  ['marketTypes', ['market-types.id', 'marketTypeIds']],
];

function remember(known: Map<string, string[]>, name: string, value: string): void {
  const values = known.get(name) ?? [];
  known.set(name, values);
  if (values.includes(value)) return;
  values.push(value);
  if (values.length > KEPT) values.shift();
}

/** Resolves once the server has answered or closed; a connection that stays open without a word is a breach. */
function throwBytes(url: string, bytes: Buffer, into: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(Number(port), hostname, () => socket.end(bytes));
    socket.setTimeout(HANG_MS, () => {
      into.push(`hung on bytes ${JSON.stringify(bytes.toString('latin1').slice(0, 120))}`);
      socket.destroy();
    });
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => resolve('closed'));
    socket.on('close', () => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
      if (status?.startsWith('5'))
        into.push(`${status} on bytes ${JSON.stringify(bytes.toString('latin1').slice(0, 120))}`);
      resolve(status === undefined ? 'closed' : `raw ${status}`);
    });
  });
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
