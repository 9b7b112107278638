/** The benches of starting: the built command to its help and to the first decision of a backtest, beside bare Node. */

import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchData } from './data.ts';
import { claim, compared, type Figure, type Measured } from './figure.ts';
import { childSeconds } from './import.ts';
import type { BenchSize } from './size.ts';

const STARTS = 5;

/** Says that it decides and stands still there, without work, so that what comes after counts for nothing. */
const FIRST_DECISION = `import { defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'first-decision',
  decide() {
    console.log('decides for the first time');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
`;

/** Ends by itself, and must have printed what it is there for. */
const TO_ITS_END = `"$0" "$@" || exit 1`;
/** Killed by the shell as soon as it says that it decides; the shell then ends with 137. */
const TO_ITS_WORD = `rm -f "$HEARD"; mkfifo "$HEARD" || exit 1
"$0" "$@" 2>"$HEARD" & pid=$!
exec 3<"$HEARD"
while :; do
  read -r line <&3 || exit 1
  echo "$line" >&2
  case $line in *'decides for the first time'*) break ;; esac
done
kill -9 $pid; wait $pid; [ $? -eq 137 ] || exit 1
exec 3<&-`;

export function benchStartHelp(data: BenchData, size: BenchSize): Promise<Figure> {
  return benchStart({ name: 'start-help', args: ['--help'], once: TO_ITS_END, done: 'Usage: oddsmith', data, size });
}

export function benchStartDecision(data: BenchData, size: BenchSize): Promise<Figure> {
  const strategy = join(data.directory, 'first-decision.ts');
  writeFileSync(strategy, FIRST_DECISION);
  const tape = join(data.root, 'backtest/sample.tape');
  const args = ['backtest', '--strategy', strategy, '--tape', tape, '--out', join(data.directory, 'runs')];
  return benchStart({ name: 'start-decision', args, once: TO_ITS_WORD, done: '', data, size });
}

async function benchStart(bench: {
  readonly name: string;
  readonly args: readonly string[];
  /** How the shell starts and ends it once. */
  readonly once: string;
  /** What it must have printed. */
  readonly done: string;
  readonly data: BenchData;
  readonly size: BenchSize;
}): Promise<Figure> {
  const { name, args, once, done, data, size } = bench;
  const command = join(data.root, 'dist/app/main.js');
  claim(existsSync(command), 'the command is not built: npm run build');
  const heard = join(data.directory, 'heard');
  const own = new Starts([command, ...args], once, done, heard);
  const bare = new Starts(['-e', '0'], TO_ITS_END, '', heard);
  const { value, yardstick, ratio } = await compared(size.repetitions, own, bare);
  const counts = { starts: STARTS * size.repetitions, cpuMs: 1000 / value, yardstickCpuMs: 1000 / yardstick };
  const beside = { name: 'node -e 0', value: yardstick };
  return { name, value, unit: 'starts/s', yardstick: beside, ratio, counts, data: 'dist/app/main.js' };
}

/** Processes one after the other; the processor time of all of them. */
class Starts implements Measured {
  readonly operations = STARTS;
  readonly #args: readonly string[];
  readonly #once: string;
  readonly #done: string;
  /** Where the shell reads the output of what it started. */
  readonly #heard: string;

  constructor(args: readonly string[], once: string, done: string, heard: string) {
    this.#args = args;
    this.#once = once;
    this.#done = done;
    this.#heard = heard;
  }

  async run(): Promise<number> {
    // The shell's `times` prints what its children took, which Node does not.
    const loop = `i=0; while [ $i -lt ${STARTS} ]; do\n${this.#once}\ni=$((i + 1)); done; echo times >&2; times >&2`;
    const environment = { ...process.env, HEARD: this.#heard };
    const child = spawn('sh', ['-c', loop, process.execPath, ...this.#args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
    });
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
