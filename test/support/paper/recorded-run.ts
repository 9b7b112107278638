/** A live or paper run against a sandbox, put together as the daemon does it, with its journal, its tapes and its run file. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { filter, lastValueFrom } from 'rxjs';
import { openPaper } from '../../../src/app/live/exchange/run-gateway.ts';
import { RunRecorder } from '../../../src/app/live/record/run-recorder.ts';
import { type RunFile, writeRunFile } from '../../../src/app/run/run-file.ts';
import { FILL_RULES, runStrategyOf } from '../../../src/app/run/run-file-of.ts';
import { startStrategies } from '../../../src/app/run/strategy-instances.ts';
import { RestClient } from '../../../src/betdex/client/rest-client.ts';
import { marketFeed } from '../../../src/betdex/gateway/market-feed.ts';
import { restGateway } from '../../../src/betdex/gateway/rest-gateway.ts';
import { Random } from '../../../src/core/number/random.ts';
import { money } from '../../../src/core/number/units.ts';
import { Bot } from '../../../src/engine/live/bot.ts';
import type { BotSettings } from '../../../src/engine/live/bot-settings.ts';
import type { FeedMessage } from '../../../src/exchange/gateway.ts';
import type { LiveGateway } from '../../../src/exchange/live-gateway.ts';
import { LiveMarket } from '../../../src/exchange-live/markets/live-market.ts';
import { TIMEOUTS } from '../../../src/exchange-live/settings.ts';
import { openRunJournal } from '../../../src/journal/open-run-journal.ts';
import type { MarketFeedMessage } from '../../../src/simulator/paper-exchange.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import type { RecordingStage } from '../record/recording-stage.ts';

export interface RecordedRunOptions {
  readonly stage: RecordingStage;
  readonly directory: string;
  readonly mode: 'live' | 'paper';
  readonly lengthMs: number;
  readonly strategies: readonly { readonly name: string; readonly params: Readonly<Record<string, unknown>> }[];
}

const BALANCE = money(100_000_000_000);
const PRICES = { kind: 'poll', everyMs: 100 } as const;
const SETTINGS: BotSettings = {
  tickMs: 100,
  intentsMax: 100,
  end: { orders: 'cancel', deadlineMs: 3_000 },
  heartbeat: { timeoutMs: 10_000, pollBudgetMs: 3_000, atEnd: 'clear' },
  reconcile: { everyMs: 1_000, lastingAfter: 3, foreignOrders: 'cancel' },
  freshness: { markets: 15_000, prices: 5_000, orders: 5_000, wallets: 30_000 },
  dark: { afterMs: { markets: 15_000, prices: 5_000, orders: 5_000 }, orders: 'cancel' },
};

export function strategyFile(name: string): string {
  return fileURLToPath(new URL(`../../../strategies/${name}.ts`, import.meta.url));
}

/** What it says in its run file. */
export async function recordedRun(options: RecordedRunOptions): Promise<RunFile> {
  const { stage, directory, mode } = options;
  const { url, appId, apiKey } = stage.sandbox;
  const tapes = join(directory, 'tapes');
  mkdirSync(tapes, { recursive: true });
  const started = await startStrategies(
    options.strategies.map(({ name, params }) => ({ file: strategyFile(name), params, wallet: 'main' })),
    ['main'],
  );
  const names = started.map(({ name }) => name);
  const run: RunFile = {
    ...{ format: 1, version: '', mode, seed: 7, fills: 'central', inPlayDelay: 'recorded', intentsMax: 100 },
    strategies: started.map(runStrategyOf),
    wallets: [{ name: 'main', currency: 'USDC', balance: BALANCE }],
    ...{ limits: { staleMs: 5_000 }, commission: { ratePpm: 20_000 }, fillRules: FILL_RULES },
    latency: { request: { kind: 'spread', p50: 30, p99: 200 }, response: { kind: 'fixed', ms: 10 } },
  };
  writeRunFile(directory, run);
  const client = new RestClient({
    ...{ baseUrl: url, credentials: { appId, apiKey }, clock: wallClock, random: Random.fromSeed(1) },
    budget: { perSecond: 500, burst: 500 },
  });
  const faults: unknown[] = [];
  const recorder = new RunRecorder({
    ...{ directory: tapes, address: url, prices: PRICES, commissionPpm: 20_000, times: 'received', clock: wallClock },
    onFault: (error) => faults.push(error),
  });
  const opened = mode === 'paper' ? paper(run, client, recorder) : live(stage, client, recorder, names);
  const { clock, gateway, fromOutside } = opened;
  const journal = openRunJournal({ file: join(directory, 'journal.sqlite'), run: 'r1', acceptCorrupt: false });
  const strategies = started.map(({ name, loaded }) => ({ name, sha256: loaded.sha256 }));
  journal.append(clock.now(), { kind: 'started', run: 'r1', version: '', mode, config: '', strategies });
  const bot = new Bot({
    ...{ clock, gateway, fromOutside, journal, restored: undefined, run: 'r1', limits: {}, settings: SETTINGS },
    ...{ instances: started.map(({ instance }) => instance), names: { strategies: names, wallets: ['main'] } },
    onRecord: () => undefined,
  });
  const ended = lastValueFrom(bot.run$, { defaultValue: undefined });
  await pass(options.lengthMs);
  bot.stop('command', 'enough');
  await ended;
  opened.stop();
  recorder.finish();
  journal.close();
  await client.close();
  if (faults.length > 0) throw faults[0];
  return run;
}

interface Opened {
  readonly clock: Clock;
  readonly gateway: LiveGateway;
  readonly fromOutside?: (work: () => void) => void;
  stop(): void;
}

const FEEDS = { markets: { kind: 'poll', everyMs: 200 }, prices: PRICES } as const;

function paper(run: RunFile, client: RestClient, recorder: RunRecorder): Opened {
  const { updates$ } = marketFeed({
    ...{ clock: wallClock, client: client.lenient },
    settings: { currency: 'USDC', watch: {}, feeds: FEEDS, timeouts: TIMEOUTS },
  });
  return openPaper({ ...run, wallets: [BALANCE], clock: wallClock, updates$, recorder });
}

function live(
  { sandbox }: RecordingStage,
  client: RestClient,
  recorder: RunRecorder,
  strategies: readonly string[],
): Opened {
  const { appId, walletId } = sandbox;
  const gateway = restGateway({
    ...{ clock: wallClock, client: client.lenient },
    settings: {
      ...{
        appId,
        wallets: [walletId],
        currency: 'USDC',
        watch: {},
        timeouts: TIMEOUTS,
        strategies,
        referencePrefix: 'r1',
      },
      feeds: { ...FEEDS, orders: { kind: 'poll', everyMs: 100 }, wallets: { kind: 'poll', everyMs: 1_000 } },
    },
  });
  recorder.follow(gateway.feed$.pipe(filter(isNews)));
  return { clock: wallClock, gateway, stop: () => undefined };
}

function isNews(message: FeedMessage): message is FeedMessage & MarketFeedMessage {
  return message.kind === 'read' || (message.kind === 'market' && message.market instanceof LiveMarket);
}
