/** The daemon beside one odd document: 49 markets, one of which the exchange describes as its API does not allow. The others are traded as ever. */

import { writeFileSync } from 'node:fs';
import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { ordersOfWallet } from '../../support/exchange-orders.ts';

const MARKETS = 49;

/** One order in each market, which is cancelled and placed again and again; in the odd one it rests. */
const CHURNER = `import { back, cancel, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'churner',
  decide({ market, orders }) {
    const [outcome] = market.outcomes;
    const [own] = orders;
    if (!market.tradable || outcome === undefined) return [];
    if (own === undefined) return [back(outcome, { stake: 2, price: 1000 })];
    return market.name === 'Odd' ? [] : [cancel(own)];
  },
});
`;

interface OddField {
  readonly documents: string;
  readonly field: string;
  readonly json?: string;
}

const ODD: readonly (readonly [string, OddField])[] = [
  ['a market with lockAt null', { documents: 'markets', field: 'lockAt', json: 'null' }],
  ['a market with half a second of in-play delay', { documents: 'markets', field: 'inPlayDelay', json: '0.5' }],
  ['a market without crossMatchingEnabled', { documents: 'markets', field: 'crossMatchingEnabled' }],
  ['a market without a status', { documents: 'markets', field: 'status' }],
  ['a market that is text', { documents: 'markets', field: 'marketOutcomes', json: '"text"' }],
  ['an event without code', { documents: 'events', field: 'code' }],
  ['an event whose start makes no sense', { documents: 'events', field: 'expectedStartTime', json: '"soon"' }],
  ['a market type without its winners', { documents: 'marketTypes', field: 'winnersRange' }],
  ['an outcome without an id', { documents: 'marketOutcomes', field: 'id' }],
  ['a price row with amount null', { documents: 'prices', field: 'prices.0.amount', json: 'null' }],
  ['a book without a market', { documents: 'prices', field: 'marketId' }],
  ['an order without outcomeTitle', { documents: 'orders', field: 'outcomeTitle' }],
  ['an order whose stake is text', { documents: 'orders', field: 'stake', json: '"2"' }],
  ['an order without an id', { documents: 'orders', field: 'id' }],
];

const ODD_MESSAGES: readonly (readonly [string, OddField])[] = [
  ['a market whose status is no word', { documents: 'MarketUpdate', field: 'status', json: '"Melted"' }],
  ['a market without its outcomes', { documents: 'MarketUpdate', field: 'marketOutcomes' }],
  ['a status that is null', { documents: 'MarketStatusUpdate', field: 'status', json: 'null' }],
  ['prices that are text', { documents: 'MarketPriceUpdate', field: 'prices', json: '"text"' }],
  ['a row without its time', { documents: 'MarketPriceUpdate', field: 'prices.0.validAt' }],
  ['an order without an id', { documents: 'OrderUpdate', field: 'orderId' }],
  ['an order whose stake is null', { documents: 'OrderUpdate', field: 'stake', json: 'null' }],
  ['a wallet without an id', { documents: 'WalletUpdate', field: 'walletId', json: 'null' }],
  ['an order of no type', { documents: 'OrderUpdate', field: 'type', json: '7' }],
];

interface Stage49 {
  readonly stage: DaemonStage;
  readonly more: Readonly<Record<string, unknown>>;
  /** The id of the odd document of a list. */
  idOf(documents: string): string | undefined;
}

/** A daemon over 49 markets of its own, one of which is to be odd. */
async function stageOf49(): Promise<Stage49> {
  const stage = await DaemonStage.open();
  writeFileSync(stage.strategy, CHURNER);
  const { id, outcomeIds } = await stage.control.createMarket({ name: 'Odd' });
  for (let count = 1; count < MARKETS; count += 1) await stage.control.createMarket();
  const idOf = (documents: string): string | undefined => {
    if (documents === 'marketOutcomes') return outcomeIds[0];
    return documents === 'markets' || documents === 'prices' ? id : undefined;
  };
  return { stage, more: { markets: { types: ['TESTS'] }, heartbeat: { timeoutMs: 120_000 } }, idOf };
}

/** The phases that the daemon moved through. */
function phasesOf({ said }: RunningDaemon): readonly string[] {
  return [...said.note.matchAll(/"to":"(recovering|arming|trading|ending|ended)"/g)].map(([, phase]) => phase ?? '');
}

/** The order that rests in the odd market. */
async function restingOrder({ client, sandbox }: DaemonStage, market = ''): Promise<string | undefined> {
  const query = { marketIds: [market], walletIds: [sandbox.walletId] };
  const outcome = await firstValueFrom(client.call('listOrders', { query }));
  return outcome.kind === 'answered' ? outcome.answer.orders[0]?.id : undefined;
}

/** Waits until so many more orders were placed than until now. */
async function ordersGrow(stage: DaemonStage, by: number): Promise<void> {
  const { context, walletId } = stage.sandbox;
  const { exchange, registry } = context.world;
  const wallet = registry.walletById(walletId)?.wallet ?? -1;
  const count = (): number => ordersOfWallet(exchange, wallet).length;
  const before = count();
  await expect.poll(() => count() - before).toBeGreaterThan(by);
}

test('trades on, whichever document becomes odd in the middle', async () => {
  const { stage, more, idOf } = await stageOf49();
  const daemon = await stage.trading('start', more);
  await ordersGrow(stage, MARKETS);
  const order = await restingOrder(stage, idOf('markets'));
  expect(order).toBeDefined();
  for (const [name, odd] of ODD) {
    const documentId = odd.documents === 'orders' ? order : idOf(odd.documents);
    await stage.control.call('POST', '/faults', { kind: 'oddDocument', ...odd, ...(documentId && { documentId }) });
    await ordersGrow(stage, 2 * MARKETS);
    expect(phasesOf(daemon).slice(-1), name).toEqual(['trading']);
    await stage.control.call('DELETE', '/faults');
  }
  expect(phasesOf(daemon).filter((phase) => phase === 'trading')).toHaveLength(1);
});

test('starts and trades beside all of them', async () => {
  const { stage, more, idOf } = await stageOf49();
  for (const [, odd] of ODD.filter(([, { documents }]) => documents !== 'orders')) {
    const documentId = idOf(odd.documents);
    await stage.control.call('POST', '/faults', { kind: 'oddDocument', ...odd, ...(documentId && { documentId }) });
  }
  await stage.trading('start', more);
  await ordersGrow(stage, 2 * MARKETS);
});

test('trades on beside each odd message of the stream', async () => {
  const { stage, more } = await stageOf49();
  const streamed = { mode: 'stream', rereadMs: 1_000 };
  const feeds = { markets: streamed, prices: streamed, orders: streamed, wallets: streamed };
  const daemon = await stage.trading('start', { ...more, feeds });
  for (const [name, odd] of ODD_MESSAGES) {
    const { id } = await stage.control.call('POST', '/faults', { kind: 'oddDocument', ...odd });
    await ordersGrow(stage, 2 * MARKETS);
    expect(phasesOf(daemon).slice(-1), name).toEqual(['trading']);
    const { faults } = await stage.control.call('GET', '/faults');
    if (odd.documents === 'OrderUpdate')
      expect(faults.find((fault: { id: string }) => fault.id === id)?.struck).toBeGreaterThan(0);
    await stage.control.call('DELETE', '/faults');
  }
  expect(phasesOf(daemon).filter((phase) => phase === 'trading')).toHaveLength(1);
});
