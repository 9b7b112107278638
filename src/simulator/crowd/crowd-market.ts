/**
 * One synthetic market over time: its planned life and its crowd of traders, merged into a single sequence of commands.
 */

import { defined } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';
import type { Command } from '../../matching/messages/command.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { Crowd, CrowdTrader, CrowdView } from './crowd.ts';
import type { LifeStep } from './match-life.ts';

/** Removal factors are whole tenths of a percent. */
const FACTOR_GRAIN_PPM = 1000;

/**
 * The market must exist and be published before the first step. At one instant, steps of the market's life come before
 * the crowd's orders.
 */
export class CrowdMarket {
  readonly #trader: CrowdTrader;
  readonly #crowd: Crowd;
  readonly #life: readonly LifeStep[];
  readonly #random: Random;
  readonly #inPlayPace: number;
  #lived = 0;

  constructor(options: {
    readonly trader: CrowdTrader;
    readonly crowd: Crowd;
    readonly life: readonly LifeStep[];
    readonly random: Random;
    /** The factor by which the crowd is faster in play. */
    readonly inPlayPace: number;
  }) {
    this.#trader = options.trader;
    this.#crowd = options.crowd;
    this.#life = options.life;
    this.#random = options.random;
    this.#inPlayPace = options.inPlayPace;
  }

  /** When something happens next; Infinity once the market's life is over. */
  get nextAt(): number {
    const step = this.#life[this.#lived];
    return step === undefined ? Number.POSITIVE_INFINITY : Math.min(step.at, this.#crowd.nextAt);
  }

  /**
   * The next command. Call it only where `nextAt` is finite, apply the command, then pass every event it gave to
   * `onEvent`.
   */
  next(view: CrowdView): Command {
    const step = defined(this.#life[this.#lived], 'the life of the market is not over');
    if (this.#crowd.nextAt < step.at) return this.#crowd.next(view);
    this.#lived += 1;
    return this.#live(step);
  }

  onEvent(event: ExchangeEvent): void {
    this.#crowd.onEvent(event);
  }

  #live(step: LifeStep): Command {
    const { market, app } = this.#trader;
    const crowd = this.#crowd;
    const at = step.at;
    switch (step.kind) {
      case 'open':
        crowd.resume(at);
        return { at, kind: 'open', market };
      case 'goInPlay':
        crowd.setPace(this.#inPlayPace);
        return { at, kind: 'setInPlay', market, inPlay: true };
      case 'suspend':
        crowd.pause();
        return { at, kind: 'suspend', market, suspended: true };
      case 'lapse':
        return { at, kind: 'cancel', app, markets: [market] };
      case 'resume':
        if (step.jump) crowd.fair.jump(this.#random);
        crowd.resume(at);
        return { at, kind: 'suspend', market, suspended: false };
      case 'remove':
        return {
          at,
          kind: 'removeOutcome',
          market,
          outcome: step.outcome,
          factorPpm: this.#remove(step.outcome),
          basis: step.basis,
        };
      case 'lock':
        crowd.pause();
        return { at, kind: 'lock', market };
      case 'settle':
        return { at, kind: 'settle', market, winners: crowd.fair.drawWinners(this.#random) };
      case 'void':
        crowd.pause();
        return { at, kind: 'void', market };
    }
  }

  /** Removes an outcome. The reduction factor is the outcome's chance of winning, rounded as a bookmaker would. */
  #remove(outcome: number): number {
    const share = this.#crowd.fair.remove(outcome);
    return Math.round((share * 1_000_000) / FACTOR_GRAIN_PPM) * FACTOR_GRAIN_PPM;
  }
}
