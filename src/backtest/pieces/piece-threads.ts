/** Plays the pieces of a run in threads. The result is that of one thread: pieces know nothing of each other, and are put together in their order. */

import { getHeapStatistics } from 'node:v8';
import type { Piscina } from 'piscina';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { threadModule } from '../../core/checks/thread-module.ts';
import { MARK } from '../../engine/guest/decision-mark.ts';
import type { StuckCall } from '../../engine/guest/stuck-call.ts';
import { LOOK_MS, StuckWatch } from '../../engine/guest/stuck-watch.ts';
import { exitParts, stuckParts } from '../../loader/stuck-error.ts';
import type { StrategyHalted } from '../../result/result.ts';
import { nextTurn } from '../../time/next-turn.ts';
import { steadyClock } from '../../time/steady-clock.ts';
import type { BacktestHooks } from '../options/backtest-options.ts';
import { worldsOf } from '../options/worlds.ts';
import { inWorlds } from '../result/halts.ts';
import type { Piece } from '../result/kept-piece.ts';
import { type Cut, updatesOf } from './cut.ts';
import { unpackedPiece } from './packed-piece.ts';
import { stuckMax } from './play-again.ts';
import {
  PIECE_WORDS,
  PIECE_WORDS_COUNT,
  type PieceAnswer,
  type PieceLine,
  type PieceTask,
  pieceOf,
  type ThreadSetup,
} from './thread-messages.ts';

const WORKER = threadModule(import.meta.url, './piece-worker.ts');
/** Between calls a thread does work of ours, of which no slice takes so long: beyond that, promises of a strategy go on without end. */
const BETWEEN_CALLS_MS = 10_000;

export interface ThreadsParts {
  readonly setup: ThreadSetup;
  readonly cuts: readonly Cut[];
  /** The strategies by index. One is named where it hangs. */
  readonly strategies: readonly { readonly name: string; readonly file: string }[];
  readonly jobs: number;
  readonly hooks: Pick<BacktestHooks, 'onProgress' | 'onWords' | 'signal'>;
}

export interface ThreadedRun {
  /** The pieces in their order, without those that were not played where the run was ended early. */
  readonly pieces: readonly Piece[];
  /** The strategy that did not come back from a call, and ended the run. */
  readonly stuck: StrategyHalted | undefined;
}

/** @throws OddsmithError, TapeFailure: as one thread would */
export async function playInThreads(parts: ThreadsParts): Promise<ThreadedRun> {
  const { Piscina } = await import('piscina');
  const jobs = Math.min(parts.jobs, parts.cuts.length);
  const pool = new Piscina({
    filename: WORKER.href,
    name: 'play',
    minThreads: jobs,
    maxThreads: jobs,
    workerData: parts.setup,
    // Each may have as much memory as this thread.
    resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) },
  });
  try {
    return await new PieceThreads(parts, pool).play(jobs);
  } finally {
    await pool.destroy();
  }
}

/** A piece that a thread plays now. */
interface Playing {
  readonly words: Int32Array;
  readonly watch: StuckWatch;
  /** Aborting it ends the thread. */
  readonly abort: AbortController;
  /** Calls at which strategies are halted: they did not come back from them in earlier playings. */
  readonly stuckCalls: readonly StuckCall[];
  /** How many lines of its strategies were received. */
  lines: number;
  /** The call for which it was given up. */
  stuck: StuckCall | undefined;
}

class PieceThreads {
  readonly #parts: ThreadsParts;
  readonly #pool: Piscina;
  readonly #clock = steadyClock();
  readonly #total: number;
  readonly #pieces: (Piece | undefined)[] = [];
  readonly #playing = new Map<number, Playing>();
  /** How many lines of each piece were told. */
  readonly #linesTold = new Map<number, number>();
  #next = 0;
  /** Updates of the pieces that are done. */
  #done = 0;
  #at = 0;
  /** Updates of which the run's owner was told: a piece that is played again begins anew, and what is told never goes back. */
  #told = 0;
  #isEnding = false;
  #stuck: StrategyHalted | undefined;
  /** What the owner of the run threw when it was called. */
  #thrown: { readonly error: unknown } | undefined;

