/** The line of Betfair's stream to one process: connections that are cut, silent, slow, or read too slowly. */

import type {
  CarrierListener,
  LineCarrier,
  OpenCarrier,
} from '../../../../src/betfair/stream/connection/line-carrier.ts';
import type { Peer, StreamConnection } from '../../../../src/sandbox-betfair/stream/session/stream-connection.ts';
import type { SimulatedClock } from '../../../../src/time/simulated-clock.ts';
import type { BotProcess } from '../bot-process.ts';
import type { Story } from '../story.ts';
import type { FaceExchange } from './face-exchange.ts';
import type { FaceWeather } from './face-weather.ts';

export interface FaceLineParts {
  readonly time: SimulatedClock;
  readonly process: BotProcess;
  readonly exchange: FaceExchange;
  readonly weather: FaceWeather;
  readonly story: Story;
  /** The process is about to read a line, which was sent then. */
  readonly heard: (line: string, sentAt: number) => void;
}

export class FaceLine {
  readonly #parts: FaceLineParts;
  #listener: CarrierListener | undefined;
  #connection: StreamConnection | undefined;
  /** When what was sent last arrives: lines keep their order. */
  #lastAt = 0;
  /** Lines that wait: nothing comes through, or the client reads nothing. */
  #held: { readonly line: string; readonly sentAt: number }[] = [];
  #holding: 'silent' | 'behind' | undefined;
  #lateMs = 0;

  constructor(parts: FaceLineParts) {
    this.#parts = parts;
  }

  readonly open: OpenCarrier = (listener): LineCarrier => {
    const { process, time, weather, exchange, story } = this.#parts;
    const isCurrent = () => this.#listener === listener;
    let isDropped = false;
    process.later(weather.delayMs(), () => {
      if (isDropped) return;
      if (time.now() < weather.streamDownUntil) return listener.ended('CONNECT_FAILED', 'nobody listens');
      this.#leave();
      this.#listener = listener;
      listener.opened();
      this.#connection = exchange.stream.connect(this.#peer(listener));
      story.count('stream connected');
    });
    return {
      send: (line) => {
        const connection = this.#connection;
        story.tell(() => `~> ${process.number} ${line}`);
        time.at(time.now() + weather.delayMs(), () => {
          if (isCurrent() && this.#holding !== 'silent') (connection ?? this.#connection)?.receive(line);
        });
      },
      drop: () => {
        isDropped = true;
        if (isCurrent()) this.#leave();
      },
    };
  };

  /** The connection breaks on both sides. */
  cut(): void {
    const listener = this.#listener;
    this.#leave();
    if (listener !== undefined) this.#parts.process.later(0, () => listener.ended('CUT', 'the line was cut'));
  }

  /** The exchange ends it, and says why. */
  fail(): void {
    this.#connection?.fail({ code: 'UNEXPECTED_ERROR', message: 'a fault of the simulation' });
  }

  /** Nothing comes through; or nothing is read, so that the exchange joins what changes. */
  hold(how: 'silent' | 'behind', ms: number): void {
    const { time } = this.#parts;
    this.#holding = how;
    time.at(time.now() + ms, () => this.release());
  }

  /** All that is told comes so much later. */
  late(lateMs: number, forMs: number): void {
    const { time } = this.#parts;
    this.#lateMs = lateMs;
    time.at(time.now() + forMs, () => {
      this.#lateMs = 0;
    });
  }

  /** Everything that waits is read. */
  release(): void {
    this.#holding = undefined;
    for (const { line, sentAt } of this.#held.splice(0)) this.#deliver(line, sentAt);
    this.#connection?.flush();
  }

  /** The process is dead. */
  close(): void {
    this.#leave();
  }

  #peer(listener: CarrierListener): Peer {
    const isBehind = () => this.#holding === 'behind' && this.#held.length > 0;
    const { time } = this.#parts;
    const isCurrent = () => this.#listener === listener;
    const end = () => {
      if (isCurrent()) time.at(Math.max(time.now(), this.#lastAt) + 1, () => (isCurrent() ? this.cut() : undefined));
    };
    return {
      get isBehind() {
        return isBehind();
      },
      send: (line) => {
        if (!isCurrent()) return;
        if (this.#holding === undefined) this.#deliver(line, time.now());
        else this.#held.push({ line, sentAt: time.now() });
      },
      end,
      cut: end,
    };
  }

  #deliver(line: string, sentAt: number): void {
    const { time, process, weather, story, heard } = this.#parts;
    const listener = this.#listener;
    this.#lastAt = Math.max(this.#lastAt, time.now() + weather.delayMs() + this.#lateMs);
    process.later(this.#lastAt - time.now(), () => {
      if (this.#listener !== listener || listener === undefined) return;
      story.tell(() => `<~ ${process.number} ${line.slice(0, 600)}`);
      story.count('stream line');
      heard(line, sentAt);
      listener.lines([line]);
    });
  }

  #leave(): void {
    const connection = this.#connection;
    this.#listener = undefined;
    this.#connection = undefined;
    this.#held = [];
    connection?.end();
  }
}
