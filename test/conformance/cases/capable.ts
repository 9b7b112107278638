/** What only some exchanges have: each case is there for those that have its capability, and for no others. */

import { describe, expect } from 'vitest';
import { defined } from '../../../src/core/checks/assert.ts';
import { price } from '../../../src/core/number/units.ts';
import { describeCases, order, type Scene, type SentCall, units } from '../../support/conformance/stage.ts';

/** Another program of the account, or the exchange, may end orders; and so on: the keys of `CASES`. */
export type Capability = keyof typeof CASES;

/** Longer than it takes to read everything once, ms. */
const READ_MS = 2_000;
/** A proof of a stream is never older, ms. */
const PROOF_MS = 2_500;

function callsSince(scene: Scene, before: number): readonly SentCall[] {
  const calls = scene.stage.wire?.calls;
  if (calls === undefined) throw new Error('this stage keeps no calls');
  return calls().slice(before);
}

function callsSoFar(scene: Scene): number {
  return callsSince(scene, 0).length;
}

/** A method of a market that its exchange says to have. */
function has<T>(method: T | undefined): NonNullable<T> {
  return defined(method ?? undefined, 'the exchange has it');
}

const certainEnds = describeCases(({ onMarkets }) => {
  describe('an end that is certain', () => {
    onMarkets([{}], 'is reported without a cancellation that proves it', async (scene) => {
      const batch = Array.from({ length: 5 }, (_, index) => order(index + 1, { price: 3 }));
      await scene.place(...batch);
      const before = callsSoFar(scene);
      await scene.market.goInPlay();
      for (const { client } of batch)
        expect(await scene.reported(client, 'Cancelled')).toMatchObject({ reason: 'MarketInPlay' });
      await scene.stage.pass(READ_MS);
      expect(callsSince(scene, before).filter(({ kind }) => kind === 'cancel')).toEqual([]);
    });
  });
});

const provenFreshness = describeCases(({ on }) => {
  describe('a stream that proves what it told', () => {
    on('makes its feeds fresh without a reading', async (scene) => {
      await scene.stage.pass(READ_MS);
      // Readings come beside the stream now and then: between two of them the stream alone keeps the feeds fresh.
      const readings = () => callsSince(scene, 0).filter(({ kind }) => kind.startsWith('read')).length;
      const first = readings();
      await scene.stage.until(() => readings() > first, 'a reading');
      await scene.stage.pass(300);
      const [before, since] = [readings(), scene.stage.clock.now()];
      await scene.stage.pass(PROOF_MS);
      expect(readings()).toBe(before);
      for (const feed of ['markets', 'prices', 'orders'])
        expect(
          scene.messages('read').filter((each) => each.feed === feed && each.at > since),
          feed,
        ).not.toEqual([]);
    });
  });
});

const removals = describeCases(({ onMarkets }) => {
  describe('an outcome that is removed', () => {
    onMarkets([{ outcomes: 3 }], 'is shown so, and what was asked for on it is void', async (scene) => {
      await scene.market.rest({ outcome: 2, side: 'Against', price: 5, stake: 4 });
      const [resting, met] = await scene.place(
        order(1, { outcome: 2, price: 6 }),
        order(2, { outcome: 2, price: 5, units: 4 }),
      );
      expect([resting?.status, met?.status]).toEqual(['Unmatched', 'Matched']);
      await has(scene.market.remove).call(scene.market, 2, 200_000);
      await scene.sees((market) => market.outcomeStatus(2) === 'Removed', 'the removal');
      expect([0, 1].map((outcome) => scene.seen.outcomeStatus(outcome))).toEqual(['Active', 'Active']);
      expect(await scene.reported(1, 'Cancelled')).toMatchObject({
        ...{ reason: 'OutcomeRemoved', stakeVoided: units(10), stakeUnmatched: 0 },
      });
      expect(await scene.reported(2, 'Voided')).toMatchObject({ stakeMatched: 0, stakeVoided: units(4) });
      const reply = await scene.reply(scene.gateway.place([order(3, { outcome: 2, price: 6 })]));
      expect(reply).toMatchObject({ items: [{ kind: 'refused', code: 'MARKET_OUTCOME_NOT_FOUND' }] });
    });

    onMarkets([{ outcomes: 3 }], 'lowers what bets on the others win', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 5, stake: 10 });
      await scene.place(order(1, { price: 5 }));
      await has(scene.market.remove).call(scene.market, 2, 200_000);
      // 5 less a fifth is 4.
      await scene.stage.until(() => scene.reports(1).at(-1)?.winningsMatched === units(30), 'a lower price');
      expect(scene.reports(1).at(-1)).toMatchObject({ status: 'Matched', stakeMatched: units(10) });
      await scene.market.settle(0);
      await scene.stage.until(() => scene.messages('settled').length > 0, 'the result');
      expect(scene.messages('settled')).toMatchObject([{ profit: units(28.5), commission: units(1.5) }]);
    });
  });
});

