/** The benches of importing: a recording into a tape, beside JSON.parse of its lines and beside bzip2 before it. */

import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { withYardstick } from './apart.ts';
import { hasBzip2 } from './bzip2.ts';
import type { BenchData } from './data.ts';
import { claim, compared, type Figure, type Measured, Stopwatch } from './figure.ts';
import { countLines, PARSE_ALONE, parseAlone, parseLines } from './parse-alone.ts';
import type { BenchSize } from './size.ts';

export async function benchImportPlain(data: BenchData, size: BenchSize): Promise<Figure> {
  return withYardstick({ kind: 'parse', file: data.plain, warmUps: 1 }, async (parsing) => {
    const importing = new Importing(data.plain, data, parsing.operations);
    await importing.warmUp(size.warmPasses);
    const { value, yardstick, ratio } = await compared(size.repetitions, importing, parsing);
    const beside = { name: `${PARSE_ALONE}, in memory`, value: yardstick };
    const counts = { lines: parsing.operations, updates: importing.updates, problems: importing.problems };
    return { name: 'import-plain', value, unit: 'lines/s', yardstick: beside, ratio, counts, data: data.recordingName };
  });
}

/** @throws BenchFailure where there is no bzip2 file to import */
export async function benchImportBz2(data: BenchData, size: BenchSize): Promise<Figure> {
  const { bz2, plain, recordingName } = data;
  claim(bz2 !== undefined, 'no bzip2 here to compress the recording with: name a .bz2 recording with --file');
  const text = readFileSync(plain, 'latin1');
  const importing = new Importing(bz2, data, countLines(text));
  const yardstick = hasBzip2()
    ? { name: `bzip2 -dc, then ${PARSE_ALONE}`, measured: new UnpackAndParse(bz2, importing.operations) }
    : { name: `${PARSE_ALONE} alone (bzip2 is missing here)`, measured: parseAlone(text) };
  await importing.warmUp(size.warmPasses);
  await yardstick.measured.run();
  const { value, yardstick: beside, ratio } = await compared(size.repetitions, importing, yardstick.measured);
  const lines = importing.operations;
  const { updates, problems } = importing;
  const counts = { lines, updates, problems, cpuMs: Math.round((1000 * lines) / value) };
  return {
    name: 'import-bz2',
    value,
    unit: 'lines/s',
    yardstick: { name: yardstick.name, value: beside },
    ratio,
    counts: { ...counts, yardstickCpuMs: Math.round((1000 * lines) / beside) },
    data: recordingName,
  };
}

/** The whole import of a file, tape and hashes included; the tape is thrown away. */
class Importing implements Measured {
  readonly operations: number;
  updates = 0;
  /** What the import found wrong and left out. */
  problems = 0;
  readonly #file: string;
  readonly #tape: string;
  #sha256: string | undefined;

  constructor(file: string, data: BenchData, lines: number) {
    this.#file = file;
    this.operations = lines;
    this.#tape = join(data.directory, 'import.tape');
  }

  /** Who imports, imports many markets: the engine still compiles in the fourth. */
  async warmUp(passes: number): Promise<void> {
    for (let pass = 0; pass < passes; pass += 1) await this.run();
  }

  async run(): Promise<number> {
    rmSync(this.#tape, { force: true });
    const watch = new Stopwatch();
    const report = await importBetfair({ files: [this.#file], tape: this.#tape, onError: 'skip' });
    const seconds = watch.seconds();
    this.problems = report.files.flatMap(({ problems, recordings }) => [
      ...problems,
      ...recordings.flatMap((recording) => recording.problems),
    ]).length;
    claim(report.updatesImported > 0, 'nothing was imported');
    this.#sha256 ??= report.sha256;
    claim(report.sha256 === this.#sha256, 'two imports of one recording differ');
    this.updates = report.updatesImported;
    return seconds;
  }
}

/** bzip2 in a process of its own, its output gathered and parsed here: the processor time of both. */
class UnpackAndParse implements Measured {
  readonly operations: number;
  readonly #file: string;

  constructor(file: string, lines: number) {
    this.#file = file;
    this.operations = lines;
  }

  async run(): Promise<number> {
    const watch = new Stopwatch();
    // The shell's `times` prints what its children took, which Node does not.
    const child = spawn('sh', ['-c', 'bzip2 -dc "$0"; times >&2', this.#file], { stdio: ['ignore', 'pipe', 'pipe'] });
    const told = text(child.stderr);
    const parsed = parseLines((await bytes(child.stdout)).toString('latin1'));
    const own = watch.seconds();
    claim(parsed === this.operations, 'bzip2 gave another number of lines');
    return own + childSeconds(await told);
  }
}

/** Of the second line that `times` prints, `0m1.23s 0m0.04s`: user and system time of the children. */
export function childSeconds(times: string): number {
  const [user, system] = [...(times.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  claim(user !== undefined && system !== undefined, `the shell's times are unreadable: ${times}`);
  return [user, system].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

async function bytes(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function text(stream: AsyncIterable<Uint8Array>): Promise<string> {
  return String(await bytes(stream));
}
