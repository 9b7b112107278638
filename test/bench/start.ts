/** The benches of starting: the built command to its help and to the first decision of a backtest, beside bare Node. */

import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchData } from './data.ts';
import { claim, compared, type Figure, type Measured } from './figure.ts';
import { childSeconds } from './import.ts';
import type { BenchSize } from './size.ts';

const STARTS = 5;

/** Ends the process in its first decision, so that what comes after counts for nothing. In its thread nothing gentler would. */
const FIRST_DECISION = `import { kill, pid } from 'node:process';
import { defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'first-decision',
  decide() {
    kill(pid, 'SIGKILL');
  },
});
`;
/** By which a shell tells of a process that was killed. */
const KILLED = 137;

export function benchStartHelp(data: BenchData, size: BenchSize): Promise<Figure> {
  return benchStart({ name: 'start-help', args: ['--help'], done: 'Usage: oddsmith', code: 0, data, size });
}

export function benchStartDecision(data: BenchData, size: BenchSize): Promise<Figure> {
  const strategy = join(data.directory, 'first-decision.ts');
  writeFileSync(strategy, FIRST_DECISION);
  const tape = join(data.root, 'backtest/sample.tape');
  const args = ['backtest', '--strategy', strategy, '--tape', tape, '--out', join(data.directory, 'runs')];
  return benchStart({ name: 'start-decision', args, done: '', code: KILLED, data, size });
}

async function benchStart(bench: {
  readonly name: string;
  readonly args: readonly string[];
  /** What it must have printed. */
  readonly done: string;
  /** How it must have ended. */
  readonly code: number;
  readonly data: BenchData;
  readonly size: BenchSize;
}): Promise<Figure> {
  const { name, args, done, code, data, size } = bench;
  const command = join(data.root, 'dist/app/main.js');
  claim(existsSync(command), 'the command is not built: npm run build');
  const own = new Starts([command, ...args], done, code);
  const bare = new Starts(['-e', '0'], '', 0);
  const { value, yardstick, ratio } = await compared(size.repetitions, own, bare);
  const counts = { starts: STARTS * size.repetitions, cpuMs: 1000 / value, yardstickCpuMs: 1000 / yardstick };
  const beside = { name: 'node -e 0', value: yardstick };
  return { name, value, unit: 'starts/s', yardstick: beside, ratio, counts, data: 'dist/app/main.js' };
}

/** Processes one after the other; the processor time of all of them. */
class Starts implements Measured {
  readonly operations = STARTS;
  readonly #args: readonly string[];
  readonly #done: string;
  readonly #code: number;

  constructor(args: readonly string[], done: string, code: number) {
    this.#args = args;
    this.#done = done;
    this.#code = code;
  }

  async run(): Promise<number> {
    // The shell's `times` tells what its children took, which Node does not.
    const loop = `i=0; while [ $i -lt ${STARTS} ]; do "$0" "$@"; [ $? -eq ${this.#code} ] || exit 1; i=$((i + 1)); done; echo times >&2; times >&2`;
    const child = spawn('sh', ['-c', loop, process.execPath, ...this.#args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, told] = ['', ''];
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stderr.on('data', (text) => {
      told += text;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    claim(code === 0 && out.includes(this.#done), `it did not start: ${told}`);
    return childSeconds(told.slice(told.lastIndexOf('times\n') + 'times\n'.length));
  }
}