const partialVoids = describeCases(({ on }) => {
  describe('matched stake that becomes void', () => {
    on('is reported as void, and the rest of the order goes on', async (scene) => {
      await scene.place(order(1, { price: 3 }));
      await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 4 });
      await scene.reported(1, 'PartiallyMatched');
      await has(scene.market.voidTrades).call(scene.market);
      const unmatched = () => scene.reports(1).at(-1);
      await scene.stage.until(() => unmatched()?.stakeMatched === 0, 'the void');
      expect(unmatched()).toMatchObject({ status: 'Unmatched', stakeUnmatched: units(6), stakeVoided: units(4) });
      await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 6 });
      expect(await scene.reported(1, 'Matched')).toMatchObject({ stakeMatched: units(6), stakeVoided: units(4) });
      await scene.market.settle(0);
      expect(await scene.reported(1, 'Won')).toMatchObject({ stakeMatched: units(6), winningsMatched: units(12) });
      await scene.stage.until(() => scene.messages('settled').length > 0, 'the result');
      expect(scene.messages('settled')[0]).toMatchObject({ profit: units(11.4), commission: units(0.6) });
    });

    on('leaves a whole order void', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 3, stake: 10 });
      await scene.place(order(1, { price: 3 }));
      await has(scene.market.voidTrades).call(scene.market);
      expect(await scene.reported(1, 'Voided')).toMatchObject({
        ...{ stakeMatched: 0, winningsMatched: 0, stakeVoided: units(10) },
      });
    });
  });
});

const oneMarketACall = describeCases(({ onMarkets }) => {
  describe('a cancellation over the wire', () => {
    onMarkets([{}, {}, {}], 'names one market and its orders, and is never empty', async (scene) => {
      const markets = [0, 1, 2].map((index) => scene.state(index).index);
      const batch = markets.flatMap((market, at) =>
        [1, 2].map((each) => order(2 * at + each, { market, price: 3, units: 1 })),
      );
      const placed = await scene.place(...batch);
      const before = callsSoFar(scene);
      await scene.reply(scene.gateway.cancel([]));
      await scene.reply(scene.gateway.cancel([999_999_999]));
      // One is left in the last market: nothing else may end it.
      const ids = placed.slice(0, -1).map((report) => report.order);
      expect(await scene.reply(scene.gateway.cancel(ids))).toMatchObject({ kind: 'cancelled' });
      const cancels = callsSince(scene, before).filter(({ kind }) => kind === 'cancel');
      expect(cancels.map(({ markets: named, orders }) => [named.length, orders])).toEqual([
        [1, 2],
        [1, 2],
        [1, 1],
      ]);
      await scene.stage.pass(READ_MS);
      expect(scene.reports(6).filter(({ status }) => status !== 'Unmatched')).toEqual([]);
      expect(scene.markets[2]?.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(1);
    });
  });
});

const resettlement = describeCases(({ on }) => {
  describe('another result', () => {
    on('is reported as the difference, with the orders as they are now', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 3, stake: 10 });
      await scene.place(order(1, { price: 3 }));
      await scene.market.settle(0);
      await scene.reported(1, 'Won');
      await scene.stage.until(() => scene.messages('settled').length === 1, 'the result');
      await has(scene.market.resettle).call(scene.market, 1);
      await scene.reported(1, 'Lost');
      await scene.stage.until(() => scene.messages('settled').length === 2, 'the other result');
      expect(scene.messages('settled')).toMatchObject([
        { profit: units(19), commission: units(1) },
        { profit: units(-29), commission: 0 },
      ]);
      await has(scene.market.resettle).call(scene.market, 0);
      await scene.stage.until(() => scene.messages('settled').length === 3, 'the first result again');
      expect(scene.messages('settled').at(-1)).toMatchObject({ profit: units(29), commission: units(1) });
      expect(scene.reports(1).at(-1)).toMatchObject({ status: 'Won', stakeMatched: units(10) });
      const { balance } = scene.stage;
      const wallet = () => scene.messages('wallet').at(-1)?.balance;
      await scene.stage.until(() => wallet() === units(balance + 19), 'the money');
    });
  });
});

