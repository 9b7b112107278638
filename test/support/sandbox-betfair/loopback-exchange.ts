/** A sandbox that speaks Betfair's API on loopback, markets of a test in it, and clients over HTTPS and TLS whose answers are checked. */

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { expect } from 'vitest';
import { API_PATHS } from '../../../src/betfair/wire/envelope.ts';
import { OPERATIONS, type Operation, type Params, type Result } from '../../../src/betfair/wire/operations.ts';
import { instant } from '../../../src/core/number/units.ts';
import {
  applyChange,
  eventGroup,
  eventOfKind,
  marketMaker,
  marketType,
} from '../../../src/sandbox/traffic/market-maker.ts';
import type { MachineCommand } from '../../../src/sandbox/world/change.ts';
import { type BetfairSandbox, openBetfairSandbox } from '../../../src/sandbox-betfair/betfair-sandbox.ts';
import type { AccountTerms } from '../../../src/sandbox-betfair/names/account-terms.ts';
import { factsOfRecord } from '../../../src/sandbox-betfair/state/market-facts.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { answerFaults } from './answer-check.ts';
import { StreamReader } from './stream-reader.ts';

export interface OwnMarket {
  readonly marketId: string;
  /** The exchange machine's number. */
  readonly market: number;
  readonly selections: readonly number[];
}

const PRICES = { priceProjection: { priceData: ['EX_ALL_OFFERS', 'EX_TRADED'] }, orderProjection: 'ALL' };
const HOUR_MS = 3_600_000;

export class LoopbackExchange {
  readonly sandbox: BetfairSandbox;
  readonly ca: string;
  readonly bugs: unknown[] = [];
  readonly #agent: Agent;
  /** By how much the exchange's time is ahead of the machine's. */
  #aheadMs = 0;

