import { expect, test } from 'vitest';
import { type Headline, type HeadlineFacts, headline } from '../../src/report/text/headline.ts';
import type { Interval } from '../../src/research/chance/bootstrap.ts';
import { notKnown } from '../../src/research/figure/not-known.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { sampleResult } from './sample-result.ts';
import { sampleStatistics } from './sample-statistics.ts';

test('says what was lost, at which yield, and that the interval lies below zero under all fills', () => {
  expect(
    of(-26.56, {
      perEvent: [
        [-3.97, -0.68],
        [-3.9, -0.5],
        [-2, -0.1],
      ],
    }),
  ).toEqual({
    money: 'Lost 26.56 USDC (yield −2.7 %).',
    sureness: 'Per event −1.77, 95 % −3.97 … −0.68, from 15 event groups: zero lies outside, whatever the fills.',
  });
});

test('names the fills that cannot exclude zero', () => {
  const { sureness } = of(26.56, {
    perEvent: [
      [0.2, 3],
      [-0.1, 2],
      [0.3, 4],
    ],
  });
  expect(sureness).toMatch(/zero lies outside, but the pessimistic fills cannot exclude it\.$/);
  expect(
    of(26.56, {
      perEvent: [
        [0.2, 3],
        [-0.1, 2],
        [-1, 4],
      ],
    }).sureness,
  ).toMatch(/but the pessimistic and the optimistic fills cannot exclude it\.$/);
});

test('calls a result luck where its own interval holds zero, and says where nobody can tell', () => {
  expect(
    of(3, {
      perEvent: [
        [-1, 2],
        [1, 2],
        [1, 2],
      ],
    }).sureness,
  ).toMatch(/zero lies within, so this may be luck alone\.$/);
  expect(of(3, { perEvent: [undefined, [1, 2], [1, 2]] }).sureness).toBe(
    'How sure that is cannot be said. 3 event groups: an interval needs at least 5.',
  );
});

test('with central fills alone it speaks of no others', () => {
  const { sureness } = of(3, {
    perEvent: [
      [1, 2],
      [1, 2],
      [1, 2],
    ],
    fills: 'central',
  });
  expect(sureness).toMatch(/: zero lies outside\.$/);
});

test('what rounds to nothing is neither made nor lost', () => {
  expect(of(0.001, {}).money).toBe('Neither made nor lost: 0.00 USDC (yield 0.0 %).');
});

test.each<[string, Partial<BacktestResult['orders']>, Partial<HeadlineFacts>, string]>([
  [
    'no intent',
    { intended: 0, refused: 0, sent: 0 },
    {},
    'Nothing was traded: the strategies never returned an intent.',
  ],
  [
    'all refused',
    { intended: 9, refused: 9, sent: 0 },
    { refusals: { FEED_STALE: 1, LIMIT_MARKET: 8 } },
    'Nothing was traded: 9 intents refused, most of them by LIMIT_MARKET, ',
  ],
  [
    'all rejected',
    { intended: 7, refused: 0, sent: 7, rejected: 7 },
    { rejections: { SUSPENDED_MARKET: 2, INSUFFICIENT_FUNDS: 5 } },
    'Nothing was traded: the exchange rejected all 7 orders, most of them with INSUFFICIENT_FUNDS.',
  ],
  ['no match', { intended: 7, refused: 0, sent: 7, rejected: 1 }, {}, 'Nothing was matched of 7 orders sent.'],
])('says why nothing was traded: %s', (_, orders, facts, expected) => {
  const result = sampleResult(1);
  const nothing = { ...result.total.central, stakeMatched: 0, profitNet: 0 };
  const total = { pessimistic: nothing, central: nothing, optimistic: nothing };
  const said = headline({ ...plain(result), total, orders: { ...result.orders, ...orders }, ...facts });
  expect(said.money).toContain(expected);
  expect(said.sureness).toBeUndefined();
});

test('a run without markets, or with none settled, has no profit to speak of', () => {
  expect(headline({ ...plain(sampleResult(0)), markets: 0 }).money).toBe('No market was replayed.');
  expect(headline({ ...plain(sampleResult(2)), isSettled: false }).money).toMatch(
    /^No market is settled yet: [\d.,]+ USDC of stake is matched\.$/,
  );
});

function plain(result: BacktestResult): HeadlineFacts {
  return { ...result, markets: result.byMarket.length, isSettled: true, settledStake: 1_000 };
}

type Ends = readonly [low: number, high: number] | undefined;

/** `perEvent`: the ends of the intervals of central, pessimistic and optimistic fills. */
function of(
  profitNet: number,
  {
    perEvent = [
      [1, 2],
      [1, 2],
      [1, 2],
    ],
    fills = 'bounds',
  }: { perEvent?: readonly [Ends, Ends, Ends]; fills?: BacktestResult['fills'] },
): Headline {
  const result = sampleResult(2);
  const total = { ...result.total, central: { ...result.total.central, profitNet } };
  const [central, pessimistic, optimistic] = perEvent.map(intervalOf);
  if (central === undefined || pessimistic === undefined || optimistic === undefined) expect.fail();
  const statistics = { ...sampleStatistics(15), profitPerEvent: { central, pessimistic, optimistic } };
  return headline({ ...plain(result), total, fills, statistics });
}

function intervalOf(ends: Ends): Interval | ReturnType<typeof notKnown> {
  if (ends === undefined) return notKnown('3 event groups: an interval needs at least 5.');
  const [low, high] = ends;
  return {
    kind: 'interval',
    estimate: -1.77,
    low,
    high,
    level: 0.95,
    standardError: 1,
    groups: 15,
    says: '',
    doesNotSay: '',
  };
}