  constructor(parts: ThreadsParts, pool: Piscina) {
    this.#parts = parts;
    this.#pool = pool;
    this.#total = updatesOf(parts.cuts);
    pool.on('message', (line: PieceLine) => this.#hear(line));
  }

  async play(jobs: number): Promise<ThreadedRun> {
    const { signal } = this.#parts.hooks;
    const end = (): void => this.#end();
    signal.addEventListener('abort', end);
    const looking = setInterval(() => this.#look(), LOOK_MS); // edge: threads are watched while they work
    try {
      await Promise.all(Array.from({ length: jobs }, () => this.#playInTurn()));
    } finally {
      clearInterval(looking);
      signal.removeEventListener('abort', end);
    }
    this.#tellProgress();
    if (this.#thrown !== undefined) throw this.#thrown.error;
    return { pieces: this.#pieces.filter((piece) => piece !== undefined), stuck: this.#stuck };
  }

  /** One thread's worth of pieces. As in one thread, a run that is ended before it began plays as much as nothing of its first piece. */
  async #playInTurn(): Promise<void> {
    const { cuts, hooks } = this.#parts;
    while (this.#next < cuts.length && (this.#next === 0 || !(this.#isEnding || hooks.signal.aborted))) {
      const place = this.#next;
      this.#next += 1;
      try {
        this.#pieces[place] = await this.#playOne(place);
      } catch (error) {
        // The others would only delay what ends the run.
        this.#end();
        throw error;
      }
    }
  }

  /** Each line is told once: a piece that is played again says what it said before. Late lines of a thread that was ended come again. */
  #hear({ place, givenUp, line }: PieceLine): void {
    if (place !== undefined) {
      const playing = this.#playing.get(place);
      if (playing?.stuckCalls.length !== givenUp) return;
      playing.lines += 1;
      const told = this.#linesTold.get(place) ?? 0;
      if (playing.lines <= told) return;
      this.#linesTold.set(place, playing.lines);
    }
    this.#call(() => this.#parts.hooks.onWords?.(line));
  }

  /** Undefined where the piece was lost with a strategy that hangs. */
  async #playOne(place: number): Promise<Piece | undefined> {
    const stuckCalls: StuckCall[] = [];
    for (;;) {
      const outcome = await this.#playOnce(place, [...stuckCalls]);
      if (outcome === undefined || 'ends' in outcome) return outcome;
      stuckCalls.push(outcome);
    }
  }

  async #playOnce(place: number, stuckCalls: readonly StuckCall[]): Promise<Piece | StuckCall | undefined> {
    const words = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * PIECE_WORDS_COUNT));
    const watch = new StuckWatch(words, PIECE_WORDS.turns, this.#clock.now());
    const playing: Playing = { words, watch, abort: new AbortController(), stuckCalls, lines: 0, stuck: undefined };
    if (this.#parts.hooks.signal.aborted) words[MARK.ends] = 1;
    this.#playing.set(place, playing);
    const task: PieceTask = { place, stuckCalls, words };
    try {
      const answer: PieceAnswer = await this.#pool.run(task, { signal: playing.abort.signal });
      // Lines that a thread sent before its answer may come after it.
      while (playing.lines < Atomics.load(words, PIECE_WORDS.lines)) await nextTurn();
      return unpackedPiece(pieceOf(answer));
    } catch (error) {
      if (playing.abort.signal.aborted) return playing.stuck;
      throw this.#ownerOf(error, words);
    } finally {
      if (playing.stuck === undefined) this.#done += Atomics.load(words, PIECE_WORDS.played);
      this.#playing.delete(place);
    }
  }

  /** A thread that ends in the middle of a call was ended by the strategy that was called. */
  #ownerOf(error: unknown, words: Int32Array): unknown {
    const strategy = this.#parts.strategies[Atomics.load(words, MARK.instance) - 1];
    if (strategy === undefined || !(error instanceof Error) || !/^(worker exited|Worker stopped)/i.test(error.message))
      return error;
    const { name, file: place } = strategy;
    return new OddsmithError(exitParts({ name, place, limitMs: 0, consequence: 'What was replayed is lost.' }), {
      cause: error,
    });
  }

  /** No strategy is called any more, and each thread gives what it has of its piece. */
  #end(): void {
    this.#isEnding = true;
    for (const { words } of this.#playing.values()) Atomics.store(words, MARK.ends, 1);
  }

  #look(): void {
    const now = this.#clock.now();
    const limitMs = this.#parts.setup.options.strategyTimeoutMs;
    for (const playing of this.#playing.values()) {
      const { words, watch } = playing;
      const isCalling = Atomics.load(words, MARK.instance) !== 0;
      const stands = watch.look(now, isCalling ? limitMs : Math.max(limitMs, BETWEEN_CALLS_MS));
      if (Atomics.load(words, PIECE_WORDS.isPlaying) === 0) watch.isWell();
      else if (stands) this.#endOver(playing);
    }
    this.#tellProgress();
  }

