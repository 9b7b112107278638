/** The machine's clock beside the run's own: when the run sees that they differ, what an operator does then, and what must not happen. */

import { ClockWatch } from '../../../src/app/live/observe/health.ts';
import type { Random } from '../../../src/core/number/random.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import type { BotLife } from './bot-life.ts';
import { isOn } from './hardships.ts';
import type { Story } from './story.ts';

export interface KeeperParts {
  readonly time: SimulatedClock;
  readonly story: Story;
  readonly random: Random;
  readonly tickMs: number;
  /** By how much the system's date is wrong now, ms. */
  readonly skewMs: () => number;
  readonly life: () => BotLife | undefined;
  readonly operator: (kind: 'resume') => void;
}

/** As by default (src/app/config/schema/run-blocks.ts). */
const SKEW_MAX_MS = 5_000;

export class ClockKeeper {
  readonly #parts: KeeperParts;
  /** Since when the two differ, for the process that lives. */
  #offSince: number | undefined;
  #watch: ClockWatch | undefined;
  /** From now on operators wait only briefly. */
  isCalm = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** A process begins: by the date that the system has now. It looks as often as a daemon does. */
  began(life: BotLife): void {
    this.#offSince = undefined;
    if (!isOn('pauses')) return;
    const { skewMs, tickMs, time } = this.#parts;
    const watch = new ClockWatch({
      ...{ clock: life.process.clock, skewMaxMs: SKEW_MAX_MS, wallMs: () => time.now() + skewMs() },
      onJump: (ms) => this.#jumped(life, ms),
      onOff: (words) => this.#off(life, words),
      onRight: () => life.bot.requireResyncOfClock(undefined),
    });
    this.#watch = watch;
    const look = (): void => {
      if (life.isRunning) watch.look();
      life.process.later(tickMs, look);
    };
    look();
  }

  /** Something comes from outside, or an order is to leave: a daemon looks first. */
  beforeInput(): void {
    if (isOn('pauses')) this.#watch?.look();
  }

  /** An operator gives a command: a daemon checks its clock before it answers. */
  spoken(life: BotLife, kind: string): void {
    if (!isOn('pauses')) return;
    this.#watch?.look();
    if (kind === 'resume' && life.status().clockDoubt !== undefined)
      this.#parts.story.count('resume refused by a wrong clock');
  }

  /** After each event. */
  after(life: BotLife | undefined): void {
    if (!isOn('pauses') || life === undefined) return;
    const { time, skewMs } = this.#parts;
    const isOff = Math.abs(time.now() + skewMs() - life.process.clock.now()) > SKEW_MAX_MS;
    this.#offSince = isOff ? (this.#offSince ?? time.now()) : undefined;
  }

  /** What is wrong with an order that leaves now: a process that was awake since has seen that the clocks differ. */
  broken({ process }: BotLife): string | undefined {
    if (this.#offSince === undefined) return undefined;
    const { time, tickMs } = this.#parts;
    const seenForMs = time.now() - Math.max(this.#offSince, process.stalledUntil);
    if (seenForMs <= 2 * tickMs) return undefined;
    return `an order leaves ${seenForMs} ms after the run's clock and the system's differed by more than ${SKEW_MAX_MS} ms`;
  }

  #jumped(life: BotLife, ms: number): void {
    if (ms > 0) life.bot.requireResync(`the clock was set, or the machine slept: ${ms} ms`);
  }

  /** An operator asks to resume, which is refused; then stops the run and starts it anew. */
  #off(life: BotLife, words: string): void {
    const { story, random, operator } = this.#parts;
    story.count('clock wrong');
    story.tell(() => `## ${words}`);
    life.bot.requireResyncOfClock(words);
    if (life.status().trading === 'running') life.bot.reduceOnly('clock', words);
    if (random.chance(0.7)) this.#in(200 + random.below(2_000), life, () => operator('resume'));
    this.#in(this.isCalm ? 500 : 2_500 + random.below(5_000), life, () => this.#startAnew(life));
  }

  #startAnew(life: BotLife): void {
    if (life.status().clockDoubt === undefined) return;
    const { story, time, random, operator } = this.#parts;
    story.count('started anew for its clock');
    story.tell(() => '## the operator starts the run anew');
    life.process.kill();
    time.at(time.now() + 5_000 + random.below(5_000), () => operator('resume'));
  }

  #in(ms: number, life: BotLife, task: () => void): void {
    const { time } = this.#parts;
    time.at(time.now() + ms, () => {
      if (this.#parts.life() === life && life.process.isAlive) task();
    });
  }
}
