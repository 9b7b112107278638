/** One client of the stream, without its socket: its requests and their statuses, and its subscriptions. */

import { Subscription as Timer } from 'rxjs';
import {
  ConnectionMessage,
  KEEPS_CONNECTION,
  StatusMessage,
  type StreamErrorCode,
  type StreamStatus,
} from '../../../betfair/wire/stream/messages.ts';
import {
  MARKET_DATA_FIELDS,
  type MarketSubscription,
  type OrderSubscription,
  type StreamRequest,
  SUBSCRIPTION_BOUNDS,
  streamRequestOf,
} from '../../../betfair/wire/stream/requests.ts';
import { writer } from '../../../codec/codec-write.ts';
import type { Clock } from '../../../time/clock.ts';
import type { Account } from '../../state/accounts.ts';
import type { Clocks } from './clocks.ts';
import type { Feed } from './feed.ts';
import { SecondWindow, type StreamLimits } from './stream-limits.ts';
import { bounded, type Line, type Moment, Subscription } from './subscription.ts';

/** What carries lines to a client, and ends with it. */
export interface Peer extends Pick<Line, 'isBehind' | 'send'> {
  /** Ends the connection after what was sent. */
  end(): void;
  /** Ends it without a word, and what waits is lost. */
  cut(): void;
}

/** Why a request failed, in words for whoever reads the status. */
export interface Failure {
  readonly code: StreamErrorCode;
  readonly message: string;
}

/** What a connection asks of the stream that it belongs to. */
export interface StreamHub {
  readonly clock: Clock;
  readonly clocks: Clocks;
  readonly limits: StreamLimits;
  /** Brings the world and all feeds to the present. */
  moment(): Moment;
  admit(appKey: string | undefined, session: string | undefined): Account | Failure;
  /** How many connections more the account may open. */
  connectionsLeft(account: Account): number;
  marketFeed(account: Account, request: MarketSubscription, since: number | undefined): Feed | Failure;
  orderFeed(account: Account, request: OrderSubscription, since: number | undefined): Feed | Failure;
  /** What a subscription writes to. */
  lineOf(peer: Peer, account: Account, op: 'mcm' | 'ocm'): Line;
  /** Which injected fault strikes a request: it fails with this, or the connection is cut. */
  struck(operation: StreamOperation, account: Account | undefined): Failure | 'cut' | undefined;
  ended(connection: StreamConnection): void;
}

/** What faults call the requests of the stream. One that comes back with a clock has a name of its own. */
export const STREAM_OPERATIONS = [
  'authentication',
  'streamHeartbeat',
  'marketSubscription',
  'marketResubscription',
  'orderSubscription',
  'orderResubscription',
] as const;
type StreamOperation = (typeof STREAM_OPERATIONS)[number];

type Subscribing = MarketSubscription | OrderSubscription;

const writeConnection = writer(ConnectionMessage);
const writeStatus = writer(StatusMessage);

export class StreamConnection {
  readonly id: string;
  /** When it was opened. */
  readonly since: number;
  readonly #hub: StreamHub;
  readonly #peer: Peer;
  readonly #requests: SecondWindow;
  readonly #subscriptions = new Map<Subscribing['op'], Subscription>();
  #account: Account | undefined;
  #idle = new Timer();
  #hasEnded = false;

  constructor(parts: { readonly id: string; readonly hub: StreamHub; readonly peer: Peer }) {
    this.id = parts.id;
    this.since = parts.hub.clock.now();
    this.#hub = parts.hub;
    this.#peer = parts.peer;
    this.#requests = new SecondWindow(parts.hub.limits.requestsPerSecond);
    this.#peer.send(JSON.stringify(writeConnection({ op: 'connection', connectionId: this.id })));
    this.#watchIdle();
  }

  /** Undefined until it has authenticated. */
  get account(): Account | undefined {
    return this.#account;
  }

