/**
 * Plays whole lives of a bot against the simulated exchange: `npm run vopr -- --seeds 2000 --seed 1 --jobs 2`.
 * Progress on stderr, the result on stdout; exits with 1 and one command that reproduces it where a law was broken.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { onlyHardships } from '../support/vopr/hardships.ts';
import {
  commandOf,
  EXCHANGES,
  type ExchangeName,
  joined,
  playSeeds,
  type RangePlayed,
  retold,
} from '../support/vopr/seed-range.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    /** betdex or betfair. */
    exchange: { type: 'string', default: 'betdex' },
    jobs: { type: 'string', default: String(Math.min(8, availableParallelism())) },
    failures: { type: 'string', default: '1' },
    /** Plays every so many-th seed only. */
    step: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    /** Prints each seed's journal head. */
    heads: { type: 'boolean', default: false },
    /** These hardships alone (hardships.ts), by commas. */
    only: { type: 'string' },
    /** Set for the processes that this one starts: which share of the seeds is theirs. */
    share: { type: 'string' },
  },
});
const [seeds, first, failuresMax] = [Number(values.seeds), Number(values.seed), Number(values.failures)];
const step = Number(values.step);
const exchange = exchangeOf(values.exchange);
const jobs = Math.max(1, Math.min(Number(values.jobs), seeds));
const REPORT_EVERY = 50;
/** So often a line of progress is written where one process plays all. */
const LINE_EVERY = 500;

if (values.only !== undefined) onlyHardships(values.only.split(',').filter((name) => name !== ''));
if (values.share !== undefined) playShare(Number(values.share));
else if (values.trace) tell(retold(first, { exchange, linesMax: Number.POSITIVE_INFINITY }).text);
else if (values.heads)
  playSeeds({ from: first, count: seeds, exchange }, { onSeed: ({ seed, head }) => tell(`${seed} ${head}`) });
else await playAll();

function playShare(share: number): void {
  let done = 0;
  const range = { from: first + share * step, count: seeds - share * step, step: jobs * step, exchange };
  const played = playSeeds(range, {
    failuresMax,
    onSeed: () => {
      done += 1;
      if (done % REPORT_EVERY === 0) process.send?.({ done: REPORT_EVERY });
    },
  });
  process.send?.({ played });
}

async function playAll(): Promise<void> {
  const started = performance.now();
  const played = jobs === 1 ? playHere(started) : await inProcesses(started);
  const seconds = (performance.now() - started) / 1_000;
  report(played, seconds);
  process.exitCode = played.failures.length > 0 ? 1 : 0;
}

function playHere(started: number): RangePlayed {
  let done = 0;
  const onSeed = (): void => {
    done += 1;
    if (done % LINE_EVERY === 0) tellProgress(done, started);
  };
  return playSeeds({ from: first, count: seeds, step, exchange }, { failuresMax, onSeed });
}

function tellProgress(done: number, started: number): void {
  const seconds = (performance.now() - started) / 1_000;
  process.stderr.write(
    `${done} of ${Math.ceil(seeds / step)} seeds in ${Math.round(seconds)} s, ${(done / seconds).toFixed(1)} a second\n`,
  );
}

async function inProcesses(started: number): Promise<RangePlayed> {
  let done = 0;
  const children: ChildProcess[] = [];
  const shares = Array.from({ length: jobs }, (_, share) => {
    const child = fork(fileURLToPath(import.meta.url), [
      ...process.argv.slice(2),
      '--share',
      String(share),
      '--jobs',
      String(jobs),
    ]);
    children.push(child);
    return new Promise<RangePlayed>((resolve, reject) => {
      child.on('message', (message: { readonly done?: number; readonly played?: RangePlayed }) => {
        if (message.played !== undefined) return resolve(message.played);
        done += message.done ?? 0;
        tellProgress(done, started);
      });
      child.on('exit', (code) => reject(new Error(`a process of seeds ended with ${code}`)));
    });
  });
  return joined(await Promise.all(shares));
}

function report(played: RangePlayed, seconds: number): void {
  const { failures, counts } = played;
  const figures = { seconds: Number(seconds.toFixed(1)), seedsPerSecond: Number((played.seeds / seconds).toFixed(1)) };
  if (values.json) tell(JSON.stringify({ from: first, ...played, ...figures }));
  else {
    for (const [name, count] of Object.entries(counts)) tell(`${String(count).padStart(10)}  ${name}`);
    tell(
      `${played.seeds} seeds from ${first}: ${Math.round(played.simulatedMs / 3_600_000)} simulated hours, ${played.records} records, ${figures.seconds} s, ${figures.seedsPerSecond} seeds a second`,
    );
  }
  const [failure] = failures;
  if (failure === undefined) return;
  if (!values.json) tell(retold(failure.seed, { exchange }).text);
  for (const { seed, what } of failures)
    process.stderr.write(`seed ${seed}: ${what.split('\n')[0]}\n  ${commandOf(seed, exchange)}\n`);
}

function exchangeOf(name: string): ExchangeName {
  if (Object.hasOwn(EXCHANGES, name)) return name as ExchangeName;
  throw new Error(`exchanges are ${Object.keys(EXCHANGES).join(' and ')}; got ${name}`);
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
