/**
 * What the Betfair sandbox costs that plays 200 markets with 5 updates a second each, read by three clients with all fields:
 * `npm run soak:betfair -- --minutes 2`. Processor time and memory are those of the sandbox's process. A message's delay is how
 * much later than the earliest of all it came, measured by when its update was due; what the sandbox is late with, what the
 * network takes and what the reader itself is late with are in it.
 */

import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as pass } from 'node:timers/promises';
import { connect } from 'node:tls';
import { parseArgs } from 'node:util';
import { MARKET_DATA_FIELDS } from '../../src/betfair/wire/stream/requests.ts';
import { LoadedSandbox, loggedIn, marketName, marketNumber, type Place } from '../support/betfair/loaded-sandbox.ts';
import { mean, quantile, rounded } from '../support/daemon-soak/course.ts';
import { cpuMs } from '../support/daemon-soak/sampler.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    markets: { type: 'string', default: '200' },
    clients: { type: 'string', default: '3' },
  },
});
const minutes = Number(values.minutes);
const markets = Number(values.markets);
const clients = Number(values.clients);
const EVERY_MS = 200;
/** Code is compiled and clients are told everything in these seconds, which are not measured. */
const WARM_UP_MS = 15_000;
const WINDOW_MS = 5_000;
/** The tape is a little longer than the run. */
const SPARE_MS = 60_000;
const MINUTE_MS = 60_000;
const MB = 1e6;

/** A row of a made level tells which update wrote it: its size in hundredths is the update's number by this factor. */
const FACTOR = 7_919;
const SIZES = 10_000;
const numberOfSize = new Int32Array(SIZES);
for (let number = 0; number < SIZES; number += 1) numberOfSize[(number * FACTOR) % SIZES] = number;

const sandbox = new LoadedSandbox({ markets, everyMs: EVERY_MS, playMs: minutes * MINUTE_MS + WARM_UP_MS + SPARE_MS });
async function measured(place: Place): Promise<object> {
  const readers = await Promise.all(Array.from({ length: clients }, () => Reader.open(place)));
  await pass(WARM_UP_MS);
  const [loadBefore, before, begun, own] = [loadavg(), cpuMs(sandbox.pid), performance.now(), process.cpuUsage()];
  for (const reader of readers) reader.begin();
  const memory: number[] = [rss()];
  while (performance.now() - begun < minutes * MINUTE_MS) {
    await pass(WINDOW_MS);
    memory.push(rss());
  }
  const took = performance.now() - begun;
  const reading = process.cpuUsage(own);
  const percent = (cpu: number) => rounded((100 * cpu) / took);
  const arrivals = readers.flatMap((reader) => reader.arrivals);
  const earliest = arrivals.reduce((least, { late }) => Math.min(least, late), Number.POSITIVE_INFINITY);
  const delays = arrivals.map(({ late }) => late - earliest);
  const sent = arrivals.map(({ sinceSent }) => sinceSent);
  for (const reader of readers) reader.close();
  return {
    seconds: rounded(took / 1_000),
    loadBefore: loadBefore.map(rounded),
    loadAfter: loadavg().map(rounded),
    sandboxPercentOfCore: percent(cpuMs(sandbox.pid) - before),
    readersPercentOfCore: percent((reading.user + reading.system) / 1_000),
    messagesPerSecondAndClient: rounded((1_000 * mean(readers.map(({ messages }) => messages))) / took),
    changesPerSecondAndClient: rounded((1_000 * mean(readers.map(({ arrivals: all }) => all.length))) / took),
    joined: readers.reduce((sum, reader) => sum + reader.joined, 0),
    bytesPerSecondAndClient: Math.round((1_000 * mean(readers.map(({ bytes }) => bytes))) / took),
    delayMs: shares(delays),
    sinceSentMs: shares(sent),
    rssMb: { first: memory[0], last: memory.at(-1), most: Math.max(...memory) },
  };
}

function shares(numbers: readonly number[]): object {
  const [median, most] = [quantile(numbers, 0.5), quantile(numbers, 0.95)];
  return { median: rounded(median), share95: rounded(most), share99: rounded(quantile(numbers, 0.99)) };
}

interface Arrival {
  /** Against the time at which its update was due, from an unknown beginning. */
  readonly late: number;
  /** Against the time that the message itself says, to a millisecond. */
  readonly sinceSent: number;
}

/** A client with all fields of all markets. */
class Reader {
  arrivals: Arrival[] = [];
  messages = 0;
  bytes = 0;
  /** Changes in which several updates are joined. */
  joined = 0;
  readonly close: () => void;

  private constructor(place: Place, token: string) {
    const [host = '', port = ''] = place.streamAddress.split(':');
    const socket = connect({
      host,
      port: Number(port),
      ca: place.authority,
      servername: 'localhost',
    });
    this.close = () => socket.destroy();
    const ask = (message: object) => socket.write(`${JSON.stringify(message)}\r\n`);
    ask({ op: 'authentication', id: 1, appKey: 'load', session: token });
    const marketFilter = { marketIds: Array.from({ length: markets }, (_, market) => marketName(market)) };
    const marketDataFilter = { fields: MARKET_DATA_FIELDS, ladderLevels: 10 };
    ask({ op: 'marketSubscription', id: 2, marketFilter, marketDataFilter, segmentationEnabled: true });
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      const lines = (rest + String(text)).split('\r\n');
      rest = lines.pop() ?? '';
      const at = performance.timeOrigin + performance.now();
      for (const line of lines) this.#read(line, at);
    });
  }

  static async open(place: Place): Promise<Reader> {
    return new Reader(place, await loggedIn(place));
  }

  begin(): void {
    this.arrivals = [];
    this.messages = 0;
    this.bytes = 0;
    this.joined = 0;
  }

  #read(line: string, at: number): void {
    const { op, pt, mc = [], errorCode } = JSON.parse(line);
    if (errorCode !== undefined) throw new Error(line);
    if (op !== 'mcm' || mc.length === 0) return;
    this.messages += 1;
    this.bytes += line.length + 2;
    for (const { id, con, img, rc = [] } of mc) {
      if (con === true) this.joined += 1;
      if (img === true) continue;
      const numbers = rc.flatMap(({ atb = [] }) =>
        atb.map(([, size]: readonly number[]) => numberOfSize[Math.round((size ?? 0) * 100)] ?? 0),
      );
      if (numbers.length === 0) continue;
      // The first update that is in it has waited longest.
      const dueAt = Math.min(...numbers) * EVERY_MS + marketNumber(id);
      this.arrivals.push({ late: at - dueAt, sinceSent: at - pt });
    }
  }
}

/** Memory of the sandbox's process, in MB. */
function rss(): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${sandbox.pid}/status`, 'utf8'))?.[1];
  return rounded((Number(kilobytes) * 1_024) / MB);
}

try {
  process.stdout.write(`${JSON.stringify(await measured(await sandbox.place()), undefined, 1)}\n`);
} finally {
  await sandbox.end();
}
