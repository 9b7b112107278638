/** Lets the same arrive again at the same times, without sockets: the exchange then does the same. */

import { assert } from '../core/checks/assert.ts';
import { controlAnswers } from '../sandbox/control/control-call.ts';
import type { AllTraffic, TrafficContext } from '../sandbox/traffic/traffic.ts';
import { memoryWorldLog } from '../sandbox/world-log/world-log.ts';
import { SimulatedClock } from '../time/simulated-clock.ts';
import { type Arrival, type ArrivedRequest, UNREADABLE } from './arrivals/arrival.ts';
import { controlSurface } from './control/control-surface.ts';
import type { FaceRequest } from './face/face-request.ts';
import { type LivingWorld, livingWorld } from './living-world.ts';
import { BETFAIR_WORLD } from './state/betfair-world.ts';
import type { AccountVerdict } from './state/verdict.ts';
import { ExchangeStream } from './stream/exchange-stream.ts';
import type { StreamConnection } from './stream/session/stream-connection.ts';

/** What the exchange said: the answer to a request, or a message of the stream. */
export interface Said {
  readonly at: number;
  readonly to: { readonly path: string } | { readonly connection: string };
  /** JSON. */
  readonly text: string;
}

export interface ReplayParts {
  /** In the order in which they came; the first is the start. */
  readonly arrivals: Iterable<Arrival>;
  /** Starts the traffic that the exchange had. */
  readonly startTraffic: (context: TrafficContext) => AllTraffic;
  readonly onSaid: (said: Said) => void;
}

export interface Replayed {
  readonly accounts: readonly AccountVerdict[];
  /** The exchange as it is at the end. */
  readonly world: LivingWorld;
}

export function replay({ arrivals, startTraffic, onSaid }: ReplayParts): Replayed {
  const onBug = (error: unknown) => {
    throw error;
  };
  let exchange: Exchange | undefined;
  for (const arrival of arrivals) {
    if (arrival.kind === 'start') exchange = new Exchange(arrival, { startTraffic, onSaid, onBug });
    else {
      assert(exchange !== undefined, 'the first arrival is the start');
      exchange.arrive(arrival);
    }
  }
  assert(exchange !== undefined, 'something has arrived');
  return exchange.end();
}

interface ExchangeParts extends Pick<ReplayParts, 'startTraffic' | 'onSaid'> {
  readonly onBug: (error: unknown) => void;
}

class Exchange {
  readonly #parts: ExchangeParts;
  readonly #clock: SimulatedClock;
  readonly #world: LivingWorld;
  readonly #stream: ExchangeStream;
  readonly #control: ReturnType<typeof controlAnswers>;
  readonly #connections = new Map<string, StreamConnection>();
  #traffic: AllTraffic = { paced: [], others: [] };
  #accounts: readonly AccountVerdict[] | undefined;
  #secrets = 0;

  constructor(start: Extract<Arrival, { kind: 'start' }>, parts: ExchangeParts) {
    this.#parts = parts;
    this.#clock = new SimulatedClock(start.at);
    const { onBug } = parts;
    const secret = () => {
      this.#secrets += 1;
      return `session-${this.#secrets}`;
    };
    this.#world = livingWorld({ ...start, log: memoryWorldLog(BETFAIR_WORLD), clock: this.#clock, secret, onBug });
    const { state, context } = this.#world;
    const controlKey = context.secret();
    this.#stream = new ExchangeStream({ face: state, onBug });
    const { connections } = this.#stream;
    // Whoever is cut is gone as soon as that arrives.
    const cut = (filter: (connection: StreamConnection) => boolean) => [...connections].filter(filter).length;
    const { endpoints, tools } = controlSurface(state, context, () => ({ connections, cut }));
    this.#control = controlAnswers(endpoints, tools, controlKey);
  }

  arrive(arrival: Arrival): void {
    this.#clock.runBefore(arrival.at);
    switch (arrival.kind) {
      case 'start':
        return;
      case 'verdict':
        this.#accounts = this.#world.face.verdict();
        return;
      case 'traffic':
        this.#traffic = this.#parts.startTraffic(this.#world.context);
        return;
      case 'hold':
        for (const traffic of this.#traffic.paced) traffic.hold();
        return;
      case 'go':
        for (const traffic of this.#traffic.paced) traffic.go();
        return;
      case 'request':
        return this.#ask(arrival);
      case 'control': {
        const { method, path, key, body } = arrival;
        const request = { method, path, authorization: `Bearer ${key}`, body: textOf(body) ?? '' };
        return this.#say({ path }, this.#control(request).text);
      }
      case 'connected':
        return this.#connect(arrival.connection);
      case 'line':
        return this.#connections.get(arrival.connection)?.receive(JSON.stringify(arrival.line));
      case 'gone':
        return this.#connections.get(arrival.connection)?.end();
    }
  }

  end(): Replayed {
    // The last verdict that was asked for. Clients may have gone since then, and a process that was killed gave none.
    const accounts = this.#accounts ?? this.#world.face.verdict();
    this.#stream.close();
    this.#world.stop();
    return { accounts, world: this.#world };
  }

  #ask(arrived: ArrivedRequest): void {
    const { path } = arrived;
    this.#world.face.answer(requestOf(arrived)).subscribe(({ text }) => this.#say({ path }, text));
  }

  #connect(connection: string): void {
    const peer = { isBehind: false, send: (text: string) => this.#say({ connection }, text), end() {}, cut() {} };
    const opened = this.#stream.connect(peer);
    if (opened !== undefined) this.#connections.set(connection, opened);
  }

  #say(to: Said['to'], text: string): void {
    this.#parts.onSaid({ at: this.#clock.now(), to, text });
  }
}

function requestOf({ method, path, application, session, hasCertificate, ...more }: ArrivedRequest): FaceRequest {
  const { username, password, body } = more;
  const form = new URLSearchParams();
  if (username !== undefined) form.set('username', username);
  if (password !== undefined) form.set('password', password);
  const text = textOf(body) ?? form.toString();
  return { method, path, application, authentication: session, hasCertificate: hasCertificate === true, body: text };
}

/** A body as it came, or another text that is no JSON either. */
function textOf(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  return body === UNREADABLE ? UNREADABLE : JSON.stringify(body);
}
