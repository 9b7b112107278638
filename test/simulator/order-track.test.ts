/** An order's figures while its fills are being reported. */

import { expect, it } from 'vitest';
import { defined } from '../../src/core/checks/assert.ts';
import type { Tick } from '../../src/core/number/ladder.ts';
import { tickOfDecimal } from '../../src/core/number/ladder.ts';
import { instant } from '../../src/core/number/units.ts';
import type { OrderRequest } from '../../src/exchange/gateway.ts';
import { fillRulesOf } from '../../src/simulator/overlay/fill-rules.ts';
import { RecordedMarkets } from '../../src/simulator/replay/recorded-markets.ts';
import { ReplayExchange } from '../../src/simulator/replay/replay-exchange.ts';
import { Script, START, units } from '../support/scripted-run.ts';

const PRICE: Tick = defined(tickOfDecimal(2), 'the price is on the ladder');

const ORDER: OrderRequest = {
  client: 1,
  strategy: 0,
  wallet: 0,
  market: 0,
  outcome: 0,
  side: 'For',
  tick: PRICE,
  stake: units(10),
  keepWhenInPlay: false,
  matchBehavior: 'RetainUnmatched',
};

it('a fill listener reads what is unmatched after the fill, of an order that takes and of one that rests', () => {
  const script = new Script();
  const market = script.market();
  market.at(1_000, { level: [0, 'Against', 2, 4] });
  market.at(2_000, { level: [0, 'Against', 2, 9] });
  market.at(3_000, { level: [0, 'Against', 2, 20] });
  const source = script.source();
  const seen: unknown[] = [];
  const replay = new ReplayExchange({
    at: source.startAt,
    fillRules: fillRulesOf('central'),
    listener: { filled: ({ stake }) => seen.push([stake, ...figures()]) },
    rules: {},
    wallets: [units(1_000)],
  });
  const markets = new RecordedMarkets({ life: { crossMatching: false } }, [replay]);
  const open = markets.open(0, source.recorded(0), instant(START));
  const { exchangeId } = replay.opened(0);
  const figures = (): readonly number[] => {
    const [track] = replay.exchange.market(exchangeId).tracks;
    const { matched, unmatched } = defined(track, 'the order was accepted');
    return [matched, unmatched];
  };
  for (let update = source.next(); update !== undefined; update = source.next()) {
    markets.apply(open, update);
    if (update.sequence === 0) replay.place(instant(START + 1_500), [ORDER]);
  }
  expect(seen).toEqual([
    [units(4), units(4), units(6)],
    [units(5), units(9), units(1)],
    [units(1), units(10), units(0)],
  ]);
});
