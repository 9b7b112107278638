/** What a simulated life is at every exchange: processes that begin and die, an operator, time that passes, and the end. */

import type { Random } from '../../../src/core/number/random.ts';
import type { RunJournal } from '../../../src/journal/run-journal.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import type { BotLife } from './bot-life.ts';
import type { Hush } from './bot-strategies.ts';
import { type EndedLife, playEnd } from './calm-end.ts';
import { CompactedMemory } from './compacted-memory.ts';
import { brokenEnd, type EndParts } from './end-law.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import type { JournalTap } from './kept-journal.ts';
import type { LapseLaw } from './lapse-law.ts';
import type { LawBook } from './law-book.ts';
import type { MarketLife } from './market-life.ts';
import type { KillPoint, OperatorAct, Scenario } from './scenario.ts';
import { type Played, Story } from './story.ts';
import { withErrorsTold } from './unhandled-errors.ts';

export const START = Date.UTC(2026, 2, 24, 12);
export const RUN = 'vopr';
const LOOK_MS = 250;
const LOOK_AT_ALL_MS = 1_000;

export type AnyScenario = Pick<Scenario, 'seed' | 'chaosMs' | 'bot' | 'kills' | 'acts' | 'stops' | 'skewMs'> &
  EndedLife['scenario'];

export interface OpenParts {
  readonly number: number;
  readonly kill: KillPoint | undefined;
}

/** What an exchange of its own adds to the end. */
export type OwnEnd = Pick<EndedLife, 'differences' | 'heal' | 'waitsMs'> & Pick<EndParts, 'sister'>;

export abstract class PlayedLife<S extends AnyScenario> {
  protected readonly scenario: S;
  protected readonly random: Random;
  protected readonly time = new SimulatedClock(START);
  protected readonly story: Story;
  protected readonly hush: Hush = { isOn: false, isFlattening: false };
  protected readonly memory = new CompactedMemory({
    run: RUN,
    onCompacted: () => this.story.count('started from a compacted journal'),
    onForgotten: (what) => this.laws.fail('the journal forgets nothing', what),
  });
  protected abstract readonly exchange: ExchangeWorld;
  protected abstract readonly markets: MarketLife;
  protected abstract readonly laws: LawBook;
  protected abstract readonly lapse: LapseLaw;
  protected journal: RunJournal = this.memory.open();
  protected life: BotLife | undefined;
  protected sendings = 0;
  protected isCalm = false;
  /** No process is started before. */
  protected deadUntil = START;
  #lives = 0;
  #lookedAt = START;
  #isStopping = false;

  constructor(parts: { readonly scenario: S; readonly random: Random; readonly isTold: boolean }) {
    this.scenario = parts.scenario;
    this.random = parts.random;
    this.story = new Story({ now: () => this.time.now(), isTold: parts.isTold });
  }

  /** Sets timers for all that goes wrong, and for the operator's acts. */
  protected abstract befall(): void;
  /** Connects a new process. */
  protected abstract open(parts: OpenParts): BotLife;
  /** Nothing new goes wrong from now on, in the markets either. */
  protected abstract calmed(): void;
  protected abstract ownEnd(): OwnEnd;
  /** All is over: what is the exchange's own is freed. */
  protected abstract closed(): void;

  /** Whether a process may begin; where not, it is asked again later. */
  protected mayBegin(): boolean {
    return true;
  }
  protected began(_: BotLife): void {}
  protected died(): void {}
  /** Before the operator's word is carried out. */
  protected spoken(_: BotLife, __: OperatorAct['kind']): void {}
  /** After each event. */
  protected looked(_: BotLife | undefined): void {}
  /** Once a second. */
  protected lookedAtAll(_: number): void {}

  failed(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.laws.fail('nothing throws', text);
  }

  play(): Played {
    return withErrorsTold(
      (error) => this.failed(error),
      () => this.#play(),
    );
  }

