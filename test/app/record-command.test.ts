/** `oddsmith record` against a real sandbox with a busy crowd: what it records, loses, notes and refuses. */

import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { record } from '../../src/app/live/record/record-run.ts';
import type { TapeInfo } from '../../src/app/output/tape-info.ts';
import type { RecordOptions } from '../../src/app/run/run-options.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { verifyTape } from '../../src/recording/verify.ts';
import type { Clock } from '../../src/time/clock.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { sampleStrategy } from '../support/places.ts';
import { recordedEnds } from '../support/record/recorded-book.ts';
import { RecordingStage } from '../support/record/recording-stage.ts';
import { run, runUntil } from './fake-terminal.ts';

const POLLED = '{ mode: poll, everyMs: 100 }';
const STREAMED = '{ mode: stream, rereadMs: 300 }';
const strategy = sampleStrategy('favourite-scalp');

let stage: RecordingStage;
beforeEach(async () => {
  stage = await RecordingStage.open();
});

interface Recorded {
  readonly code: number;
  readonly note: string;
  readonly tapes: readonly {
    readonly path: string;
    readonly markets: number;
    readonly updates: number;
    readonly gaps: number;
  }[];
}

/** Records for a while with the crowd, then until the books stand still, then ends as Ctrl-C does. */
async function recorded(prices: string, during: () => Promise<void>): Promise<Recorded> {
  const abort = new AbortController();
  const running = runUntil(abort.signal, ['record', stage.config(prices), '--json']);
  await during();
  stage.crowd.stop();
  await pass(1_500);
  abort.abort('SIGINT');
  const { code, out, note } = await running;
  return { code, note, ...(JSON.parse(out) as Pick<Recorded, 'tapes'>) };
}

async function infoOf(path: string): Promise<TapeInfo> {
  const { out } = await run('tape', 'info', path, '--json');
  return (JSON.parse(out) as { tapes: TapeInfo[] }).tapes[0] ?? expect.fail('no info');
}

describe('what is recorded', () => {
  test.each([
    ['polled', POLLED],
    ['streamed', STREAMED],
  ])('%s: ends with the books that the exchange shows, whole, and backtests at once', async (kind, prices) => {
    const { code, note, tapes } = await recorded(prices, () => pass(4_000));
    expect({ code, note }).toEqual({ code: 130, note: '' });
    expect(tapes).toHaveLength(1);
    const path = tapes[0]?.path ?? '';
    expect(verifyTape(path)).toEqual([]);
    const ends = recordedEnds(path);
    const shown = stage.shown();
    expect(shown.size).toBeGreaterThan(20);
    expect([...shown.values()].flat().length).toBeGreaterThan(200);
    for (const [id, levels] of shown) expect([id, ends.get(id)?.levels]).toEqual([id, levels]);
    const traded = [...ends.values()].reduce((sum, end) => sum + end.traded.size, 0);
    if (kind === 'polled') expect(traded).toBeGreaterThan(5);
    else expect(traded).toBe(0);
    for (const { publishedAt, receivedAt } of ends.values()) {
      expect(publishedAt).toEqual([...publishedAt].sort((a, b) => a - b));
      for (const [at, received] of receivedAt.entries())
        expect(Math.abs(received - (publishedAt[at] ?? 0))).toBeLessThan(2_000);
    }
    const info = await infoOf(path);
    expect(
      info.markets.every(({ grade, gaps }) => grade === (kind === 'polled' ? 'A' : 'A-') && gaps === undefined),
    ).toBe(true);
    const backtest = await run(
      'backtest',
      '--strategy',
      strategy,
      '--tape',
      path,
      '--out',
      join(stage.directory, 'runs'),
      '--json',
    );
    expect(backtest.code).toBe(0);
    const result = JSON.parse(backtest.out) as { updates: number; orders: { sent: number } };
    expect(result.updates).toBe(tapes[0]?.updates);
    expect(result.orders.sent).toBeGreaterThan(0);
  });

  test('the trades on a polled tape are the stake that the exchange matched between first and last poll', async () => {
    const { world } = stage.sandbox.context;
    const matched = (): ReadonlyMap<string, number> => {
      const sums = new Map<string, number>();
      for (const { id, market } of world.catalogue.markets.values())
        sums.set(
          id,
          (world.exchange.market(market)?.traded ?? []).reduce((sum, stake) => sum + stake, 0),
        );
      return sums;
    };
    const before = matched();
    const { tapes } = await recorded(POLLED, () => pass(3_000));
    const after = matched();
    let onTape = 0;
    for (const [id, { traded }] of recordedEnds(tapes[0]?.path ?? '')) {
      const sum = [...traded.values()].reduce((all, stake) => all + stake, 0);
      onTape += sum;
      // The first poll came a little after `before` was read.
      expect(sum).toBeLessThanOrEqual((after.get(id) ?? 0) - (before.get(id) ?? 0));
    }
    const happened = [...after].reduce((sum, [id, stake]) => sum + stake - (before.get(id) ?? 0), 0);
    expect(onTape).toBeGreaterThan(happened * 0.6);
  });
});

