/** What a sandbox's dashboard says that a wallet can lose, beside what the exchange holds for its bets. */

import { expect, test } from 'vitest';
import { BETDEX_WORDS } from '../../../src/app/web/dashboard/sandbox/betdex-sandbox.ts';
import { readMarkets, sandboxMarket, sandboxMarkets } from '../../../src/app/web/dashboard/sandbox/sandbox-markets.ts';
import { UserOrders } from '../../../src/app/web/dashboard/sandbox/user-orders.ts';
import { readAsk } from '../../../src/app/web/dashboard/server/read-ask.ts';
import { LOOK_EVERY_MS, PriceMemory } from '../../../src/app/web/dashboard/shown/price-memory.ts';
import { BETDEX_CONTROL } from '../../../src/sandbox/control/betdex-control.ts';
import { TradingFloor } from '../../support/sandbox/trading-floor.ts';

test('an order that closes a bet can lose nothing more, although the exchange holds funds for it', () => {
  const floor = new TradingFloor();
  floor.place(floor.b, { side: 'Against', price: 3, stake: 5 });
  floor.place(floor.a, { side: 'For', price: 3, stake: 5 });
  floor.place(floor.a, { side: 'Against', price: 2.5, stake: 6 });
  const prices = new PriceMemory();
  const { names } = BETDEX_CONTROL;
  const users = new UserOrders({ context: floor.context, control: { names }, words: BETDEX_WORDS });
  const view = { world: floor.world, names, words: BETDEX_WORDS, users, prices, now: 0 };
  const asked = (page: string) =>
    readAsk(new URLSearchParams({ page, id: floor.marketId, outcome: floor.outcomeId(0) }));
  const { market } = sandboxMarket(view, asked('market'));
  const rows = (market?.positions ?? []).map(({ owner, worstLoss, held }) => [owner, worstLoss, held]);
  expect(rows).toEqual([
    // Matched, the lay of 6 at 2.5 would lose 9 if it wins, where the back of 5 at 3 has won 10.
    [floor.a.walletId, 5, 9],
    [floor.b.walletId, 10, 10],
  ]);
  expect(sandboxMarkets(view, asked('markets')).rows[0]?.worstLoss).toBe(15);

  for (const reading of [0, 1]) prices.look(readMarkets(floor.world), reading * LOOK_EVERY_MS);
  const curve = sandboxMarket(view, asked('market')).market?.prices;
  expect(curve, 'the rest of the lay of 6 can be backed').toMatchObject({
    at: [0, LOOK_EVERY_MS],
    lines: [{ values: [2.5, 2.5] }],
  });
});
