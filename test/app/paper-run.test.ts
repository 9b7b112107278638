/** A paper run against a real sandbox with a busy crowd, and `parity` of what it left: nothing differs. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seatStrategies } from '../../src/app/live/run-seats.ts';
import { openPaper } from '../../src/app/paper/open-paper.ts';
import { RunRecorder } from '../../src/app/paper/run-recorder.ts';
import { FILL_RULES } from '../../src/app/parity/describe-run.ts';
import { exitCodeOf } from '../../src/app/parity/parity-command.ts';
import { runParity } from '../../src/app/parity/parity-run.ts';
import { type RunFile, writeRunFile } from '../../src/app/parity/run-file.ts';
import { Random } from '../../src/core/random.ts';
import { money } from '../../src/core/units.ts';
import { Bot } from '../../src/engine/bot.ts';
import { openRunJournal } from '../../src/journal/open-run-journal.ts';
import { verifyTape } from '../../src/recording/verify.ts';
import { marketFeed } from '../../src/rest/gateway/market-feed.ts';
import { MARGINS } from '../../src/rest/gateway/settings.ts';
import { RestClient } from '../../src/rest/rest-client.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import { pass, RecordingStage } from '../support/record/recording-stage.ts';

const LENGTH_MS = 10_000;
const strategy = (name: string): string => fileURLToPath(new URL(`../../strategies/${name}.ts`, import.meta.url));

let stage: RecordingStage;
beforeEach(async () => {
  stage = await RecordingStage.open({ pace: 30 });
});
afterEach(() => stage.close());

/** As the daemon puts it together, for a while. */
async function paperRun(directory: string, change: Partial<RunFile> = {}): Promise<RunFile> {
  const { url, appId, apiKey } = stage.sandbox;
  const tapes = join(directory, 'tapes');
  mkdirSync(tapes, { recursive: true });
  const prices = { kind: 'poll', everyMs: 100 } as const;
  const feeds = { markets: { kind: 'poll', everyMs: 200 }, prices } as const;
  const client = new RestClient({
    ...{ baseUrl: url, credentials: { appId, apiKey }, clock: wallClock, random: Random.fromSeed(1) },
    budget: { perSecond: 500, burst: 500 },
  });
  const choices = [
    { file: strategy('favourite-scalp'), params: { lean: 0.4 }, wallet: 'main' },
    { file: strategy('passive-quoter'), params: {}, wallet: 'main' },
  ];
  const seated = await seatStrategies(choices, ['main']);
  const run: RunFile = {
    ...{ format: 1, version: '', mode: 'paper', seed: 7, fills: 'central', inPlayDelay: 'recorded', intentsMax: 100 },
    strategies: seated.map(({ name, choice, loaded }) => ({ ...choice, name, sha256: loaded.sha256 })),
    wallets: [{ name: 'main', currency: 'USDC', balance: money(1_000_000_000) }],
    ...{ limits: { staleMs: 5_000 }, commission: { ratePpm: 20_000 }, fillRules: FILL_RULES },
    latency: { request: { kind: 'spread', p50: 30, p99: 200 }, response: { kind: 'fixed', ms: 10 } },
    ...change,
  };
  writeRunFile(directory, run);
  const faults: unknown[] = [];
  const recorder = new RunRecorder({
    ...{ directory: tapes, address: url, prices, commissionPpm: 20_000, times: 'heard', clock: wallClock },
    onFault: (error) => faults.push(error),
  });
  const { news$ } = marketFeed({
    ...{ clock: wallClock, client },
    settings: { currency: 'USDC', watch: {}, feeds, margins: MARGINS },
  });
  const paper = openPaper({ ...run, wallets: [money(1_000_000_000)], clock: wallClock, news$, recorder });
  const journal = openRunJournal({ file: join(directory, 'journal.sqlite'), run: 'p1', acceptCorrupt: false });
  const strategies = seated.map(({ name, loaded }) => ({ name, sha256: loaded.sha256 }));
  journal.append(paper.clock.now(), { kind: 'started', run: 'p1', version: '', mode: 'paper', config: '', strategies });
  const bot = new Bot({
    ...{ clock: paper.clock, gateway: paper.gateway, journal, restored: undefined, run: 'p1', limits: {} },
    ...{
      seats: seated.map(({ seat }) => seat),
      names: { strategies: seated.map(({ name }) => name), wallets: ['main'] },
    },
    settings: {
      ...{ tickMs: 100, intentsMax: 100, end: { orders: 'cancel', deadlineMs: 3_000 } },
      heartbeat: { timeoutMs: 10_000, pollBudgetMs: 3_000, atEnd: 'clear' },
      reconcile: { everyMs: 1_000, lastingAfter: 3, strays: 'cancel' },
      freshness: { markets: 15_000, prices: 5_000, orders: 5_000, wallets: 30_000 },
    },
    tell: () => undefined,
  });
  const ended = lastValueFrom(bot.run$, { defaultValue: undefined });
  await pass(LENGTH_MS);
  bot.stop('command', 'enough');
  await ended;
  paper.stop();
  recorder.finish();
  journal.close();
  await client.close();
  expect(faults).toEqual([]);
  return run;
}

const hooks = { signal: new AbortController().signal, onProgress: () => undefined };

test('a paper run and the replay of its recording do the same; a changed strategy and another latency are named', async () => {
  const directory = join(stage.directory, 'run');
  const run = await paperRun(directory);
  const result = await runParity(directory, hooks);
  expect(result.differences).toEqual([]);
  expect(exitCodeOf(result)).toBe(0);
  expect(result.counts.decision.same).toBeGreaterThan(20);
  expect(result.counts.order.same).toBeGreaterThan(20);
  expect(result.counts.reply.same).toBeGreaterThan(20);

  const file = join(directory, 'moody.ts');
  writeFileSync(
    file,
    `${readFileSync(strategy('passive-quoter'), 'utf8')}\n// Another one.\n`.replace(
      'stake: params.stake',
      'stake: params.stake + 1',
    ),
  );
  const [scalper, quoter] = run.strategies;
  writeRunFile(directory, {
    ...run,
    strategies: [scalper, quoter && { ...quoter, file }].flatMap((each) => each ?? []),
  });
  const changed = await runParity(directory, hooks);
  expect(changed.differences[0]).toMatchObject({ cause: 'strategyChanged', strategy: 'passive-quoter' });
  expect(changed.causes.unexplained.causes).toBe(0);

  writeRunFile(directory, { ...run, latency: { ...run.latency, response: { kind: 'fixed', ms: 250 } } });
  const later = await runParity(directory, hooks);
  expect(later.differences[0]).toMatchObject({ cause: 'latency', step: 'reply' });
  expect(later.causes.unexplained.causes).toBe(0);
}, 60_000);
