/** The money on the dashboard is that of the ledger and of the exchange, divides without rest, and is known after a restart. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askDaemon } from '../../../src/app/live/control/control-client.ts';
import { betdexSource } from '../../../src/app/web/dashboard/sandbox/betdex-sandbox.ts';
import { readAsk } from '../../../src/app/web/dashboard/server/read-ask.ts';
import type { BotStatus } from '../../../src/engine/live/bot-status.ts';
import type { MarketPaid, MoneyPart } from '../../../src/pages/money-panel.ts';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { openLink, printedLink } from '../../support/dashboard/dashboard-visit.ts';
import { panelOf } from '../../support/dashboard/pictures.ts';
import { ordersOfWallet } from '../../support/exchange-orders.ts';

/** Takes the best price of one outcome of each market, once. */
const taker = (name: string, outcome: number, helper: 'back' | 'lay'): string => `
import { ${helper}, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: '${name}',
  decide({ market, orders }) {
    const outcome = market.outcomes[${outcome}];
    const price = outcome?.bestPrice('${helper === 'back' ? 'Against' : 'For'}');
    if (!market.tradable || price === undefined || orders.length > 0) return [];
    return [${helper}(outcome, { stake: 2, price })];
  },
});
`;

/** What a sandbox gives its demo wallet. */
const BEGAN_WITH = 10_000;

async function trading(stage: DaemonStage): Promise<RunningDaemon> {
  const strategies = [taker('first', 0, 'back'), taker('second', 1, 'lay')].map((source, index) => {
    const file = join(stage.directory, `taker-${index}.ts`);
    writeFileSync(file, source);
    return { file };
  });
  const daemon = stage.start(['run', stage.config({ dashboard: { port: 0 }, strategies }), '--json']);
  await daemon.until('"to":"trading"');
  return daemon;
}

async function resultsOf(dir: string): Promise<BotStatus['results']> {
  const reply = await askDaemon(dir, { v: 1, command: 'status' });
  if (reply.kind !== 'status') throw new Error(reply.kind);
  return reply.status.bot.results;
}

/** Open markets in which both strategies have bets. */
function heldMarkets({ sandbox }: DaemonStage) {
  const { exchange, catalogue, registry } = sandbox.context.world;
  const orders = ordersOfWallet(exchange, registry.walletById(sandbox.walletId)?.wallet ?? -1);
  const matched = orders.filter(({ status }) => status === 'Matched');
  return [...catalogue.markets.values()].filter(({ market }) => {
    const outcomes = new Set(matched.filter((order) => order.market === market).map(({ outcome }) => outcome));
    return exchange.market(market)?.status === 'Open' && outcomes.has(0) && outcomes.has(1);
  });
}

function settle({ sandbox }: DaemonStage, { id, outcomes }: ReturnType<typeof heldMarkets>[number], winner: number) {
  const ask = (move: string, body: object) =>
    sandbox.control.ask({ method: 'POST', path: `/markets/{id}/${move}`, parameters: { id }, body }).kind;
  expect([ask('lock', {}), ask('settle', { winners: [outcomes[winner]?.id] })]).toEqual(['done', 'done']);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What a market paid and no strategy earned: while the last of its orders is reported, and in a dead heat. */
function missingIn({ net, commission, strategies }: MarketPaid): number {
  return net + commission - sum(strategies.map(({ profit }) => profit));
}

/** Whatever it is divided into adds up to it. */
function expectToAddUp({ settled, today, open, strategies, rest, wallets, days, curve }: MoneyPart): void {
  const parts = [...strategies, ...rest];
  expect(sum(parts.map((part) => part.settled))).toBeCloseTo(settled, 6);
  expect(sum(parts.map((part) => part.today))).toBeCloseTo(today, 6);
  expect(sum(strategies.map((strategy) => strategy.open.value))).toBeCloseTo(open.value, 6);
  expect(sum(days.map(({ profit }) => profit)), 'all was settled on these days').toBeCloseTo(settled, 6);
  expect(curve.all.at(-1)).toBeCloseTo(settled, 6);
  for (const { name, values } of curve.strategies)
    expect(values.at(-1)).toBeCloseTo(strategies.find((strategy) => strategy.name === name)?.settled ?? Number.NaN, 6);
  for (const { cash, atRisk, free } of wallets) expect((cash - atRisk).toFixed(2)).toBe(free.toFixed(2));
}

test('settled, open and today are those of the ledger and the exchange, by strategy too, and after a restart', async () => {
  const stage = await DaemonStage.open();
  const daemon = await trading(stage);
  const link = await printedLink(daemon);
  const session = await openLink(link);
  const money = async (): Promise<MoneyPart> => {
    const { money: shown } = await panelOf(link, session, { page: 'now' });
    if (shown === undefined) throw new Error('a run has money');
    return shown;
  };
  const paidOf = async (id: string) => (await panelOf(link, session, { page: 'market', id })).paid;
  await expect.poll(() => heldMarkets(stage).length).toBeGreaterThan(3);
  const markets = heldMarkets(stage).slice(0, 3);
  for (const [index, market] of markets.entries()) settle(stage, market, index % 2);
  await expect
    .poll(async () => {
      const known = await Promise.all(markets.map(({ id }) => paidOf(id)));
      return known.filter((each) => each !== undefined && Math.abs(missingIn(each)) < 0.01).length;
    })
    .toBe(3);
  const shown = await money();
  const results = await resultsOf(stage.dir);
  expect(shown.settled).toBeCloseTo(results.total, 6);
  expect(shown.today).toBeCloseTo(results.today, 6);
  expect(results.total).not.toBe(0);
  expectToAddUp(shown);
  expect(
    shown.rest.find(({ label }) => label === 'not known by strategy'),
    'all is known',
  ).toBeUndefined();
  expect(shown.open.positions + shown.open.unpriced).toBeGreaterThan(0);

  const paid = await Promise.all(markets.map(({ id }) => paidOf(id)));
  expect(sum(paid.map((each) => each?.net ?? Number.NaN))).toBeCloseTo(results.total, 6);
  const { orders } = (await panelOf(link, session, { page: 'market', id: markets[0]?.id ?? '' })).market ?? {};
  const ofOrders = sum((orders?.rows ?? []).map(({ profit }) => (profit?.isSettled === true ? profit.value : 0)));
  const gross = sum((paid[0]?.strategies ?? []).map(({ profit }) => profit));
  expect(ofOrders, 'each order has its part').toBeCloseTo(gross, 6);
  const glance = betdexSource(stage.sandbox).panel(readAsk(new URLSearchParams('page=exchange')));
  const [account] = glance?.page === 'exchange' ? glance.accounts : [];
  expect(account?.profit, 'the sandbox’s page says the same').toBeCloseTo(results.total, 6);
  // What came in is what the exchange has: nothing else moved the wallet.
  await expect
    .poll(async () => {
      const [row] = (await money()).wallets;
      return Math.abs((row?.cash ?? 0) - BEGAN_WITH - results.total);
    })
    .toBeLessThan(0.02);

  daemon.kill('SIGTERM');
  await daemon.ended();
  const again = await trading(stage);
  const next = await printedLink(again);
  const { money: kept } = await panelOf(next, await openLink(next), { page: 'now' });
  expect(kept?.settled).toBeCloseTo(results.total, 6);
  expect(kept?.strategies.map(({ name, settled }) => [name, settled])).toEqual(
    shown.strategies.map(({ name, settled }) => [name, settled]),
  );
  expectToAddUp(kept ?? shown);
});
