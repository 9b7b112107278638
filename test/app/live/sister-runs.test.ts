/** Two runs of one app: the exchange keeps one heartbeat for both, so that the second is refused on every machine. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { beforeEach, describe, expect, test } from 'vitest';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';

let stage: DaemonStage;
beforeEach(async () => {
  stage = await DaemonStage.open();
});

const trading = (more = {}) => stage.trading('spawn', more);

/** Another run of the app, in a state directory of its own. */
function sister(): RunningDaemon {
  return stage.spawn(['run', stage.config({ dir: join(stage.directory, 'sister') }), '--json']);
}

async function refused(child: RunningDaemon, words: RegExp): Promise<void> {
  expect(await child.ended()).toBe(2);
  const { error } = JSON.parse(child.said.out) as { error: { code: string; why: string } };
  expect(error).toMatchObject({ code: 'HEARTBEAT_OWNED', why: expect.stringMatching(words) });
}

const seen = async () => (await firstValueFrom(stage.client.call('getHeartbeat', {}))).kind;

/** A run elsewhere: nothing of it but what the exchange sees. */
function elsewhere(): () => void {
  const beat = () => void firstValueFrom(stage.client.call('armHeartbeat', { body: { timeoutMs: 10_000 } }));
  beat();
  const beating = setInterval(beat, 800);
  return () => clearInterval(beating);
}

describe('a second run on this machine', () => {
  test('gets an error that names the holder and sends nothing; the first goes on', async () => {
    const first = await trading();
    const before = (await stage.orders()).length;
    await refused(sister(), /^Run live-\S+ \(process \d+, .*\/run, since 20/);
    expect((await stage.orders()).length).toBe(before);
    first.kill('SIGTERM');
    expect(await first.ended()).toBe(0);
  });

  test('is refused while the first is stopped, whose orders the exchange cancels', async () => {
    const first = await trading();
    first.kill('SIGSTOP');
    await refused(sister(), /does not answer/);
    await expect.poll(() => stage.live()).toBe(0);
    await refused(sister(), /does not answer/);
    first.kill('SIGKILL');
  });

  test('begins once the first was killed and the exchange has cancelled its orders, not before', async () => {
    const first = await trading();
    const before = (await stage.orders()).length;
    first.kill('SIGKILL');
    await first.ended();
    const second = sister();
    await second.until('"to":"trading"');
    const { length } = (await stage.orders()).slice(before).filter(({ status }) => status === 'Unmatched');
    expect(await stage.live(), 'none of the dead run is live').toBeLessThanOrEqual(length + before);
    const dead = (await stage.orders()).filter(({ reference }) => reference?.startsWith(runOf(first)));
    expect(dead.length).toBe(before);
    expect(new Set(dead.map(({ status }) => status))).toEqual(new Set(['Cancelled']));
    second.kill('SIGTERM');
    expect(await second.ended()).toBe(0);
  });

  test('of a run whose state directory was removed is refused as well, and the first cancels and ends', async () => {
    const first = await trading();
    // Held up, so that the second comes while the first still lives.
    await stage.control.call('POST', '/faults', {
      ...{ kind: 'status', status: 503, operations: ['cancelOrders'], forMs: 8_000 },
    });
    rmSync(stage.dir, { recursive: true });
    const second = stage.spawn(['run', stage.config(), '--json']);
    await first.until('RUN_DIRECTORY_LOST');
    await first.ended().then((code) => expect(code).toBe(2));
    expect(await stage.live()).toBe(0);
    await refused(second, /^Run live-/);
  });
});

test('a run that comes back vouches for nobody else: what a run left that died meanwhile is cancelled first', async () => {
  const made = await stage.control.call('POST', `/apps/${stage.sandbox.appId}/wallets`, {
    balances: [{ currencyId: 'USDC', balance: 1_000 }],
  });
  const first = await trading();
  first.kill('SIGKILL');
  await first.ended();
  // The other run, with a wallet of its own: it had the heartbeat, placed, and was killed as well.
  const [order] = await placeElsewhere(made);
  await firstValueFrom(stage.client.call('armHeartbeat', { body: { timeoutMs: 10_000 } }));
  const next = stage.spawn(['run', stage.config(), '--json']);
  await next.until('"to":"trading"');
  expect((await stage.orders()).length).toBeGreaterThan(0);
  const left = await firstValueFrom(stage.client.call('listOrders', { query: { ids: [String(order)] } }));
  expect(left.kind === 'answered' && left.answer.orders.map(({ status }) => status)).toEqual(['Cancelled']);
  next.kill('SIGTERM');
  expect(await next.ended()).toBe(0);
});

describe('a run on another machine', () => {
  test('that refreshes the heartbeat is noticed before anything is sent', async () => {
    const end = elsewhere();
    try {
      await refused(sister(), /it was not this run/);
      expect(await stage.orders()).toEqual([]);
    } finally {
      end();
    }
  });

  test('that begins beside ours halts ours: its orders end, and it vouches for nothing any more', async () => {
    const child = await trading();
    const end = elsewhere();
    try {
      await child.until('another run of this app refreshes its heartbeat');
      await expect.poll(() => stage.live()).toBe(0);
    } finally {
      end();
    }
    // No process is left that refreshes it: it lapses.
    await expect
      .poll(async () => JSON.stringify(await firstValueFrom(stage.client.call('getHeartbeat', {}))))
      .toContain('"active":false');
    child.kill('SIGKILL');
  });
});

describe('the end of a run', () => {
  test('leaves the heartbeat where another wallet of the app has live orders; else takes it away', async () => {
    const { appId } = stage.sandbox;
    const made = await stage.control.call('POST', `/apps/${appId}/wallets`, {
      balances: [{ currencyId: 'USDC', balance: 1_000 }],
    });
    const child = await trading({ end: { orders: 'cancel', deadlineMs: 4_000 } });
    const [order] = await placeElsewhere(made);
    child.kill('SIGTERM');
    expect(await child.ended()).toBe(0);
    expect(order).toBeDefined();
    expect(await seen()).toBe('answered');
    const next = stage.spawn(['run', stage.config(), '--json']);
    await next.until('"to":"trading"');
    await firstValueFrom(stage.client.call('cancelOrders', { body: { orderIds: [String(order)] } }));
    next.kill('SIGTERM');
    expect(await next.ended()).toBe(0);
    expect(await seen()).toBe('refused');
  });
});

/** An order in a wallet that the daemon does not trade with; its id. */
async function placeElsewhere(made: unknown): Promise<readonly string[]> {
  const walletId = /"id":"([^"]+)"/.exec(JSON.stringify(made))?.[1] ?? JSON.stringify(made);
  const listed = await firstValueFrom(
    stage.client.call('listOrders', { query: { walletIds: [stage.sandbox.walletId], size: 1 } }),
  );
  const [like] = listed.kind === 'answered' ? listed.answer.orders : [];
  if (like === undefined) throw new Error('the daemon has orders');
  const { outcomeId } = like;
  const [marketId = ''] = like.market._ids;
  const order = { walletId, marketId, outcomeId, side: 'For', price: 1000, stake: 1, keepWhenInPlay: true } as const;
  const outcome = await firstValueFrom(stage.client.call('createOrder', { body: order }));
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
  return outcome.answer.orders.map(({ id }) => id);
}

function runOf(child: RunningDaemon): string {
  return /new run (live-[a-z0-9]+-[a-f0-9]+)/.exec(child.said.note)?.[1] ?? 'no run';
}
