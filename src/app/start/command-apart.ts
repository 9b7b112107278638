/** The main thread's side of a command in a thread of its own: it receives signals, writes the command's output, and watches the thread. */

import { getHeapStatistics } from 'node:v8';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { MARK } from '../../engine/guest/decision-mark.ts';
import { LOOK_MS, StuckWatch } from '../../engine/guest/stuck-watch.ts';
import { exitParts, type Stuck, stuckParts } from '../../loader/stuck-error.ts';
import { CliError, type CliErrorParts, EXIT } from '../cli/cli-error.ts';
import { processTerminal, type Terminal } from '../cli/terminal.ts';
import { keepStuck } from '../live/process/stuck-file.ts';
import type { Outcome } from '../thread/inquiry.ts';
import {
  type FromThread,
  type Reason,
  type ThreadStart,
  type ToThread,
  type WatchPlan,
  WORDS,
  WORDS_COUNT,
} from '../thread/thread-messages.ts';

/** If the thread does not react to a signal for this long, the main thread acts on it. */
const HEARD_MS = 500;
/** A thread that can be interrupted begins to answer within milliseconds. */
const ANSWER_MS = 5_000;

/**
 * What new objects of a daemon may take, MB. By default a thread of Node 24 may take 192: it goes there in steps, as more survives at
 * once, and stays, so that a daemon's memory grew by 50 MB after some minutes. With the few MB that suffice for a replay
 * (`small-heap.ts`) a busy daemon computes twice as long.
 */
const DAEMON_YOUNG_MB = 48;

/** Resolves to the exit code, after all output was written. `entry` is the module that begins both threads. */
export async function runCommandApart(args: readonly string[], entry: string): Promise<number> {
  const command = new CommandApart(args, entry);
  const exitCode = await command.ended;
  await command.close();
  return exitCode;
}

class CommandApart {
  /** Set by the first end that comes; later ones do not count. */
  readonly ended: Promise<number>;
  #end: (exitCode: number) => void = () => undefined;
  readonly #args: readonly string[];
  readonly #terminal: Terminal = processTerminal();
  readonly #words = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * WORDS_COUNT));
  readonly #watch = new StuckWatch(this.#words, WORDS.turns, performance.now());
  readonly #worker: Worker;
  readonly #obeyed = new Set<NodeJS.Signals>();
  readonly #looking: NodeJS.Timeout;
  #plan: WatchPlan | undefined;
  #isHeard = false;
  #isAsking = false;
  #isAnswering = false;
  #hasEnded = false;