describe('what is lost', () => {
  test.each([2_700, 3_900])('at kill -9 after %i ms, at most a second', async (afterMs) => {
    const recorder = await stage.record(stage.config(POLLED));
    await pass(afterMs);
    const killedAt = wallClock.now();
    recorder.kill();
    await recorder.ended;
    const [unfinished = ''] = readdirSync(stage.tapes).filter((name) => name.endsWith('.unfinished'));
    const ends = [...recordedEnds(join(stage.tapes, unfinished)).values()];
    const last = Math.max(...ends.flatMap(({ receivedAt }) => receivedAt));
    expect(killedAt - last).toBeLessThanOrEqual(1_000);
  });

  test('a tape whose recorder was killed is read as it is, and sealed by the next recorder', async () => {
    const config = stage.config(POLLED);
    const recorder = await stage.record(config);
    await pass(3_000);
    const killedAt = wallClock.now();
    recorder.kill();
    await recorder.ended;
    const [unfinished = ''] = readdirSync(stage.tapes).filter((name) => name.endsWith('.unfinished'));
    const path = join(stage.tapes, unfinished);
    expect(verifyTape(path)).toEqual([]);
    const { unfinished: told } = await infoOf(path);
    expect(killedAt - (told?.committedAt ?? 0)).toBeLessThanOrEqual(1_000);
    expect((await run('tape', 'info', path)).out).toContain('unfinished all of it is here to');
    const again = await stage.record(config);
    await pass(1_000);
    again.kill('SIGINT');
    const { code, out, note } = await again.ended;
    expect(code).toBe(130);
    expect(note).toContain('its recorder was killed');
    expect(out).toContain('no gap');
    const tapes = readdirSync(stage.tapes).sort();
    expect(tapes).toHaveLength(2);
    for (const name of tapes) expect(verifyTape(join(stage.tapes, name))).toEqual([]);
    const sealed = Tape.open(path.replace('.unfinished', ''));
    expect(sealed.cut?.committedAt).toBe(told?.committedAt);
    sealed.close();
    expect((await run('tape', 'info', sealed.path)).out).toContain('cut        its recorder was killed');
  });

  test('a cut of the stream is a gap of every market that was followed, and is shown', async () => {
    const { tapes } = await recorded(STREAMED, async () => {
      await pass(2_500);
      await stage.control.call('POST', '/stream/cut', {});
      await pass(2_500);
    });
    const info = await infoOf(tapes[0]?.path ?? '');
    const gaps = info.markets.flatMap((market) => market.gaps ?? []);
    expect(gaps.length).toBeGreaterThan(20);
    expect(gaps.length).toBe(tapes[0]?.gaps);
    for (const { from, to, why } of gaps) {
      expect(why).toMatch(/^the stream was down \((CUT|CLOSED)\)$/);
      expect(to).toBeGreaterThan(from);
      expect(to - from).toBeLessThan(2_500);
    }
    const { out } = await run('tape', 'info', tapes[0]?.path ?? '');
    expect(out).toMatch(/gaps {7}\d+ gaps in \d+ markets, the longest/);
    expect(out).toMatch(/gap: .* from .*, the stream was down/);
  });

  test('polls that fail are a gap to the first one that does not, and the recorder goes on', async () => {
    const { code, tapes } = await recorded(POLLED, async () => {
      await pass(2_000);
      await stage.control.call('POST', '/faults', {
        kind: 'status',
        status: 500,
        operations: ['listPrices'],
        forMs: 1_500,
      });
      await pass(3_000);
    });
    expect(code).toBe(130);
    const info = await infoOf(tapes[0]?.path ?? '');
    const gaps = info.markets.flatMap((market) => market.gaps ?? []);
    expect(gaps.length).toBeGreaterThan(20);
    for (const { from, to, why } of gaps) {
      expect(why).toMatch(/prices could not be read/);
      expect(to - from).toBeGreaterThan(1_000);
    }
    const ends = recordedEnds(tapes[0]?.path ?? '');
    for (const [id, levels] of stage.shown()) expect([id, ends.get(id)?.levels]).toEqual([id, levels]);
  });
});

