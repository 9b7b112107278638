/** A stream over the Betfair face in simulated time, without sockets, and clients of it whose every line is checked. */

import { expect } from 'vitest';
import type { FaceSettings } from '../../../src/sandbox-betfair/state/face-state.ts';
import { ExchangeStream } from '../../../src/sandbox-betfair/stream/exchange-stream.ts';
import type { Peer, StreamConnection } from '../../../src/sandbox-betfair/stream/session/stream-connection.ts';
import type { StreamLimits } from '../../../src/sandbox-betfair/stream/session/stream-limits.ts';
import { type FaceClient, FaceStage } from './face-stage.ts';
import { StreamReader } from './stream-reader.ts';

export class StreamStage extends FaceStage {
  readonly stream: ExchangeStream;

  constructor(limits: Partial<StreamLimits> = {}, settings: Partial<FaceSettings> = {}) {
    super(settings);
    const onBug = (error: unknown) => {
      throw error;
    };
    this.stream = new ExchangeStream({ face: this.state, limits, onBug });
  }

  /** A connection that has said nothing yet. */
  connect(reader?: StreamReader): StreamClient {
    return new StreamClient(this.stream, reader);
  }

  /** One that has authenticated; with a reader, of a client that comes back. */
  open({ token }: Pick<FaceClient, 'token'>, reader?: StreamReader): StreamClient {
    const client = this.connect(reader);
    client.send({ op: 'authentication', id: 1, appKey: 'app', session: token });
    expect(client.last).toMatchObject({ op: 'status', id: 1, statusCode: 'SUCCESS', connectionClosed: false });
    return client;
  }
}

/** A client that reads at once, unless it is told to be slow. */
export class StreamClient {
  readonly reader: StreamReader;
  isOver = false;
  #isSlow = false;
  #unread: string[] = [];
  readonly #connection: StreamConnection;

  constructor(stream: ExchangeStream, reader = new StreamReader()) {
    this.reader = reader;
    const connection = stream.connect(this.#peer());
    if (connection === undefined) throw new Error('there are too many connections');
    this.#connection = connection;
  }

  /** How many lines wait for a slow client. */
  get waiting(): number {
    return this.#unread.length;
  }

  /** The last message. */
  get last() {
    return this.reader.messages.at(-1);
  }

  send(request: object): void {
    this.raw(JSON.stringify(request));
  }

  /** Sends a line as it stands. */
  raw(line: string): void {
    this.#connection.receive(line);
  }

  /** The client leaves. */
  leave(): void {
    this.#connection.end();
  }

  /** From now on lines wait. */
  slow(): void {
    this.#isSlow = true;
  }

  /** Reads all that waits, and what the stream sends then. */
  catchUp(): void {
    while (this.#unread.length > 0) {
      for (const line of this.#unread.splice(0)) this.reader.read(line);
      this.#connection.flush();
    }
  }

  #peer(): Peer {
    const isBehind = () => this.#isSlow && this.#unread.length > 0;
    return {
      get isBehind() {
        return isBehind();
      },
      send: (text) => {
        if (this.#isSlow) this.#unread.push(text);
        else this.reader.read(text);
      },
      end: () => {
        this.isOver = true;
      },
      cut: () => {
        this.isOver = true;
        this.#connection.end();
      },
    };
  }
}
