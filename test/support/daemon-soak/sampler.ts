/** What a running daemon and its sandbox look like from outside, every few seconds. */

import { readFileSync } from 'node:fs';
import type { DaemonProcess } from '../kill/daemon-process.ts';
import type { SandboxProcess } from '../vendor/sandbox-process.ts';
import type { Json } from '../vendor/vendor-client.ts';
import type { SoakFeed } from './soak-config.ts';

export interface FeedSample {
  readonly feed: SoakFeed;
  readonly ageMs: number;
  readonly budgetMs: number;
  readonly isLate: boolean;
}

/** Sizes in MB, times ms UTC. */
export interface Sample {
  readonly at: number;
  readonly rss: number;
  readonly heap: number;
  readonly sandboxRss: number;
  readonly phase: string;
  readonly markets: number;
  readonly liveOrders: number;
  readonly unknown: number;
  readonly feeds: readonly FeedSample[];
}

const MB = 1e6;

/** Undefined where the daemon does not answer. */
export async function takeSample(
  daemon: DaemonProcess,
  { sandbox, metricsUrl }: { readonly sandbox: SandboxProcess; readonly metricsUrl: string },
): Promise<Sample | undefined> {
  const reply: Json = await daemon.ask({ command: 'status' });
  const heap = await heapBytes(metricsUrl);
  const bot = reply?.status?.bot;
  if (bot === undefined || heap === undefined) return undefined;
  return {
    at: bot.at,
    rss: rssBytes(daemon.pid) / MB,
    heap: heap / MB,
    sandboxRss: rssBytes(sandbox.pid) / MB,
    phase: bot.phase,
    markets: bot.markets,
    liveOrders: bot.orders.live,
    unknown: bot.orders.unknown,
    feeds: bot.feeds.map(({ feed, readAt, budgetMs, isLate }: Json) => ({
      ...{ feed, budgetMs, isLate },
      ageMs: bot.at - (readAt ?? bot.startedAt),
    })),
  };
}

/** Processor time of the process so far, user and system, in ms; Linux counts it in hundredths of a second. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function rssBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) * 1_024;
}

async function heapBytes(url: string): Promise<number | undefined> {
  try {
    const text = await (await fetch(url)).text();
    const line = /^(?:\w+_)?nodejs_heap_size_used_bytes(?:\{[^}]*\})? ([\d.e+]+)$/m.exec(text);
    return line?.[1] === undefined ? undefined : Number(line[1]);
  } catch {
    return undefined;
  }
}
