/** Tells people of the alerts of a run, by all the ways that are configured, beside trading and never in its way. */

import { type Subscription, timer } from 'rxjs';
import { Random } from '../../../core/number/random.ts';
import type { Transport } from '../../../exchange-live/connection/transport.ts';
import type { Clock } from '../../../time/clock.ts';
import {
  type AlertOptions,
  type AlertWay,
  type DeadManOptions,
  privateWordsOf,
  type WayKind,
} from '../../run/alert-options.ts';
import type { AlertLine, DaemonLog } from '../log/daemon-log.ts';
import { alertNotice } from './alert-notice.ts';
import { DeadMan, type PingCounts } from './dead-man.ts';
import { Poster, transportTo } from './poster.ts';
import { originOf } from './way-request.ts';
import { type WayCounts, WaySender } from './way-sender.ts';

export interface NotificationParts {
  readonly options: AlertOptions;
  readonly clock: Clock;
  readonly log: Pick<DaemonLog, 'alerts$' | 'write'>;
  /** The network, where a test does not put something in its place. */
  readonly connect?: (origin: string) => Transport;
}

export interface NotificationCounts {
  readonly ways: readonly (WayCounts & { readonly way: WayKind; readonly waiting: number })[];
  /** Absent where nobody is to be called. */
  readonly pings: PingCounts | undefined;
}

/** How long the end of the run waits until its last alerts are sent. */
const FLUSH_MS = 5_000;

const DEAD_MAN = 'deadMan';

export class Notifications {
  readonly #parts: NotificationParts;
  readonly #senders: readonly { readonly way: AlertWay; readonly sender: WaySender }[];
  readonly #deadMan: DeadMan | undefined;
  readonly #posters: Poster[] = [];
  readonly #listening: Subscription;

  constructor(parts: NotificationParts) {
    const { options, clock, log } = parts;
    this.#parts = parts;
    const random = Random.fromSeed(Math.floor(clock.now()) % 2 ** 32);
    this.#senders = options.ways.map((way) => {
      const poster = this.#posterFor(originOf(way.url));
      const onTrouble = (words: string) => this.#onTrouble(way.kind, words);
      return { way, sender: new WaySender({ way, options, clock, random, poster, onTrouble }) };
    });
    this.#deadMan = options.deadMan === undefined ? undefined : this.#deadManFor(options.deadMan, random);
    this.#listening = log.alerts$.subscribe((line) => this.#take(line));
  }

  counts(): NotificationCounts {
    return {
      ways: this.#senders.map(({ way, sender }) => ({ way: way.kind, waiting: sender.waiting, ...sender.counts })),
      pings: this.#deadMan?.counts,
    };
  }

  /** Looks whether the run is alive; call it every second, with a number that grows with every poll that the pipeline processed. */
  lookAlive(polled: number): void {
    this.#deadMan?.look(polled);
  }

  /** Sends what waits, for a few seconds at most, and closes all connections. */
  async close(): Promise<void> {
    const { clock } = this.#parts;
    this.#deadMan?.close();
    const flushed = Promise.all(this.#senders.map(({ sender }) => sender.flush()));
    await firstOf(flushed, clock);
    for (const { sender } of this.#senders) sender.close();
    this.#listening.unsubscribe();
    await Promise.all(this.#posters.map((poster) => poster.close()));
  }

  #take(line: AlertLine): void {
    const notice = alertNotice(line, this.#parts.clock.now());
    for (const { way, sender } of this.#senders) {
      if (way.from === 'error' && notice.level !== 'error') continue;
      // That a way has failed, the others are told.
      if (line.alert === 'ALERT_NOT_SENT' && notice.subject === way.kind) continue;
      sender.take(notice);
    }
  }

  #onTrouble(way: WayKind | typeof DEAD_MAN, words: string): void {
    const what = way === DEAD_MAN ? 'the dead-man call was' : `alerts by ${way}:`;
    this.#parts.log.write({
      level: 'warn',
      alert: 'ALERT_NOT_SENT',
      subject: 'alerts',
      text: `${what} ${words}`,
      fields: { way },
      throttled: `ALERT_NOT_SENT ${way} ${words}`,
    });
  }

  #posterFor(origin: string): Poster {
    const { clock, options, connect = (to) => transportTo(to, clock) } = this.#parts;
    const poster = new Poster({ clock, transport: connect(origin), privateWords: privateWordsOf(options) });
    this.#posters.push(poster);
    return poster;
  }

  #deadManFor(options: DeadManOptions, random: Random): DeadMan {
    const { clock } = this.#parts;
    const poster = this.#posterFor(originOf(options.url));
    return new DeadMan({ options, clock, random, poster, onTrouble: (words) => this.#onTrouble(DEAD_MAN, words) });
  }
}

async function firstOf(flushed: Promise<unknown>, clock: Clock): Promise<void> {
  let stop: Subscription | undefined;
  const late = new Promise<void>((resolve) => {
    stop = timer(FLUSH_MS, clock).subscribe(() => resolve());
  });
  await Promise.race([flushed, late]);
  stop?.unsubscribe();
}
