/** Another run of the same app, with a wallet of its own, that is started, killed, paused and ended beside the first. */

import type { Random } from '../../../src/core/number/random.ts';
import { isLive } from '../../../src/core/order.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { memoryRunJournal } from '../journal/memory-run-journal.ts';
import { betdexConnection } from './betdex-connection.ts';
import { BotLife } from './bot-life.ts';
import type { Weather, WireTap } from './faulty-wire.ts';
import { LapseLaw } from './lapse-law.ts';
import { OwnOrders } from './own-orders.ts';
import type { Scenario } from './scenario.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';
import { PAUSE_MS, type SisterAct } from './sister-plan.ts';
import type { Story } from './story.ts';

export interface SisterParts {
  readonly time: SimulatedClock;
  readonly scenario: Scenario;
  readonly exchange: SimulatedExchange;
  readonly eventIds: readonly string[];
  readonly weather: Weather;
  readonly story: Story;
  readonly random: Random;
  /** Whether the first run's process is there, and holds the app on this machine (src/app/live/exchange/app-lease.ts). */
  readonly isHeld: () => boolean;
  readonly failed: (law: string, what: string) => void;
}

const NAME = 'sister';

export class SisterRun {
  readonly #parts: SisterParts;
  readonly #memory = memoryRunJournal({ run: NAME });
  readonly #orders: OwnOrders;
  readonly #lapse: LapseLaw;
  /** What only this run has: what it trades with, and where. */
  readonly #scenario: Scenario;
  #life: BotLife | undefined;
  #lives = 0;
  /** The other run ended, and was asked to leave its orders as they are: with a heartbeat or without. */
  #keeps = false;

  constructor(parts: SisterParts) {
    this.#parts = parts;
    const { exchange, time, scenario } = parts;
    this.#scenario = { ...scenario, strategies: [{ name: 'placer', wallet: 0 }] };
    this.#orders = new OwnOrders(exchange, NAME, exchange.sisterWallets);
    const fail = (law: string, what: string) => parts.failed(law, `the sister: ${what}`);
    this.#lapse = new LapseLaw({ exchange, scenario, orders: this.#orders, now: time.now(), story: parts.story, fail });
  }

  /** Whether a process of this run lives, stopped or not: then it holds the app. */
  get isAlive(): boolean {
    return this.#life !== undefined;
  }

  /** Whether any order of this run is live. */
  get hasOrders(): boolean {
    return [...this.#orders.byOrder.keys()].some((order) => {
      const status = this.#parts.exchange.machine.order(order)?.status;
      return status !== undefined && isLive(status);
    });
  }

  schedule(acts: readonly SisterAct[]): void {
    const { time } = this.#parts;
    const from = time.now();
    for (const { afterMs, kind } of acts) time.at(from + afterMs, () => this.act(kind));
  }

  act(kind: SisterAct['kind']): void {
    const { story } = this.#parts;
    if (kind === 'start') return this.#start();
    const life = this.#life;
    if (life === undefined) return;
    story.count(`sister ${kind}`);
    story.tell(() => `## the sister: ${kind}`);
    if (kind === 'kill') this.#bury(life);
    else if (kind === 'pause') life.process.stall(PAUSE_MS);
    else if (life.isRunning) life.process.later(0, () => life.bot.stop('command', 'the sister is not needed'));
    else this.#bury(life);
  }

  /** Called after each event: forgets a process that has ended. */
  after(): void {
    const life = this.#life;
    if (life === undefined || life.outcome === undefined) return;
    if (life.outcome === 'refused') this.#parts.story.count('sister found the heartbeat owned');
    else if (life.outcome !== 'ended')
      this.#parts.failed('nothing throws', `the sister: ${String(life.outcome.error)}`);
    this.#bury(life);
  }

  /** Now and then. */
  look(now: number): void {
    if (this.#life?.isRunning !== true && this.#keeps) return;
    this.#lapse.look(now, this.#life?.process.sleptMs ?? 0);
  }

  close(): void {
    if (this.#life !== undefined) this.#bury(this.#life);
    this.#orders.stop();
    this.#memory.close();
  }

  #start(): void {
    const { story, time, exchange, weather, random, isHeld, eventIds } = this.#parts;
    if (this.#life !== undefined) return;
    if (isHeld()) return story.count('sister refused');
    this.#lives += 1;
    this.#lapse.began(time.now());
    story.count('sister start');
    story.tell(() => '## the sister: start');
    const wallets = exchange.sisterWallets;
    const connection = {
      ...{ run: NAME, time, scenario: this.#scenario, exchange, weather, story, eventIds, wallets },
      tap: {
        leaving: () => undefined,
        left: () => undefined,
        carriedOut: () => undefined,
        ignored: () => undefined,
        toldFalsely: () => undefined,
        heard: (operation, _, reply) => this.#lapse.heard(operation, reply, time.now()),
      } satisfies WireTap,
    };
    const life = new BotLife({
      ...{ number: 100 + this.#lives, run: NAME, time, scenario: this.#scenario, exchange, story },
      ...{ random: random.fork(), hush: { isOn: false, isFlattening: false }, journal: this.#memory.open() },
      ...{ kill: undefined, skewMs: 0, walletIds: exchange.idsOf(wallets) },
      connect: (connecting) => betdexConnection(connection, connecting),
      tap: {
        appended: () => undefined,
        committed: () => undefined,
        mayKill: () => false,
        killedAt: () => undefined,
      },
    });
    this.#life = life;
    life.start();
  }

  #bury(life: BotLife): void {
    if (life.isRunning) this.#keeps = life.outcome === 'ended' && this.#scenario.bot.end.orders === 'keep';
    life.bury();
    this.#life = undefined;
  }
}