const lastPrices = describeCases(({ on }) => {
  describe('the last price', () => {
    on('is that of the last trade, and what was traded is its stake', async (scene) => {
      const { seen, market } = scene;
      expect([seen.lastPrice?.(0), seen.traded(0)]).toEqual([undefined, 0]);
      await market.rest({ outcome: 0, side: 'Against', price: 3, stake: 10 });
      await scene.place(order(1, { price: 3, units: 4 }));
      await scene.sees((each) => each.lastPrice?.(0) === price(3_000), 'a last price');
      await market.rest({ outcome: 0, side: 'For', price: 3.2, stake: 5 });
      await scene.place(order(2, { side: 'Against', price: 3.2, units: 2 }));
      await scene.sees((each) => each.lastPrice?.(0) === price(3_200), 'the next one');
      expect(seen.lastPrice?.(1)).toBeUndefined();
      await scene.sees((each) => each.traded(0) === units(6), 'what was traded');
    });
  });
});

const startingPrices = describeCases(({ on }) => {
  describe('the starting price', () => {
    on('is shown once the exchange has one', async (scene) => {
      expect(scene.seen.startingPrice(1, 'actual')).toBeUndefined();
      await has(scene.market.showStartingPrice).call(scene.market, 1, 4.27);
      await scene.market.goInPlay();
      await scene.sees((market) => market.startingPrice(1, 'actual') === price(4_270), 'the starting price');
      expect(scene.seen.startingPrice(0, 'actual')).toBeUndefined();
    });
  });
});

const minimumStakes = describeCases(({ on }) => {
  describe('the smallest order', () => {
    on('is told with the market, and a smaller one is refused', async (scene) => {
      const { stake, payout, step } = defined(scene.seen.minimumStake, 'there is one');
      expect(stake).toBeGreaterThan(0);
      const [small, least] = [order(1, { stake: units(stake / 1e6 - 0.01), price: 3 }), order(2, { stake, price: 3 })];
      const reply = await scene.reply(scene.gateway.place([small]));
      expect(reply).toMatchObject({ items: [{ kind: 'refused', client: 1, code: 'INVALID_BET_SIZE' }] });
      expect(await scene.place(least)).toMatchObject([{ client: 2, stakeUnmatched: stake }]);
      // A smaller one that may be paid as much is taken.
      const paysMuch = order(3, { stake: units(stake / 2e6), price: (2 * (payout ?? 0)) / stake });
      expect(await scene.place(paysMuch)).toMatchObject([{ client: 3 }]);
      const between = order(4, { stake: units(stake / 1e6 + (step ?? 0) / 2e6), price: 3 });
      expect(await scene.reply(scene.gateway.place([between]))).toMatchObject({
        items: [{ kind: 'refused', client: 4 }],
      });
    });
  });
});

const references = describeCases(({ on }) => {
  describe('a reference', () => {
    on('is as short as the exchange wants it, and is read back whatever its number', async (scene) => {
      const wire = defined(scene.stage.wire, 'it is over the wire');
      const clients = [1, 99_999, 1_234_567_890];
      await scene.place(...clients.map((client) => order(client, { strategy: 1, price: 3, units: 1 })));
      const lengths = wire.references().map(({ length }) => length);
      expect(lengths).toHaveLength(3);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(scene.traits.referenceMax);
      await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 3 });
      for (const client of clients) await scene.reported(client, 'Matched');
      expect(wire.notices().filter(({ kind }) => kind === 'foreignOrder')).toEqual([]);
    });
  });
});

const CASES = {
  certainEnds,
  provenFreshness,
  removals,
  partialVoids,
  oneMarketACall,
  resettlement,
  lastPrices,
  startingPrices,
  minimumStakes,
  references,
} as const;

export const CAPABILITIES = Object.keys(CASES) as Capability[];

/** Adds the cases of what the exchange has. */
export function capableCases(open: Parameters<typeof certainEnds>[0], capabilities: readonly Capability[]): void {
  for (const each of capabilities) CASES[each](open);
}
