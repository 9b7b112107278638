/** Our client of Betfair's stream on the sandbox's stream, in simulated time and without sockets; the line between them can be hurt. */

import { of } from 'rxjs';
import { expect } from 'vitest';
import type { CarrierListener, LineCarrier, OpenCarrier } from '../../../src/betfair/stream/connection/line-carrier.ts';
import type { StreamEvent } from '../../../src/betfair/stream/connection/stream-event.ts';
import type { StreamClientOptions, StreamSession } from '../../../src/betfair/stream/connection/stream-settings.ts';
import { StreamClient } from '../../../src/betfair/stream/stream-client.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { ExchangeStream } from '../../../src/sandbox-betfair/stream/exchange-stream.ts';
import type { Peer, StreamConnection } from '../../../src/sandbox-betfair/stream/session/stream-connection.ts';
import type { StreamLimits } from '../../../src/sandbox-betfair/stream/session/stream-limits.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { StreamStage } from '../sandbox-betfair/stream-stage.ts';

/** A line that takes a while, and what a test does to it. */
export class HurtLine {
  readonly #clock: Clock;
  readonly #stream: () => ExchangeStream;
  /** What our client sent, line by line, by connection. */
  readonly sent: string[][] = [];
  delayMs = 1;
  /** No connection can be made. */
  isClosed = false;
  /** The client reads nothing until it is over. */
  isSlow = false;
  /** What becomes of a line of the server: undefined where it gets lost. */
  edit: (line: string) => string | undefined = (line) => line;
  /** Called with each line before the client reads it, and at the end of each connection. */
  onLine: (line: string) => void = () => undefined;
  onLeft: () => void = () => undefined;
  #connection: StreamConnection | undefined;
  #listener: CarrierListener | undefined;
  #waiting: string[] = [];
  #outgoing: string[] = [];
  #isDead = false;
  #isDue = false;

  constructor(clock: Clock, stream: () => ExchangeStream) {
    this.#clock = clock;
    this.#stream = stream;
  }

  get isOpen(): boolean {
    return this.#listener !== undefined;
  }

  /** Nothing comes through, and nobody notices; what was sent comes when the line is alive again. */
  get isDead(): boolean {
    return this.#isDead;
  }

  set isDead(isDead: boolean) {
    this.#isDead = isDead;
    if (isDead) return;
    this.#hand();
    this.#schedule();
  }

  readonly open: OpenCarrier = (listener): LineCarrier => {
    const sent: string[] = [];
    this.sent.push(sent);
    this.#clock.schedule(() => {
      if (this.isClosed) return listener.ended('CONNECT_FAILED', 'nobody listens');
      this.#listener = listener;
      this.#connection = this.#stream().connect(this.#peer(listener));
      listener.opened();
    }, this.delayMs);
    const isCurrent = () => this.#listener === listener;
    return {
      send: (line) => {
        sent.push(line);
        if (isCurrent()) this.#outgoing.push(line);
        this.#clock.schedule(() => this.#hand(), this.delayMs);
      },
      drop: () => {
        if (isCurrent()) this.#leave();
      },
    };
  };

  /** The connection breaks on both sides. */
  cut(): void {
    const listener = this.#listener;
    this.#leave();
    listener?.ended('CUT', 'the line was cut');
  }

  /** What waits for a slow client is read. */
  catchUp(): void {
    const wasSlow = this.isSlow;
    this.isSlow = false;
    this.#deliver();
    this.isSlow = wasSlow;
    this.#connection?.flush();
  }

  #peer(listener: CarrierListener): Peer {
    const isBehind = () => this.isSlow && this.#waiting.length > 0;
    return {
      get isBehind() {
        return isBehind();
      },
      send: (line: string) => {
        if (this.#listener !== listener) return;
        this.#waiting.push(line);
        this.#schedule();
      },
      end: () => {
        this.#clock.schedule(() => {
          if (this.#listener !== listener || this.isDead) return;
          this.catchUp();
          if (this.#listener === listener) this.cut();
        }, this.delayMs + 1);
      },
      cut: () => {
        if (this.#listener === listener) this.cut();
      },
    };
  }

  #hand(): void {
    if (this.#isDead) return;
    for (const line of this.#outgoing.splice(0)) this.#connection?.receive(line);
  }

  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#clock.schedule(() => {
      this.#isDue = false;
      if (!this.isSlow) this.#deliver();
    }, this.delayMs);
  }

  #deliver(): void {
    if (this.isDead) return;
    const listener = this.#listener;
    for (const waiting of this.#waiting.splice(0)) {
      const line = this.edit(waiting);
      // The client may have left because of an earlier line.
      if (line === undefined || this.#listener !== listener) continue;
      this.onLine(line);
      listener?.lines([line]);
    }
  }

  #leave(): void {
    const connection = this.#connection;
    this.onLeft();
    this.#listener = undefined;
    this.#connection = undefined;
    this.#waiting = [];
    this.#outgoing = [];
    connection?.end();
  }
}

export interface RigOptions extends Partial<Pick<StreamClientOptions, 'clock' | 'limits' | 'skewMs' | 'session'>> {
  readonly stage?: StreamStage;
  readonly server?: Partial<StreamLimits>;
  readonly seed?: number;
}

/** A client of the rig is not started, and subscribes to nothing. */
export class StreamRig {
  readonly stage: StreamStage;
  readonly line: HurtLine;
  readonly client: StreamClient;
  readonly events: StreamEvent[] = [];
  session: StreamSession;

  constructor({ stage, server, seed = 1, session, ...options }: RigOptions = {}) {
    this.stage = stage ?? new StreamStage({ authenticationsPerSecond: 1_000, ...server });
    const { clock } = this.stage.builder;
    this.session = { appKey: 'app', token: this.stage.login().token };
    this.line = new HurtLine(clock, () => this.stage.stream);
    this.client = new StreamClient({
      openCarrier: this.line.open,
      clock,
      random: Random.fromSeed(seed),
      session: session ?? (() => of(this.session)),
      ...options,
    });
    this.client.events$.subscribe((event) => this.events.push(event));
  }

  pass(ms: number): void {
    this.stage.builder.pass(ms);
  }

  /** The events since the last call, without proofs and changes unless they are asked for. */
  news(...kinds: readonly StreamEvent['kind'][]): readonly StreamEvent[] {
    const wanted = (event: StreamEvent) =>
      kinds.length === 0 ? event.kind !== 'proven' && event.kind !== 'change' : kinds.includes(event.kind);
    return this.events.splice(0).filter(wanted);
  }

  /** The first soccer markets of the sandbox that have not begun. */
  marketIds(count: number): readonly string[] {
    const filter = { eventTypeIds: ['1'], marketTypeCodes: ['MATCH_ODDS'], inPlayOnly: false };
    const query = { filter, sort: 'FIRST_TO_START', maxResults: count };
    return this.stage
      .login()
      .call('listMarketCatalogue', query)
      .map(({ marketId }) => marketId);
  }
}

/** A rig whose client is up with two markets and the account's orders. */
export function upRig(options: RigOptions = {}): StreamRig {
  const rig = new StreamRig(options);
  rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(2)] } });
  rig.client.orders({});
  rig.client.start();
  rig.pass(100);
  expect(rig.news()).toMatchObject([{ kind: 'up', connectionId: expect.stringMatching(/^002-/) }, { kind: 'resync' }]);
  return rig;
}

/** What was sent first on the newest connection. */
export function requests(rig: StreamRig) {
  return (rig.line.sent.at(-1) ?? []).map((line) => JSON.parse(line));
}