  #tellProgress(): void {
    let done = this.#done;
    for (const { words } of this.#playing.values()) {
      done += Atomics.load(words, PIECE_WORDS.played);
      this.#at = Math.max(this.#at, Atomics.load(words, PIECE_WORDS.atSeconds) * 1000);
    }
    this.#told = Math.max(this.#told, done);
    this.#call(() => this.#parts.hooks.onProgress({ done: this.#told, total: this.#total, at: this.#at }));
  }

  /** Calls the run's owner. What it throws ends the run, as in one thread; here it is called from timers and messages, where it would end the process. */
  #call(owner: () => void): void {
    if (this.#thrown !== undefined) return;
    try {
      owner();
    } catch (error) {
      this.#thrown = { error };
      this.#end();
    }
  }

  /**
   * A strategy hangs: its thread is ended. If it hangs in a call the piece is played again, with the strategy halted there. Otherwise the run
   * ends, and the pieces that others play are kept as far as they came.
   */
  #endOver(playing: Playing): void {
    const { words, abort, stuckCalls } = playing;
    const { strategies, setup } = this.#parts;
    const called = strategies[Atomics.load(words, MARK.instance) - 1];
    const bounds = worldsOf(setup.options);
    if (called !== undefined && !this.#isEnding && stuckCalls.length < stuckMax({ bounds, strategies })) {
      const { where, why, next } = this.#stuckParts(called.name, called.file, '');
      const [number, world] = [Atomics.load(words, MARK.calls), Atomics.load(words, MARK.world)];
      playing.stuck = { number, world, instance: strategies.indexOf(called), where, why, next };
    }
    abort.abort();
    if (playing.stuck !== undefined) return;
    this.#end();
    this.#stuck ??= this.#haltOf(words, called);
  }

  /** The halt of a strategy that ends the run. */
  #haltOf(words: Int32Array, called: ThreadsParts['strategies'][number] | undefined): StrategyHalted {
    const { strategies, setup, cuts } = this.#parts;
    const index = Atomics.load(words, MARK.market);
    const markets = cuts.flatMap((cut) => cut.markets);
    const market = called === undefined ? undefined : markets.find((each) => each.index === index)?.market.facts.id;
    const all = worldsOf(setup.options);
    const worlds = all.slice(Atomics.load(words, MARK.world)).slice(0, 1);
    const asked = market === undefined ? '' : ` It was asked about market ${market}${inWorlds(worlds, all)}.`;
    const strategy = called?.name ?? strategies.map((each) => each.name).join("' or '");
    const consequence = `The run ended there, without the piece that it was in.${asked}`;
    const { code, what, where, why, next } = this.#stuckParts(strategy, called?.file ?? '', consequence);
    const at = Atomics.load(words, PIECE_WORDS.atSeconds) * 1000;
    return { strategy, market: market ?? '', worlds, at, code, what, where, why, next };
  }

  #stuckParts(name: string, place: string, consequence: string): ReturnType<typeof stuckParts> {
    const limitMs = this.#parts.setup.options.strategyTimeoutMs;
    const unknown = 'where in it is not known: run it with one job to see the line';
    return stuckParts({ name, place, limitMs, consequence, unknown });
  }
}
