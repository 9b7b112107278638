/** An exchange in a real time that a test makes, without sockets: a tape, a crowd, bots that bet at random, a process that is busy. */

import type { SchedulerAction, Subscription } from 'rxjs';
import { Random } from '../../../src/core/number/random.ts';
import type { Tape } from '../../../src/recording/tape/tape.ts';
import { startCrowd } from '../../../src/sandbox/traffic/crowd.ts';
import { startTape } from '../../../src/sandbox/traffic/tape.ts';
import type { AllTraffic, TrafficContext } from '../../../src/sandbox/traffic/traffic.ts';
import { memoryWorldLog } from '../../../src/sandbox/world-log/world-log.ts';
import type { Arrival } from '../../../src/sandbox-betfair/arrivals/arrival.ts';
import { ArrivalRecorder } from '../../../src/sandbox-betfair/arrivals/arrival-recorder.ts';
import type { FaceRequest } from '../../../src/sandbox-betfair/face/face-request.ts';
import { type LivingWorld, livingWorld } from '../../../src/sandbox-betfair/living-world.ts';
import { ExchangeTime } from '../../../src/sandbox-betfair/server/exchange-time.ts';
import { BETFAIR_WORLD } from '../../../src/sandbox-betfair/state/betfair-world.ts';
import { factsOfRecord } from '../../../src/sandbox-betfair/state/market-facts.ts';
import { ExchangeStream } from '../../../src/sandbox-betfair/stream/exchange-stream.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { START } from '../sandbox/world-builder.ts';

const RPC = '/exchange/betting/json-rpc/v1';
export const KEY = 'my-own-key';
const PASSWORD = 'topsecret';

/** Its timers are late by as much as the process was busy. */
class BusyWall implements Clock {
  readonly timers = new SimulatedClock(START);
  busyMs = 0;

  now(): number {
    return this.timers.now() + this.busyMs + 0.4;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs?: number, state?: T): Subscription {
    return this.timers.schedule(work, delayMs, state);
  }
}

export const trafficOf =
  (tape: Tape, seed: number, onBug: (error: unknown) => void) =>
  (context: TrafficContext): AllTraffic => ({
    paced: [startTape(context, { tape, speed: 60, showsRecorded: true, onBug })],
    others: [startCrowd(context, { seed, onBug })],
  });

export class ArrivalsStage {
  readonly wall = new BusyWall();
  readonly arrivals: Arrival[] = [];
  readonly answers: string[] = [];
  readonly tokens: string[] = [];
  readonly world: LivingWorld;
  readonly #time: ExchangeTime;
  /** A client that now and then does not read. */
  readonly #reader = { isBehindTape: false };
  readonly #random: Random;
  readonly #stream: ExchangeStream;

  constructor(tape: Tape, seed: number) {
    const onBug = (error: unknown) => {
      throw error;
    };
    this.#random = Random.fromSeed(seed);
    const recorder = new ArrivalRecorder((arrival) => this.arrivals.push(arrival));
    this.#time = new ExchangeTime({ wall: this.wall, paceMs: 10_000, onArrival: recorder.note.bind(recorder), onBug });
    let secrets = 0;
    const secret = () => {
      secrets += 1;
      const made = `${'t'.repeat(41)}${String(secrets).padStart(2, '0')}`;
      recorder.made(made);
      this.tokens.push(made);
      return made;
    };
    const options = { invents: true, seed, settings: {} };
    const { clock } = this.#time;
    const parts = { ...options, log: memoryWorldLog(BETFAIR_WORLD), clock, secret, onBug };
    this.world = this.#time.arrive({ kind: 'start', ...options }, () => livingWorld(parts));
    // The first secret of a sandbox is the key of its control surface.
    this.world.context.secret();
    this.#stream = new ExchangeStream({ face: this.world.state, onBug });
    this.#time.startTraffic(() => trafficOf(tape, seed, onBug)(this.world.context));
    for (const name of ['mary', 'joe'])
      this.#ask({ path: '/api/login', body: `username=${name}&password=${PASSWORD}` });
    this.#subscribe();
  }

  /** Bots act at random for a while, and now and then the process is busy. */
  play(steps: number): void {
    const random = this.#random;
    for (let step = 0; step < steps; step += 1) {
      this.wall.timers.runUntil(this.wall.timers.now() + random.below(400));
      if (random.chance(0.02)) this.wall.busyMs += random.below(3_000);
      if (random.chance(0.1)) this.#reader.isBehindTape = !this.#reader.isBehindTape;
      this.#time.pace.look(this.#reader);
      this.#bet();
    }
  }

  end() {
    const accounts = this.#time.arrive({ kind: 'verdict' }, () => this.world.face.verdict());
    this.#time.stop();
    this.#stream.close();
    this.world.stop();
    return accounts;
  }

  /** The secrets that were used. */
  secrets(): readonly string[] {
    return [KEY, PASSWORD, ...this.tokens];
  }

  #subscribe(): void {
    const connection = 'client-1';
    const peer = { isBehind: false, send: () => undefined, end: () => undefined, cut: () => undefined };
    const client = this.#time.arrive({ kind: 'connected', connection }, () => this.#stream.connect(peer));
    const lines = [
      { op: 'authentication', id: 1, appKey: KEY, session: this.tokens[1] },
      { op: 'orderSubscription', id: 2 },
      { op: 'marketSubscription', id: 3, marketFilter: {} },
    ];
    for (const text of lines.map((line) => JSON.stringify(line)))
      this.#time.arrive({ kind: 'line', connection, text }, () => client?.receive(text));
  }

  #bet(): void {
    const random = this.#random;
    const { world } = this.world.context;
    const markets = [...world.catalogue.markets.values()];
    const market = markets[random.below(markets.length)];
    if (market === undefined) return;
    const facts = factsOfRecord(world, market);
    if (facts === undefined) return;
    const { id: marketId, runners } = facts;
    const selectionId = runners[random.below(runners.length)]?.selectionId;
    const size = 2 + random.below(20);
    const side = random.chance(0.5) ? 'BACK' : 'LAY';
    const price = [1.5, 2, 3, 4.5, 6, 10][random.below(6)];
    const limitOrder = { price, size, persistenceType: random.chance(0.5) ? 'PERSIST' : 'LAPSE' };
    const instructions = [{ orderType: 'LIMIT', selectionId, side, limitOrder }];
    if (random.chance(0.15)) this.#call('cancelOrders', random.chance(0.2) ? {} : { marketId });
    else if (random.chance(0.1)) this.#call('listCurrentOrders', {});
    else this.#call('placeOrders', { marketId, instructions });
  }

  #call(operation: string, params: unknown): void {
    const authentication = this.tokens[1 + this.#random.below(2)];
    const body = JSON.stringify({ jsonrpc: '2.0', method: `SportsAPING/v1.0/${operation}`, params, id: 1 });
    this.#ask({ path: RPC, body, authentication });
  }

  #ask(given: Pick<FaceRequest, 'path' | 'body'> & { readonly authentication?: string | undefined }): void {
    const request = {
      method: 'POST',
      application: KEY,
      authentication: undefined,
      hasCertificate: false,
      ...given,
    };
    this.#time.arrive({ kind: 'request', request }, () =>
      this.world.face.answer(request).subscribe(({ text }) => this.answers.push(text)),
    );
  }
}