  private constructor(sandbox: BetfairSandbox, ahead: (ms: () => number) => void, bugs: unknown[]) {
    this.sandbox = sandbox;
    this.bugs = bugs;
    this.ca = readFileSync(sandbox.authorityFile, 'utf8');
    this.#agent = new Agent({ keepAlive: true, ca: this.ca });
    ahead(() => this.#aheadMs);
  }

  static async open(accounts: ReadonlyMap<string, AccountTerms>): Promise<LoopbackExchange> {
    const bugs: unknown[] = [];
    let aheadMs = () => 0;
    const clock = { schedule: wallClock.schedule, now: () => wallClock.now() + aheadMs() };
    const options = {
      clock,
      authorityDirectory: temporaryDirectory('authority'),
      invents: false,
      settings: { accounts },
    };
    const sandbox = await openBetfairSandbox({ ...options, onBug: (error) => bugs.push(error) });
    return new LoopbackExchange(sandbox, (of) => (aheadMs = of), bugs);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.sandbox.close();
    expect(this.bugs).toEqual([]);
  }

  /** Time passes at once. */
  pass(ms: number): void {
    this.#aheadMs += ms;
  }

  command(command: MachineCommand): void {
    applyChange(this.sandbox.context, { kind: 'command', command });
  }

  /** An open market of three runners that turns in play; `winners` of them win. */
  market(terms: { readonly crossMatching?: boolean; readonly winners?: number } = {}): OwnMarket {
    const { context } = this.sandbox;
    const { app, currencyId } = marketMaker(context, { id: 'Own', name: 'Own' });
    const names = { category: named('OWN'), subcategory: named('Football'), group: named('OWN_GROUP') };
    const eventGroupId = eventGroup(context, names);
    const startsAt = instant(context.now() + HOUR_MS);
    const event = {
      app,
      eventGroupId,
      participantIds: [],
      name: 'One v Two',
      code: 'OWN',
      expectedStartTime: startsAt,
    };
    const winners = { min: terms.winners ?? 1, max: terms.winners ?? 1 };
    const created = applyChange(context, {
      ...{ kind: 'createMarket', app, currencyId, name: 'Match Odds', winners, turnsInPlay: true, inPlayDelayMs: 0 },
      event: eventOfKind(applyChange(context, { kind: 'createEvent', ...event }), 'eventCreated').event,
      marketTypeId: marketType(context, { id: 'OWN', outcomes: 3, winners }),
      outcomes: [{ title: 'One' }, { title: 'Two' }, { title: 'Draw' }],
      crossMatching: terms.crossMatching ?? false,
      ...{ lockAt: startsAt, eventStartAction: 'CancelUnmatchedLiquidity', marketLockAction: 'None' },
    });
    const { market } = eventOfKind(created, 'marketCreated');
    this.command({ kind: 'publish', market, published: true });
    this.command({ kind: 'open', market });
    const record = context.world.catalogue.markets.get(market);
    const facts = record === undefined ? undefined : factsOfRecord(context.world, record);
    if (facts === undefined) throw new Error('the market is not there');
    return { marketId: facts.id, market, selections: facts.runners.map(({ selectionId }) => selectionId) };
  }

  settle({ market }: OwnMarket, winners: readonly number[] = [0]): void {
    this.command({ kind: 'lock', market });
    this.command({ kind: 'settle', market, winners });
  }

  post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${this.sandbox.url}${path}`,
        { agent: this.#agent, method: 'POST', headers },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () => resolve(JSON.parse(text)));
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  async login(username: string, password = 'secret'): Promise<LoopbackClient> {
    const body = new URLSearchParams({ username, password }).toString();
    const answer = (await this.post('/api/login', body, { 'X-Application': 'app' })) as { readonly token: string };
    return new LoopbackClient(this, answer.token);
  }

  stream(): Promise<StreamSocket> {
    return StreamSocket.open(this.sandbox.stream.port, this.ca);
  }
}

export class LoopbackClient {
  readonly token: string;
  readonly #exchange: LoopbackExchange;

  constructor(exchange: LoopbackExchange, token: string) {
    this.#exchange = exchange;
    this.token = token;
  }

  get headers() {
    return { 'X-Application': 'app', 'X-Authentication': this.token };
  }

  async call<O extends Operation>(operation: O, params: Readonly<Record<string, unknown>>): Promise<Result<O>> {
    const { result, error } = await this.#send(operation, params);
    if (error !== undefined) throw new Error(`${operation}: ${JSON.stringify(error)}`);
    expect(answerFaults(operation, result)).toEqual([]);
    return result as Result<O>;
  }

  /** The code of the exception that a call is refused with. */
  async refused(operation: Operation, params: Readonly<Record<string, unknown>>): Promise<string | undefined> {
    const { error } = await this.#send(operation, params);
    return error?.data?.APINGException?.errorCode ?? error?.data?.AccountAPINGException?.errorCode;
  }

  /** The reports of orders that are placed, in their order. */
  async place(marketId: string, ...instructions: Params<'placeOrders'>['instructions']) {
    const { instructionReports = [] } = await this.call('placeOrders', { marketId, instructions });
    return instructionReports;
  }

  async book(marketId: string, more: Readonly<Record<string, unknown>> = {}) {
    const [book] = await this.call('listMarketBook', { marketIds: [marketId], ...PRICES, ...more });
    return book;
  }

  async order(betId: string | undefined) {
    const { currentOrders } = await this.call('listCurrentOrders', { betIds: [betId] });
    return currentOrders[0];
  }

  async #send(operation: Operation, params: Readonly<Record<string, unknown>>): Promise<Answer> {
    const { api } = OPERATIONS[operation];
    const body = JSON.stringify({ jsonrpc: '2.0', method: `${api}/v1.0/${operation}`, params, id: 1 });
    return (await this.#exchange.post(API_PATHS[api].rpc, body, this.headers)) as Answer;
  }
}

interface Answer {
  readonly result?: unknown;
  readonly error?: {
    readonly message: string;
    readonly data?: Readonly<Record<string, { readonly errorCode: string } | undefined>>;
  };
}

/** A client of the stream, which reads all that comes. */
export class StreamSocket {
  readonly reader = new StreamReader();
  readonly #socket: TLSSocket;
  #rest = '';
  #waiting: (() => void) | undefined;

  private constructor(port: number, ca: string) {
    this.#socket = connect({ port, host: '127.0.0.1', ca, servername: 'stream-api.betfair.com' });
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (text) => {
      const parts = (this.#rest + String(text)).split('\r\n');
      this.#rest = parts.pop() ?? '';
      for (const line of parts) this.reader.read(line);
      this.#waiting?.();
    });
    this.#socket.on('error', () => undefined);
  }

  static async open(port: number, ca: string): Promise<StreamSocket> {
    const socket = new StreamSocket(port, ca);
    await socket.until(() => socket.reader.messages.length > 0);
    return socket;
  }

  send(message: object): void {
    this.#socket.write(`${JSON.stringify(message)}\r\n`);
  }

  /** Waits until what was read fits. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds())
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
  }

  /** The first message from a place on that has these fields, waited for. */
  async message(fields: Readonly<Record<string, unknown>>, from = 0): Promise<Readonly<Record<string, unknown>>> {
    const find = () =>
      this.reader.messages
        .slice(from)
        .find((each) => Object.entries(fields).every(([name, value]) => Reflect.get(each, name) === value));
    await this.until(() => find() !== undefined);
    return find() as never;
  }

  end(): void {
    this.#socket.destroy();
  }
}

function named(id: string) {
  return { id, name: id };
}
