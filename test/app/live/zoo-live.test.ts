/** The zoo before an exchange, in real processes: all in one daemon beside a good one, and the worst each in its own. */

import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { budget } from '../../support/budget.ts';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { ordersOfWallet } from '../../support/exchange-orders.ts';
import { animalFile, HALTED, HARMLESS } from '../../support/zoo/zoo.ts';

let stage: DaemonStage;
beforeEach(async () => {
  stage = await DaemonStage.open();
});

/** Its feeds are never late: a process that the zoo keeps busy reads them late, and would withdraw the good one's orders, too. */
const PATIENT = { markets: 600_000, prices: 600_000, orders: 600_000, wallets: 600_000 };
const CALM = { heartbeat: { timeoutMs: 120_000 }, limits: { ordersPerSecond: 5_000 }, freshness: PATIENT };

const daemonOf = (name: string): RunningDaemon =>
  stage.spawn(['run', stage.config({ ...CALM, strategies: [{ file: animalFile(name) }] }), '--json']);

/** By strategy, the code it was halted for. */
function haltsOf(child: RunningDaemon): Readonly<Record<string, string>> {
  const halts: Record<string, string> = {};
  for (const { alert, msg } of child.lines()) {
    const [, name, code] = alert === 'STRATEGY_HALTED' ? (/^(\S+) was halted, (\w+)/.exec(msg) ?? []) : [];
    if (name !== undefined && code !== undefined) halts[name] = code;
  }
  return halts;
}

async function endsWhenTold(child: RunningDaemon): Promise<void> {
  child.kill('SIGTERM');
  expect(await child.ended()).toBe(0);
  expect(JSON.parse(child.said.out)).toMatchObject({ exitCode: 0, liveOrders: 0 });
  expect(child.said.note).not.toContain('INTERNAL_BUG');
  expect(child.said.note).not.toContain('RUN_FAILED');
  expect(child.said.note).not.toContain('Warning');
}

test.each(
  budget({
    each: ['rejects', 'order-thief'],
    deep: ['rejects', 'flood', 'throws-mute', 'spoils-lists', 'order-thief'],
  }),
)(
  '%s, alone in a daemon: it is halted, its orders are cancelled, and the daemon goes on until it is told to end',
  async (name) => {
    const child = daemonOf(name);
    await child.until(`${name} was halted`);
    await expect.poll(() => stage.held().orders).toBe(0);
    expect(child.said.out).toBe('');
    await endsWhenTold(child);
    expect(haltsOf(child)).toEqual({ [name]: HALTED[name] });
    if (name === 'rejects') expect(child.said.note).toMatch(/animals\/rejects\.ts:\d+:\d+/);
  },
);

/** A market days before its start, in which only the zoo trades. */
const GOOD = { file: animalFile('good-turner'), wallet: 'good', params: { market: '33' } };
/** As many orders as the good one has when it has come to its end; the last of them stays. */
const GOOD_ORDERS = 12;

async function walletFor(orders: string): Promise<{ readonly id: string; held(): readonly object[] }> {
  const { appId, context } = stage.sandbox;
  const balances = [{ currencyId: 'USDC', balance: 1_000 }];
  const { id } = (await stage.control.call('POST', `/apps/${appId}/wallets`, { reference: orders, balances })) as {
    id: string;
  };
  const held = () => {
    const wallet = context.world.registry.walletById(id);
    if (wallet === undefined) throw new Error(`there is no wallet ${id}`);
    return ordersOfWallet(context.world.exchange, wallet.wallet).map(
      ({ market, outcome, side, tick, stake, status }) => ({
        ...{ market, outcome, side, tick, stake, status },
      }),
    );
  };
  return { id, held };
}

/** What the good strategy's orders were to the exchange, before the end of the run and after it. */
async function goodBeside(animals: readonly string[], whenAllIs: (child: RunningDaemon) => Promise<void>) {
  const good = await walletFor('good');
  const harmless = await walletFor('harmless');
  const walletOf = (name: string) => (HARMLESS.includes(name) ? 'harmless' : 'main');
  const strategies = [...animals.map((name) => ({ file: animalFile(name), wallet: walletOf(name) })), GOOD];
  const main = { id: stage.sandbox.walletId };
  const wallets = { main, good: { id: good.id }, harmless: { id: harmless.id } };
  const child = stage.spawn([
    'run',
    stage.config({ ...CALM, strategies, wallets, dir: join(stage.directory, good.id) }),
    '--json',
  ]);
  await child.until('"to":"trading"');
  await expect.poll(() => good.held().length, { timeout: 600_000 }).toBe(GOOD_ORDERS);
  await whenAllIs(child);
  const before = good.held();
  await endsWhenTold(child);
  return { before, after: good.held(), halts: haltsOf(child) };
}

test('all of the zoo in one daemon, on all markets: the good one beside it has what it has alone', async () => {
  const animals = [...Object.keys(HALTED), ...HARMLESS];
  // On so many markets its thousand each are more than one moment bears.
  const halted = { ...HALTED, 'thousand-everywhere': 'STRATEGY_BAD_RESULT' };
  const alone = await goodBeside([], () => Promise.resolve());
  const beside = await goodBeside(animals, async (child) => {
    await expect.poll(() => haltsOf(child)).toEqual(halted);
    await expect.poll(() => stage.held()).toEqual({ orders: 0, stake: 0 });
    expect(child.said.out).toBe('');
    expect(child.said.note).toContain('more than 10000 intents at one moment, all markets together');
  });
  expect(beside).toEqual({ ...alone, halts: halted });
  expect(alone.before.map((order) => 'status' in order && order.status)).toEqual([
    ...new Array(GOOD_ORDERS - 1).fill('Cancelled'),
    'Unmatched',
  ]);
});