  get feeds(): readonly Feed[] {
    return [...this.#subscriptions.values()].map(({ feed }) => feed);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** A line of the client, without its end. */
  receive(line: string): void {
    if (this.#hasEnded) return;
    const request = streamRequestOf(line);
    const now = this.#hub.clock.now();
    this.#watchIdle();
    if (!this.#requests.take(now)) return this.fail({ code: 'TOO_MANY_REQUESTS', message: 'too many requests' });
    if (request.kind === 'faults') {
      const [fault] = request.faults;
      const where = fault === undefined || fault.path === '' ? 'the message' : fault.path;
      const message = `${where} cannot be read`;
      return this.fail({ code: fault?.path === 'op' ? 'INVALID_REQUEST' : 'INVALID_INPUT', message }, request.id);
    }
    this.#answer(request.value);
  }

  /** Tells what changed, as far as the client reads fast enough. */
  flush(): void {
    for (const subscription of this.#subscriptions.values()) if (subscription.isWaiting) subscription.flush();
  }

  /** Tells why, and ends the connection unless the failure is one that it outlives. */
  fail({ code, message }: Failure, id?: number): void {
    const isLast = code !== KEEPS_CONNECTION;
    this.#status(id, { statusCode: 'FAILURE', errorCode: code, errorMessage: message, connectionClosed: isLast });
    if (isLast) this.end();
  }

  /** Ends the connection, which sends nothing more. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#idle.unsubscribe();
    for (const subscription of this.#subscriptions.values()) subscription.end();
    this.#subscriptions.clear();
    this.#hub.ended(this);
    this.#peer.end();
  }

  #answer(request: StreamRequest): void {
    const { id } = request;
    const struck = this.#hub.struck(operationOf(request), this.#account);
    if (struck === 'cut') return this.#peer.cut();
    if (struck !== undefined) return this.fail(struck, id);
    if (request.op === 'authentication') return this.#authenticate(request);
    if (this.#account === undefined)
      return this.fail({ code: 'NOT_AUTHORIZED', message: 'the connection must authenticate first' }, id);
    if (request.op === 'heartbeat') return this.#succeed(id);
    this.#subscribe(request, this.#account);
  }

  #authenticate({ id, appKey, session }: Extract<StreamRequest, { op: 'authentication' }>): void {
    if (this.#account !== undefined)
      return this.fail({ code: 'INVALID_REQUEST', message: 'the connection has authenticated already' }, id);
    const admitted = this.#hub.admit(appKey, session);
    if ('code' in admitted) return this.fail(admitted, id);
    this.#account = admitted;
    this.#status(id, {
      statusCode: 'SUCCESS',
      connectionClosed: false,
      connectionsAvailable: this.#hub.connectionsLeft(admitted),
    });
  }

  /** A new subscription replaces the one of its kind; one that fails leaves it. */
  #subscribe(request: Subscribing, account: Account): void {
    const { id, op, initialClk = '', clk = '', heartbeatMs, conflateMs, segmentationEnabled = false } = request;
    const hub = this.#hub;
    const criteria = { op, ...criteriaOf(request), account: op === 'orderSubscription' ? account.wallet : undefined };
    const isBack = initialClk !== '' || clk !== '';
    const since = isBack ? this.#turnOf({ initialClk, clk }, criteria) : undefined;
    if (isBack && since === undefined) return this.fail(INVALID_CLOCK, id);
    const feed =
      op === 'marketSubscription' ? hub.marketFeed(account, request, since) : hub.orderFeed(account, request, since);
    if ('code' in feed) return this.fail(feed, id);
    this.#subscriptions.get(op)?.end();
    const subscription = new Subscription({
      ...{ feed, id, criteria, heartbeatMs, conflateMs, since, line: hub.lineOf(this.#peer, account, feed.op) },
      ...{ clock: hub.clock, clocks: hub.clocks, moment: () => hub.moment() },
      segmentBytes: segmentationEnabled ? hub.limits.segmentBytes : undefined,
    });
    this.#subscriptions.set(op, subscription);
    this.#idle.unsubscribe();
    this.#succeed(id);
    subscription.flush();
  }

  /** The turn that the client has seen last; undefined for a clock that is not this stream's, or too old. */
  #turnOf(given: { readonly initialClk: string; readonly clk: string }, criteria: unknown): number | undefined {
    const { clocks, limits } = this.#hub;
    const seen = clocks.read(given, clocks.initial(criteria));
    const { turn, now } = this.#hub.moment();
    return seen !== undefined && seen.turn <= turn && seen.at >= now - limits.clockMs ? seen.turn : undefined;
  }

  #succeed(id: number | undefined): void {
    this.#status(id, { statusCode: 'SUCCESS', connectionClosed: false });
  }

  #status(id: number | undefined, fields: Omit<StreamStatus, 'op' | 'id' | 'connectionId'>): void {
    const connectionId = fields.statusCode === 'FAILURE' ? { connectionId: this.id } : {};
    const status: StreamStatus = { op: 'status', ...(id === undefined ? {} : { id }), ...fields, ...connectionId };
    this.#peer.send(JSON.stringify(writeStatus(status)));
  }

  /** A connection that subscribed to nothing and says nothing is closed. */
  #watchIdle(): void {
    this.#idle.unsubscribe();
    const { clock, limits } = this.#hub;
    if (this.#subscriptions.size > 0) return;
    this.#idle = clock.schedule(
      () => this.fail({ code: 'TIMEOUT', message: `no request for ${limits.idleMs} ms` }),
      limits.idleMs,
    );
  }
}

function operationOf(request: StreamRequest): StreamOperation {
  if (request.op === 'authentication') return 'authentication';
  if (request.op === 'heartbeat') return 'streamHeartbeat';
  const isBack = (request.initialClk ?? '') !== '' || (request.clk ?? '') !== '';
  if (request.op === 'marketSubscription') return isBack ? 'marketResubscription' : 'marketSubscription';
  return isBack ? 'orderResubscription' : 'orderSubscription';
}

export const INVALID_CLOCK: Failure = {
  code: 'INVALID_CLOCK',
  message: 'the clock is unknown, too old, or of other criteria',
};

/** The fields that a market subscription gets: all where it names none. */
export function viewOf({ marketDataFilter }: MarketSubscription) {
  const { fields = [], ladderLevels } = marketDataFilter ?? {};
  const named = fields.length === 0 ? MARKET_DATA_FIELDS : MARKET_DATA_FIELDS.filter((field) => fields.includes(field));
  return { fields: new Set(named), ladderLevels: bounded(ladderLevels, SUBSCRIPTION_BOUNDS.ladderLevels) };
}

/** What a client must ask for again to be told only what it missed. */
function criteriaOf(request: Subscribing): object {
  if (request.op === 'orderSubscription') return { filter: request.orderFilter ?? {} };
  const { fields, ladderLevels } = viewOf(request);
  return { filter: request.marketFilter ?? {}, fields: [...fields], ladderLevels };
}
