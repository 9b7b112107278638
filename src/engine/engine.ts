/** The stages of the pipeline with the state they share: the ledger, the limits, the log. */

import { map, type Observable, type Subject } from 'rxjs';
import { present } from '../core/assert.ts';
import type { Gateway } from '../exchange/gateway.ts';
import { ExposureBook } from '../risk/exposure-book.ts';
import type { Limits } from '../risk/limits.ts';
import { RiskState } from '../risk/risk-state.ts';
import type { Clock } from '../time/clock.ts';
import { type DecideLinks, decide } from './decide.ts';
import { fold } from './fold.ts';
import { judgeIntents } from './judge-intents.ts';
import { Ledger } from './ledger.ts';
import type { RunLog } from './run-log.ts';
import type { StrategySeat } from './runtime.ts';
import { type Input, Turn } from './turn.ts';

export interface EngineConfig {
  readonly seats: readonly StrategySeat[];
  readonly limits: Limits;
  readonly log: RunLog;
  /** Intents of one decision beyond this many are refused. */
  readonly intentsMax: number;
  /** Keeps the exchange's heartbeat alive with this timeout; absent: none is armed. */
  readonly heartbeatMs?: number;
}

export class Engine {
  readonly ledger: Ledger;
  readonly #config: EngineConfig;
  readonly #turn = new Turn();
  #inbox: Subject<Input> | undefined;
  #links: DecideLinks | undefined;
  #decisions = 0;
  #intended = 0;
  #beatAt = Number.NEGATIVE_INFINITY;

  constructor(config: EngineConfig) {
    this.#config = config;
    const risk = new RiskState(config.limits);
    this.ledger = new Ledger({ seats: config.seats, exposure: new ExposureBook(), risk });
  }

  /** How often a strategy was asked, and how many orders it wished for. */
  get decisions(): number {
    return this.#decisions;
  }

  get intended(): number {
    return this.#intended;
  }

  /** The kill switch: from now on nothing is placed, and all that is live is cancelled. */
  kill(): void {
    present(this.#inbox, 'the engine is connected before it runs').next({ kind: 'kill' });
  }

  connect(parts: { clock: Clock; inbox: Subject<Input> }): void {
    const { clock, inbox } = parts;
    this.#inbox = inbox;
    this.#links = {
      wakeAt(runtime, due) {
        runtime.wakeAt = due;
        clock.schedule(() => inbox.next({ kind: 'timer', runtime, due }), due - clock.now());
      },
      emitted: (runtime, intents) => inbox.next({ kind: 'intents', runtime, intents }),
    };
  }

  fold(input: Input, at: number): Turn {
    this.#turn.begin(at);
    fold(this.ledger, input, this.#turn, this.#config.log);
    return this.#turn;
  }

  decide(turn: Turn): Turn {
    const links = present(this.#links, 'the engine is connected before it runs');
    this.#decisions += decide(this.ledger, turn, this.#config.log, links);
    return turn;
  }

  judge(turn: Turn): Turn {
    if (turn.wishes.length === 0) return turn;
    const { limits, log, intentsMax } = this.#config;
    this.#intended += judgeIntents({ ledger: this.ledger, limits, log, intentsMax }, turn);
    return turn;
  }

  isBeatDue(turn: Turn): boolean {
    const { heartbeatMs } = this.#config;
    return heartbeatMs !== undefined && turn.at >= this.#beatAt + heartbeatMs / 3;
  }

  /** Refreshed by turns that were really processed: a stuck pipeline lets the exchange cancel for us. */
  beat(turn: Turn, gateway: Gateway): Observable<Input> {
    const timeoutMs = present(this.#config.heartbeatMs, 'a heartbeat is sent where one is configured');
    const sentAt = turn.at;
    this.#beatAt = sentAt;
    return gateway.heartbeat(timeoutMs).pipe(map((reply) => ({ kind: 'heartbeatReply', reply, sentAt })));
  }
}