  constructor(args: readonly string[], entry: string) {
    this.#args = args;
    this.ended = new Promise((resolve) => {
      this.#end = (exitCode) => {
        this.#hasEnded = true;
        resolve(exitCode);
      };
    });
    const { interactive, isDumb, colourOut, colourNote, width, columnsOut, columnsNote, signal } = this.#terminal;
    const terminal = { interactive, isDumb, colourOut, colourNote, width, columnsOut, columnsNote };
    const start: ThreadStart = { kind: 'command', args, terminal, words: this.#words };
    this.#worker = new Worker(new URL(entry), {
      argv: [...args],
      workerData: start,
      env: SHARE_ENV,
      // The thread does the work of the process, so it may have as much memory.
      resourceLimits: {
        maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20),
        maxYoungGenerationSizeMb: args[0] === 'run' ? DAEMON_YOUNG_MB : undefined,
      },
    });
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error) => void this.#failed(error));
    this.#worker.on('exit', (code) => void this.#left(code));
    signal.addEventListener('abort', () => this.#abort(signal.reason), { once: true });
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await this.#worker.terminate();
  }

  #hear(message: FromThread): void {
    if (message.kind === 'asked') this.#isAnswering = true;
    if (this.#hasEnded) return;
    switch (message.kind) {
      case 'out':
      case 'note':
        this.#terminal[message.kind](message.text);
        Atomics.add(this.#words, WORDS.written, message.text.length);
        Atomics.notify(this.#words, WORDS.written);
        return;
      case 'obeys':
        return this.#obey(message.signals);
      case 'watch':
        this.#plan = message.plan;
        return;
      case 'asked':
        return;
      case 'heard':
        this.#isHeard = true;
        return;
      case 'ended':
        return void this.#endWith(message.exitCode);
    }
  }

  /** A command that ends in the middle of a call of a strategy could send nothing. */
  async #endWith(exitCode: number): Promise<void> {
    this.#hasEnded = true;
    const [strategy, plan] = this.#stuck() ?? [];
    if (strategy !== undefined && exitCode === plan?.exitCode)
      await this.#sayLast(plan, stuckParts({ ...plan, ...strategy, place: strategy.file }).what, strategy.name);
    this.#end(exitCode);
  }

  async #sayLast({ lastWord }: WatchPlan, text: string, strategy: string): Promise<void> {
    if (lastWord === undefined) return;
    const { sayLastWord } = await import('./last-word.ts');
    try {
      const troubles = await sayLastWord(lastWord, { strategy, text }, process.env);
      for (const trouble of troubles) this.#terminal.note(`${trouble}\n`);
    } catch (error) {
      this.#terminal.note(`STRATEGY_STUCK was not sent: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }

  #say(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #obey(signals: readonly NodeJS.Signals[]): void {
    for (const name of signals) {
      if (this.#obeyed.has(name)) continue;
      this.#obeyed.add(name);
      process.on(name, () => this.#say({ kind: 'signal', name }));
    }
  }

  /**
   * Aborts the command: no strategy is called any more, and a thread that does not react to the signal is interrupted for the result so
   * far.
   */
  #abort(name: NodeJS.Signals): void {
    this.#say({ kind: 'signal', name });
    Atomics.store(this.#words, MARK.ends, 1);
    setTimeout(() => void this.#insist(), HEARD_MS).unref();
  }

  async #insist(): Promise<void> {
    if (this.#isHeard || this.#hasEnded) return;
    const outcome = await this.#ask('unheard');
    // Its last messages may still be on their way.
    if (outcome === 'ended' || this.#isHeard || this.#hasEnded) return;
    if (outcome === 'goesOn' && this.#plan !== undefined)
      return void setTimeout(() => void this.#insist(), HEARD_MS).unref();
    const [first] = this.#stuck() ?? [];
    this.#terminal.note(`interrupted${first === undefined ? '' : ` in ${first.name}`}: what was done so far is lost\n`);
    this.#end(EXIT.interrupted);
  }

  #look(): void {
    if (this.#plan === undefined || this.#isAsking || this.#hasEnded) return;
    // After a signal a shorter time applies.
    if (this.#terminal.signal.aborted && !this.#isHeard) return;
    if (this.#watch.look(performance.now(), this.#plan.limitMs)) void this.#askStuck();
  }

  async #askStuck(): Promise<void> {
    const outcome = await this.#ask('stuck');
    if (outcome === 'left') this.#say({ kind: 'left' });
    this.#watch.isWell();
    if (outcome === 'silent') await this.#endOver(stuckParts);
  }

  async #ask(reason: Reason): Promise<Outcome> {
    if (this.#isAsking) return 'goesOn';
    this.#isAsking = true;
    this.#isAnswering = false;
    const { askThread } = await import('../thread/inquiry.ts');
    const outcome = await askThread(reason, { startMs: ANSWER_MS, isAnswering: () => this.#isAnswering });
    this.#isAsking = false;
    return outcome;
  }

  /** The thread cannot be interrupted: reports what the shared memory shows of the strategy. False if the thread was in none. */
  async #endOver(partsOf: (stuck: Stuck) => CliErrorParts): Promise<boolean> {
    const [strategy, plan] = this.#stuck() ?? [];
    if (strategy === undefined || plan === undefined || this.#hasEnded) return false;
    this.#hasEnded = true;
    const { limitMs, consequence, exitCode, stuckFile } = plan;
    const parts = partsOf({ name: strategy.name, place: strategy.file, limitMs, consequence });
    if (stuckFile !== undefined) keepStuck(stuckFile, { strategy: strategy.name, details: parts.what });
    await this.#tell(new CliError(parts));
    await this.#sayLast(plan, parts.what, strategy.name);
    this.#end(exitCode);
    return true;
  }

  /** The strategy that the thread is calling now. */
  #stuck(): readonly [WatchPlan['strategies'][number], WatchPlan] | undefined {
    const strategy = this.#plan?.strategies[Atomics.load(this.#words, MARK.instance) - 1];
    return strategy === undefined || this.#plan === undefined ? undefined : [strategy, this.#plan];
  }

  async #failed(error: unknown): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#end(await this.#tell(error));
  }

  /** The thread ended without saying how: a strategy may end the thread that it runs in. */
  async #left(code: number): Promise<void> {
    if (this.#hasEnded || (await this.#endOver(exitParts))) return;
    await this.#failed(new Error(`the thread of the command ended with ${code} and told nothing`));
  }

  async #tell(error: unknown): Promise<number> {
    const { tellFault } = await import('./cli.ts');
    return tellFault(error, this.#args, this.#terminal);
  }
}