test('a day that ends while it records ends the tape, and the next one goes on', async () => {
  const midnight = (Math.floor(wallClock.now() / 86_400_000) + 1) * 86_400_000;
  const ahead = midnight - 4_000 - wallClock.now();
  const clock: Clock = { now: () => wallClock.now() + ahead, schedule: wallClock.schedule.bind(wallClock) };
  stage = await RecordingStage.open({ clock });
  const { url, streamUrl, appId, apiKey } = stage.sandbox;
  const feed = { kind: 'poll', everyMs: 100 } as const;
  const options: RecordOptions = {
    exchange: { url, streamUrl, proxy: undefined, appId, apiKey },
    ...{ currency: 'USDC', watch: {}, feeds: { markets: feed, prices: feed } },
    ...{ requestsPerSecond: 500, commissionPpm: 0, out: stage.directory },
  };
  const abort = new AbortController();
  const running = record(options, {
    ...{ clock, signal: abort.signal, onCommit: () => undefined, onGaps: () => undefined },
    ...{ onNotice: () => undefined, onAway: () => undefined, onNoSession: () => undefined, onSealed: () => undefined },
  });
  await pass(7_000);
  stage.crowd.stop();
  await pass(1_000);
  abort.abort();
  const tapes = await running;
  const days = [midnight - 1, midnight].map((at) => new Date(at).toISOString().slice(0, 10));
  expect(tapes.map(({ path }) => path)).toEqual(days.map((day) => join(stage.directory, `${day}.tape`)));
  const [first, second] = tapes.map(({ path }) => recordedEnds(path));
  for (const { path, gaps } of tapes) expect([verifyTape(path), gaps]).toEqual([[], 0]);
  for (const { receivedAt } of first?.values() ?? []) expect(receivedAt.at(-1) ?? 0).toBeLessThan(midnight + 600);
  for (const { receivedAt } of second?.values() ?? []) expect(receivedAt[0] ?? 0).toBeGreaterThanOrEqual(midnight);
  const shown = stage.shown();
  expect(shown.size).toBeGreaterThan(20);
  for (const [id, levels] of shown) expect([id, second?.get(id)?.levels]).toEqual([id, levels]);
});

describe('what it refuses', () => {
  test('a wrong key, as not authorised: 4, and no key is shown', async () => {
    const wrong = await run('record', stage.config(POLLED, { apiKey: 'a-wrong-key-5417' }));
    expect(wrong.code).toBe(4);
    expect(wrong.note).toMatch(/^error EXCHANGE_NOT_AUTHORISED/);
    expect(`${wrong.note}${wrong.out}`).not.toContain('5417');
  });

  test('nothing where the exchange is away: it is waited for, and Ctrl-C ends that', async () => {
    let asked = 0;
    const abort = new AbortController();
    const server = createServer((_request, response) => {
      asked += 1;
      // Long after the first try has failed.
      if (asked > 6) abort.abort('SIGTERM');
      response.writeHead(503).end();
    });
    const url = await listenOnLoopback(server);
    const { code, out, note } = await runUntil(abort.signal, ['record', stage.config(POLLED, { url })]);
    expect({ code, out }).toEqual({ code: 0, out: 'nothing was recorded\n' });
    expect(note).toContain('the exchange cannot be reached: ');
    expect(note).toContain('503');
  });

  test('a secret that is not set, naming the variable and the place', async () => {
    const config = stage.config(POLLED);
    vi.stubEnv('RECORD_TEST_KEY', undefined);
    const { code, out } = await run('record', config, '--json');
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      error: { code: 'CONFIG_SECRET_UNSET', where: `${config}:1:${keyColumn()}` },
    });
    expect(out).toContain('RECORD_TEST_KEY');
  });
});

/** Where the value of `apiKey` stands in the first line of the stage's configuration. */
function keyColumn(): number {
  const { url, streamUrl } = stage.sandbox;
  return `exchange: { url: ${url}, streamUrl: ${streamUrl}, appId: "_{RECORD_TEST_APP}", apiKey: `.length + 1;
}
