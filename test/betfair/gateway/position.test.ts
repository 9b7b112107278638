/** Positions at Betfair, where each bet counts in pennies: what our reports add up to is what the exchange says, to the last digit. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { type Money, ZERO } from '../../../src/core/number/units.ts';
import type { Side } from '../../../src/core/side.ts';
import type { OrderReport } from '../../../src/exchange/gateway.ts';
import { budget } from '../../support/budget.ts';
import { BetfairStage } from '../../support/conformance/betfair-stage.ts';
import { order, Scene, units } from '../../support/conformance/stage.ts';

const SEEDS = budget({ brief: 6, each: 40, deep: 600 });
const ORDERS = 8;
const PRICES = [1.53, 2.02, 2.5, 2.62, 3.05, 3.3, 4.7, 7.4];

interface Placed {
  readonly client: number;
  readonly outcome: number;
  readonly side: Side;
}

async function sceneOf(): Promise<Scene> {
  const stage = new BetfairStage({ kind: 'poll', everyMs: 200 });
  const scene = new Scene(stage, [await stage.market({ outcomes: 3 })]);
  stage.listen();
  await stage.until(() => scene.messages('market').length > 0, 'the market');
  return scene;
}

/** Each order meets offers at one or two better prices, or rests and is met; some rest unmet. */
async function playOrders(scene: Scene, random: Random): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  const stakes = () => 1 + random.below(1_200) / 100;
  for (let client = 1; client <= ORDERS; client += 1) {
    const side: Side = random.below(2) === 0 ? 'For' : 'Against';
    const outcome = random.below(3);
    const at = random.below(PRICES.length - 2);
    const prices = side === 'For' ? PRICES.slice(at, at + 3) : PRICES.slice(at, at + 3).reverse();
    const [limit = 2, ...better] = prices;
    const other: Side = side === 'For' ? 'Against' : 'For';
    const isMaker = random.below(3) === 0;
    if (!isMaker) for (const price of better) await scene.market.rest({ outcome, side: other, price, stake: stakes() });
    await scene.place(order(client, { outcome, side, price: limit, units: stakes() }));
    if (isMaker) await scene.market.take({ outcome, side, price: limit, stake: stakes() });
    for (const price of better) await scene.market.clear({ outcome, side: other, price });
    placed.push({ client, outcome, side });
  }
  return placed;
}

/** What the bets of reports win or lose by the outcome that wins. */
function profits(placed: readonly Placed[], reportOf: (client: number) => OrderReport): readonly number[] {
  return [0, 1, 2].map((winner) =>
    placed.reduce((sum, { client, outcome, side }) => {
      const { stakeMatched, winningsMatched } = reportOf(client);
      const gain = outcome === winner ? winningsMatched : -stakeMatched;
      return sum + (side === 'For' ? gain : -gain);
    }, 0),
  );
}

async function checkSeed(seed: number): Promise<void> {
  const scene = await sceneOf();
  try {
    const placed = await playOrders(scene, Random.fromSeed(seed));
    await scene.stage.pass(1_000);
    const newest = new Map(scene.messages('order').map(({ order: report }) => [report.client, report]));
    const reply = await scene.reply((scene.stage as BetfairStage).gateway.accountSnapshot());
    if (reply.kind !== 'books') throw new Error(reply.details);
    for (const each of reply.books.orders) newest.set(each.client, each);
    const ours = profits(placed, (client) => newest.get(client) as OrderReport);
    const [position] = reply.books.positions;
    const ids = scene.seen.facts.outcomes.map(({ id }) => id);
    expect(ids.map((id) => position?.profitIfWins.get(id) ?? ZERO)).toEqual(ours);
    await expectResult(scene, ours[0] as Money);
  } finally {
    await scene.stage.close();
  }
}

/** Before commission, the result is what the position said. */
async function expectResult(scene: Scene, gross: Money): Promise<void> {
  await scene.market.settle(0);
  await scene.stage.until(() => scene.messages('settled').length > 0, 'the result');
  const [settled] = scene.messages('settled');
  expect((settled?.profit ?? 0) + (settled?.commission ?? 0)).toBe(gross);
}

test('the position of many fills is the exchange’s, and so is the result', async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    try {
      await checkSeed(seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : ''}`, { cause: error });
    }
  }
});

test('a back wins whole pennies rounded down, and a lay loses them rounded up', async () => {
  const scene = await sceneOf();
  await scene.market.rest({ outcome: 0, side: 'Against', price: 3.05, stake: 3.33 });
  await scene.market.rest({ outcome: 1, side: 'For', price: 3.05, stake: 3.33 });
  const [back, lay] = await scene.place(
    order(1, { price: 3.05, units: 3.33 }),
    order(2, { outcome: 1, side: 'Against', price: 3.05, units: 3.33 }),
  );
  // 3.33 at 3.05 are 6.8265.
  expect(back?.winningsMatched).toBe(units(6.82));
  expect(lay?.winningsMatched).toBe(units(6.83));
  await scene.stage.close();
});
