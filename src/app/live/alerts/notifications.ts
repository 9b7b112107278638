/** Tells people of the alerts of a run, by all the ways that are configured, beside trading and never in its way. */

import { type Subscription, timer } from 'rxjs';
import { Random } from '../../../core/number/random.ts';
import { Backoff } from '../../../exchange-live/connection/backoff.ts';
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
import type { PostOutcome } from './post-outcome.ts';
import { Poster, transportTo } from './poster.ts';
import { originOf, pingRequest } from './way-request.ts';
import { type WayCounts, WaySender, wordsOf } from './way-sender.ts';

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

interface DeadManParts {
  readonly options: DeadManOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly poster: Poster;
  readonly onTrouble: (words: string) => void;
}

interface PingCounts {
  readonly sent: number;
  readonly failed: number;
}

/** A call that failed is made anew after this, and after longer pauses if that fails, too. */
const AGAIN_FIRST_MS = 2_000;

/** Calls a service that raises an alarm when it is not called any more, while the pipeline processes what it reads. */
class DeadMan {
  readonly #parts: DeadManParts;
  readonly #backoff: Backoff;
  readonly #counts = { sent: 0, failed: 0 };
  #dueAt: number;
  /** The number at the last look. */
  #polled: number | undefined;
  #giveUp: (() => void) | undefined;

  constructor(parts: DeadManParts) {
    const { options, clock, random } = parts;
    this.#parts = parts;
    this.#backoff = new Backoff({ firstMs: AGAIN_FIRST_MS, maxMs: options.everyMs, random });
    this.#dueAt = clock.now();
  }

  get counts(): PingCounts {
    return this.#counts;
  }

  /**
   * Looks whether polls go on; call it every second. `polled` grows with every poll that the pipeline processed, failed
   * ones included. The call goes out only right after it has grown, also in place of one that failed: what was
   * processed a minute ago says nothing about now.
   */
  look(polled: number): void {
    const { options, clock, poster } = this.#parts;
    const before = this.#polled;
    this.#polled = polled;
    if (before === undefined || before === polled || this.#giveUp !== undefined || clock.now() < this.#dueAt) return;
    this.#dueAt = clock.now() + options.everyMs;
    this.#giveUp = poster.post(pingRequest(options), (outcome) => this.#onOutcome(outcome));
  }

  close(): void {
    this.#giveUp?.();
  }

  #onOutcome(outcome: PostOutcome): void {
    const { clock, onTrouble } = this.#parts;
    this.#giveUp = undefined;
    if (outcome.isSent) {
      this.#counts.sent += 1;
      return this.#backoff.reset();
    }
    this.#counts.failed += 1;
    this.#dueAt = Math.min(this.#dueAt, clock.now() + this.#backoff.next());
    onTrouble(`not received: ${wordsOf(outcome)}`);
  }
}