  #play(): Played {
    const { chaosMs, seed } = this.scenario;
    const { story, time, laws } = this;
    story.tell(() => JSON.stringify(this.scenario));
    this.markets.start();
    this.begin();
    this.befall();
    this.#runUntil(START + chaosMs);
    this.hush.isFlattening = false;
    if (!this.isOver) this.#calm();
    if (!this.isOver) laws.conserved();
    const { head, records } = this.journal;
    const { counts, lines } = story;
    const played = { seed, violation: laws.first, head, records, counts, simulatedMs: time.now() - START, lines };
    this.life?.bury();
    this.closed();
    laws.orders.stop();
    this.exchange.context.stop();
    this.memory.close();
    return played;
  }

  protected get isOver(): boolean {
    return this.laws.first !== undefined;
  }

  /** A new process: the first, or the next after a death. */
  protected begin(): void {
    if (!this.mayBegin()) return;
    const { time, story } = this;
    this.#lives += 1;
    this.sendings = 0;
    this.lapse.began(time.now());
    const number = this.#lives;
    if (number > 1) this.journal = this.memory.open();
    const kill = this.isCalm ? undefined : this.scenario.kills[number - 1];
    story.tell(() => `## process ${number} starts${kill === undefined ? '' : `, kill: ${JSON.stringify(kill)}`}`);
    const life = this.open({ number, kill });
    this.life = life;
    life.start();
    this.laws.began(life);
    this.began(life);
    if (kill?.kind !== 'time') return;
    time.at(time.now() + kill.afterMs, () => {
      if (!life.process.isAlive || this.isCalm) return;
      life.process.kill();
      story.count('killed at a time');
    });
  }

  /** What a process is told of its kills. */
  protected kills(): Pick<JournalTap, 'mayKill' | 'killedAt'> {
    return {
      mayKill: () => !this.isCalm,
      killedAt: (record, when) => {
        this.story.count(`killed at ${record}`);
        this.story.tell(() => `## killed at ${record}, ${when}`);
      },
    };
  }

  protected dieAtSending(life: BotLife, when: 'before' | 'after', operation: string): void {
    const kill = this.isCalm ? undefined : this.scenario.kills[life.process.number - 1];
    if (kill?.kind !== 'sending' || kill.when !== when || kill.nth !== this.sendings || !life.process.isAlive) return;
    life.process.kill();
    this.story.count(`killed ${when} ${operation}`);
    this.story.tell(() => `## killed ${when} ${operation}`);
  }

  protected act(kind: OperatorAct['kind']): void {
    const { life } = this;
    if (life?.isRunning !== true || !life.process.isAlive || life.outcome !== undefined) return;
    this.story.count(`operator ${kind}`);
    this.story.tell(() => `## the operator says ${kind}`);
    life.process.later(0, () => {
      this.spoken(life, kind);
      life.bot[kind]('command', 'the operator wants it');
    });
  }

  #runUntil(limit: number, isDone?: () => boolean): void {
    const { time } = this;
    let askedAt = time.now();
    while (!this.isOver && time.nextDue <= limit) {
      time.runNext();
      this.#after();
      if (isDone === undefined || time.now() - askedAt < LOOK_MS) continue;
      askedAt = time.now();
      if (isDone()) return;
    }
    if (!this.isOver) time.runUntil(limit);
  }

  #after(): void {
    const { life, laws } = this;
    laws.sleptMs = life?.process.sleptMs ?? 0;
    laws.look(life);
    const now = this.time.now();
    if (now - this.#lookedAt >= LOOK_AT_ALL_MS) this.#lookAtAll(now);
    this.looked(life);
    if (life === undefined) return;
    if (!life.process.isAlive) return this.#bury(life);
    if (life.outcome === undefined) return;
    if (life.outcome === 'ended' && this.#isStopping) return;
    if (life.outcome === 'refused') return this.#bury(life);
    if (life.outcome === 'ended') laws.fail('nothing throws', 'the bot ended by itself');
    else this.failed(life.outcome.error);
  }

  #lookAtAll(now: number): void {
    const { life } = this;
    this.#lookedAt = now;
    this.laws.lookAtAll(life);
    // Law 6: a pipeline that receives nothing lets the heartbeat lapse, so that the exchange cancels.
    this.lapse.look(now, life?.process.sleptMs ?? 0);
    this.lookedAtAll(now);
    if (life?.process.isAlive !== true) return;
    const { phase, heartbeat, trading } = life.status();
    for (const state of [`phase ${phase}`, `heartbeat ${heartbeat}`, `trading ${trading}`]) this.story.count(state);
  }

  #bury(life: BotLife): void {
    const { random, time } = this;
    life.bury();
    this.life = undefined;
    this.died();
    this.laws.died();
    this.story.count(life.outcome === 'refused' ? 'first run found the heartbeat owned' : 'world kill');
    const pauseMs = random.chance(0.2) ? 8_000 + random.below(9_000) : 50 + random.below(2_500);
    time.at(Math.max(this.deadUntil, time.now() + pauseMs), () => this.begin());
  }

  /** Faults end; markets stay open. */
  #calm(): void {
    this.isCalm = true;
    this.story.tell(() => '## all faults are over');
    this.calmed();
    const { scenario, exchange, laws, time, markets, story, hush } = this;
    const { sister, ...own } = this.ownEnd();
    playEnd({
      ...{ time, scenario, exchange, laws, markets, story, hush, ...own },
      brokenEnd: (life) => brokenEnd({ scenario, exchange, laws, life, sister }),
      life: () => this.life,
      resume: () => this.act('resume'),
      runUntil: (limit, isDone) => this.#runUntil(limit, isDone),
      stopping: () => {
        this.#isStopping = true;
      },
    });
  }
}
