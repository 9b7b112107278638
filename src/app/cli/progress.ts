/** Progress of a long command: a bar on a terminal that can redraw it, else a line now and then. */

import { Writable } from 'node:stream';
import cliProgress from 'cli-progress';
import type { Terminal } from './terminal.ts';

export interface Progress {
  /** `total` 0: not known. `detail` is a few words such as the simulated date. */
  update(done: number, total: number, detail?: string): void;
  stop(): void;
}

export interface ProgressOptions {
  /** What is counted: "updates". */
  readonly unit: string;
  /** `--json` prints none. */
  readonly silent: boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const LINE_EVERY_MS = 10_000;
const NO_PROGRESS: Progress = { update: () => undefined, stop: () => undefined };

export function startProgress(terminal: Terminal, options: ProgressOptions): Progress {
  if (options.silent) return NO_PROGRESS;
  return terminal.interactive && terminal.isDumb !== true ? bar(terminal, options) : lines(terminal, options);
}

function bar(terminal: Terminal, options: ProgressOptions): Progress {
  const shown = new cliProgress.SingleBar({
    format: ` {bar} {percentage}%  {value}/{total} ${options.unit}  {rate}/s  {left} left  {detail}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    stream: screen(terminal),
    etaBuffer: 50,
  });
  const startedAt = options.now();
  let started = false;
  return {
    update: (done, total, detail = '') => {
      const seconds = (options.now() - startedAt) / 1000;
      const rate = seconds > 0 ? done / seconds : 0;
      const left = rate > 0 && total > done ? duration((total - done) / rate) : '–';
      const payload = { rate: Math.round(rate).toLocaleString('en-GB'), left, detail };
      if (!started) shown.start(Math.max(total, done), done, payload);
      else shown.setTotal(Math.max(total, done));
      started = true;
      shown.update(done, payload);
    },
    stop: () => {
      if (started) shown.stop();
    },
  };
}

/** A stream as the bar needs one: in every thread the command's output goes through its terminal. */
function screen(terminal: Terminal): NodeJS.WritableStream {
  const stream = new Writable({
    decodeStrings: false,
    write: (text, _encoding, done) => {
      terminal.note(String(text));
      done();
    },
  });
  return Object.assign(stream, { isTTY: true, columns: terminal.width });
}

function lines(terminal: Terminal, options: ProgressOptions): Progress {
  const startedAt = options.now();
  let printedAt = startedAt;
  return {
    update: (done, total, detail = '') => {
      const now = options.now();
      if (now - printedAt < LINE_EVERY_MS) return;
      printedAt = now;
      const rate = done / ((now - startedAt) / 1000);
      const share = total > 0 ? ` of ${total.toLocaleString('en-GB')} (${Math.floor((done / total) * 100)}%)` : '';
      const left = total > done ? `, ${duration((total - done) / rate)} left` : '';
      const tail = detail === '' ? '' : `, ${detail}`;
      const count = done.toLocaleString('en-GB');
      terminal.note(`${count}${share} ${options.unit}, ${Math.round(rate).toLocaleString('en-GB')}/s${left}${tail}\n`);
    },
    stop: () => undefined,
  };
}

/** Seconds as `45s`, `3m 20s`, `2h 05m`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, '0')}s`;
  return `${Math.floor(whole / 3600)}h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')}m`;
}
