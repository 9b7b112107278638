/** The thread's side of a command in a thread of its own: its terminal is the main thread's. */

import type { MessagePort } from 'node:worker_threads';
import { outliveGuests } from '../../backtest/pieces/guest-watch.ts';
import { MARK } from '../../engine/guest/decision-mark.ts';
import { closeConstructors } from '../../loader/realm/second-wall.ts';
import { chunked } from '../cli/chunked.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Answer, SignalHandlers, ThreadLink } from '../thread/thread-link.ts';
import {
  ASKED,
  type FromThread,
  type InquiryAnswer,
  type Reason,
  type ThreadStart,
  type ToThread,
  type WatchPlan,
  WORDS,
} from '../thread/thread-messages.ts';
import { runCli, tellFault } from './cli.ts';

/** Between two signs that the event loop turns. */
const TURN_MS = 100;
/** How many characters may wait to be written: beyond that the command waits for its reader, as it does without a thread. */
const UNWRITTEN_MAX = 8_000_000;
/** Frames of a strategy may lie below many of the libraries that it uses. */
const FRAMES = 50;

/** Runs the command and says how it ended; the main thread ends this one then. */
export async function runCommandHere(start: ThreadStart, port: MessagePort): Promise<void> {
  const { args, words } = start;
  setInterval(() => Atomics.add(words, WORDS.turns, 1), TURN_MS).unref();
  const link = new PortLink(start, port);
  // Listening alone must not keep the thread alive: a thread that ends with nothing to do is a fault, which the main thread reports.
  port.unref();
  const terminal = link.terminal();
  closeConstructors();
  outliveGuests((text) => terminal.note(`notice  ${text}\n`));
  const exitCode = await runCli(args, terminal);
  // The output of strategies has a way of its own.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  link.say({ kind: 'ended', exitCode });
}

class PortLink implements ThreadLink {
  readonly mark: Int32Array;
  readonly #start: ThreadStart;
  readonly #port: MessagePort;
  readonly #abort = new AbortController();
  readonly #handlers = new Set<SignalHandlers>();
  #posted = 0;
  #answer: Answer | undefined;
  /** Called when the thread has left what it was executing. */
  #onLeft: (() => void) | undefined;

  constructor(start: ThreadStart, port: MessagePort) {
    this.#start = start;
    this.#port = port;
    this.mark = start.words;
    port.on('message', (message: ToThread) => (message.kind === 'left' ? this.#left() : this.#hear(message.name)));
    Object.defineProperty(globalThis, Symbol.for(ASKED), { value: (reason: Reason) => this.#asked(reason) });
  }

  terminal(): Terminal {
    const write = (kind: 'out' | 'note', text: string): void => this.#write(kind, text);
    return {
      ...this.#start.terminal,
      out: (text) => write('out', text),
      outAll: async (pieces) => {
        for (const piece of chunked(pieces)) write('out', piece);
      },
      note: (text) => write('note', text),
      signal: this.#abort.signal,
      thread: this,
    };
  }

  watch(plan: WatchPlan, answer: Answer): void {
    this.#answer = answer;
    this.say({ kind: 'watch', plan });
  }

  onSignals(handlers: SignalHandlers): () => void {
    this.#handlers.add(handlers);
    this.say({ kind: 'obeys', signals: Object.keys(handlers) as NodeJS.Signals[] });
    return () => void this.#handlers.delete(handlers);
  }

  say(message: FromThread): void {
    this.#port.postMessage(message);
  }

  #write(kind: 'out' | 'note', text: string): void {
    const { words } = this.#start;
    this.say({ kind, text });
    this.#posted = (this.#posted + text.length) | 0;
    for (;;) {
      const written = Atomics.load(words, WORDS.written);
      if (((this.#posted - written) | 0) <= UNWRITTEN_MAX) return;
      Atomics.wait(words, WORDS.written, written);
    }
  }

  #hear(name: NodeJS.Signals): void {
    if (name === 'SIGINT' || name === 'SIGTERM') {
      this.say({ kind: 'heard' });
      this.#abort.abort(name);
    } else for (const handlers of this.#handlers) handlers[name]?.();
  }

  #left(): void {
    this.#port.unref();
    this.#onLeft?.();
  }

  /** Called in the middle of any code. */
  #asked(reason: Reason): InquiryAnswer {
    this.say({ kind: 'asked' });
    const answer = this.#answered(reason);
    if (answer === undefined) return 'goesOn';
    if (typeof answer === 'function') {
      this.#onLeft = answer;
      // What waited for its turn goes with what is executed: until the main thread says more, nothing else may keep the thread alive.
      this.#port.ref();
      return 'leave';
    }
    this.say({ kind: 'ended', exitCode: answer });
    return 'ended';
  }

  #answered(reason: Reason): ReturnType<Answer> {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = FRAMES;
    const at = new Error('stuck');
    Error.stackTraceLimit = limit;
    const [instance = 0, market = 0] = [this.mark[MARK.instance], this.mark[MARK.market]];
    const [world = 0, call = 0] = [this.mark[MARK.world], this.mark[MARK.calls]];
    try {
      return this.#answer?.({ reason, instance: instance === 0 ? undefined : instance - 1, market, world, call, at });
    } catch (error) {
      return tellFault(error, this.#start.args, this.terminal());
    }
  }
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
