import { describe, expect, test } from 'vitest';
import { moneyFromDecimal } from '../../src/core/number/units.ts';
import { NO_INK } from '../../src/report/text/colours.ts';
import { resultTable } from '../../src/report/text/table.ts';
import { fillsCsv, ordersCsv } from '../../src/result/columns/csv.ts';
import { backtestJson, backtestJsonLine } from '../../src/result/columns/result-json.ts';
import { type FillRow, type OrderRow, profitFigures } from '../../src/result/result.ts';
import { marketLabel } from '../../src/words/market-label.ts';
import { amount, percent, signed } from '../../src/words/numbers.ts';
import { sampleResult } from './sample-result.ts';
import { order } from './sample-rows.ts';

test('every total stands as an interval with its central value', () => {
  const table = resultTable(sampleResult(1));
  expect(table).toContain('pessimistic         central      optimistic');
  expect(table).toMatch(/^net profit +−1\.30 +\+1\.08 +\+2\.94$/m);
  expect(table).toMatch(/Ascot 1st Aug · 13:00 Handicap +A +21 +240\.00 +\+1\.08 {2}−1\.30 … \+2\.94$/m);
});

test('the busiest hour is told, and warned of where Betfair charges for it', () => {
  const at = (id: number, decidedAt: number, more: Partial<OrderRow> = {}) => order(id, '', { decidedAt, ...more });
  const noon = Date.UTC(2026, 7, 1, 12);
  const many = Array.from({ length: 2_501 }, (_, id) => at(id, noon + 60_000));
  const rows = [
    ...many,
    at(9_001, noon - 10, { arrivedAt: noon + 10 }),
    at(9_002, noon - 1),
    at(9_003, noon, { flow: 'optimistic' }),
  ];
  const sent = { ...sampleResult(1).orders, sent: rows.length };
  const result = sampleResult(1, { orderRows: rows, orders: sent });
  expect(JSON.parse(backtestJson(result)).busiestHour).toEqual({ from: noon, orders: 2_502 });
  expect(resultTable(result)).toContain('2,502 sent in the busiest hour, from 2026-08-01 12:00:00');
  expect(resultTable(sampleResult(1))).not.toContain('busiest hour');
});

test('the grades of the markets replayed are stated, not that of the tape', () => {
  const [first, second] = sampleResult(2).byMarket;
  const byMarket = [first ?? expect.fail(), { ...(second ?? expect.fail()), grade: 'C' as const }];
  expect(resultTable(sampleResult(2, { byMarket }))).toContain(
    'grade A: full ladders and traded volume (1 market)\ngrade C: last traded price only: own orders rest and do not match (1 market)',
  );
});

test('a generated recording is called one', () => {
  const tapes = [{ path: 'a.tape', sha256: '00', grade: 'A' as const, generated: 'a seeded crowd' }];
  expect(resultTable(sampleResult(1, { tapes }))).toContain('not real trading: a seeded crowd');
});

test('lists at most 25 markets, those with the largest results, and says how many are left', () => {
  const result = sampleResult(60);
  const table = resultTable(result);
  expect(table.match(/ A +21 /g)?.length).toBe(25);
  expect(table).toContain('… and 35 markets with smaller results');
  const largest = Math.max(...result.byMarket.map((market) => market.profit.central.profitNet));
  expect(table).toContain(signed(largest));
});

test('event and market names that repeat each other become one', () => {
  expect(marketLabel({ eventName: 'A v B', name: 'A v B: match odds' })).toBe('A v B: match odds');
  expect(marketLabel({ eventName: 'York 12:30 Stakes', name: 'Stakes: to win' })).toBe('York 12:30 Stakes: to win');
  expect(marketLabel({ eventName: 'A v B', name: 'Match Odds' })).toBe('A v B · Match Odds');
  expect(marketLabel({ eventName: '', name: 'Win' })).toBe('Win');
  const race = { name: '1m Hcap', venue: 'Hamilton', startsAt: Date.UTC(2026, 5, 14, 14, 5) };
  expect(marketLabel({ ...race, eventName: 'Ham 14th Jun' })).toBe('Hamilton 14:05 14th Jun · 1m Hcap');
  expect(marketLabel({ ...race, eventName: 'Hamilton 14th Jun' })).toBe('Hamilton 14:05 14th Jun · 1m Hcap');
  expect(marketLabel({ ...race, eventName: 'Hamilton 13:05 Stakes' })).toBe('Hamilton 13:05 Stakes · 1m Hcap');
  expect(marketLabel({ ...race, eventName: '30738503' })).toBe('Hamilton 14:05 · 1m Hcap');
  expect(marketLabel({ ...race, eventName: '' })).toBe('Hamilton 14:05 · 1m Hcap');
  expect(marketLabel({ ...race, eventName: 'Evening meeting' })).toBe('Hamilton 14:05 Evening meeting · 1m Hcap');
  expect(marketLabel({ ...race, eventName: 'Ham 14th Jun', startsAt: undefined })).toBe('Hamilton 14th Jun · 1m Hcap');
  expect(marketLabel({ ...race, venue: undefined, eventName: 'A v B' })).toBe('A v B · 1m Hcap');
});

test('a losing market lists its lowest bound first, whichever it is', () => {
  const one = sampleResult(1);
  const swapped = one.byMarket.map(({ profit, ...market }) => ({
    ...market,
    profit: { pessimistic: profit.optimistic, central: profit.central, optimistic: profit.pessimistic },
  }));
  expect(resultTable({ ...one, byMarket: swapped })).toMatch(/−1\.30 … \+2\.94$/m);
});

test('no market at all is said plainly', () => {
  expect(resultTable(sampleResult(0))).toContain('No market was replayed.');
});

test('control characters in names do not reach the terminal', () => {
  const one = sampleResult(1);
  const byMarket = one.byMarket.map((market) => ({ ...market, name: '\u001b[2Jgone' }));
  expect(resultTable({ ...one, byMarket })).not.toContain('\u001b');
});

test('losses and gains are coloured by sign, and nothing else is', () => {
  const colours = { ...NO_INK, gain: (text: string) => `<g>${text}</g>`, loss: (text: string) => `<l>${text}</l>` };
  const table = resultTable(sampleResult(1), colours);
  expect(table).toMatch(/<l> *−1\.30<\/l><g> *\+1\.08<\/g>/);
  expect(table).not.toMatch(/<[gl]>[^+−]*<\//);
});

test('figures have signs that line up, and none where they round to nothing', () => {
  expect([signed(1234.5), signed(-0.001), signed(0), signed(-2)]).toEqual(['+1,234.50', '0.00', '0.00', '−2.00']);
  expect([amount(-1e6), percent(0.0456), percent(-0.0001)]).toEqual(['−1,000,000.00', '+4.6 %', '0.0 %']);
});

test('money becomes decimals of six places, and net is gross less commission', () => {
  const money = (value: number) => moneyFromDecimal(value) ?? expect.fail('no money');
  expect(profitFigures({ stakeMatched: money(20), profitGross: money(0.3), commission: money(0.006) })).toEqual({
    stakeMatched: 20,
    profitGross: 0.3,
    commission: 0.006,
    profitNet: 0.294,
  });
  expect(
    profitFigures({ stakeMatched: money(0), profitGross: money(-0.1), commission: money(0), markToMarket: money(0.2) }),
  ).toMatchObject({
    profitNet: -0.1,
    markToMarket: 0.2,
  });
});

/** The key paths of cli.md's object; a path into `refusals` or `params` is the user's own. */
const CONTRACT =
  'command version seed tapes.0.path tapes.0.sha256 tapes.0.grade strategies.0.name strategies.0.file strategies.0.params ' +
  'markets updates decisions orders.intended orders.refused orders.sent orders.accepted orders.rejected orders.matchedFully ' +
  'orders.matchedPartly orders.cancelled orders.unmatched refusals result.central.stakeMatched result.central.profitGross ' +
  'result.central.commission result.central.profitNet result.pessimistic.profitNet result.optimistic.profitNet byMarket.0.id ' +
  'byMarket.0.name byMarket.0.grade byMarket.0.updates byMarket.0.orders byMarket.0.stakeMatched byMarket.0.profitGross ' +
  'byMarket.0.commission byMarket.0.profitNet byMarket.0.status transcript.sha256 elapsedMs updatesPerSecond';

test.each(CONTRACT.split(' '))('the JSON has the key %s of the contract', (path) => {
  expect(JSON.parse(backtestJson(sampleResult(2)))).toHaveProperty(path);
});

test('the JSON counts markets, names its command and gives the rate', () => {
  const json = JSON.parse(backtestJson(sampleResult(2)));
  expect(json).toMatchObject({
    command: 'backtest',
    markets: 2,
    updates: 8366,
    updatesPerSecond: Math.round(8366 / 1.25),
  });
  expect(Object.keys(json.result)).toEqual(['central', 'pessimistic', 'optimistic']);
});

const ORDER: OrderRow = {
  run: 1,
  flow: 'central',
  id: 3,
  strategy: 'a',
  marketId: '1.2',
  marketName: 'Win, "the" race',
  outcomeId: '7',
  outcomeTitle: 'Line\nbreak',
  side: 'For',
  price: 2.5,
  stake: 10,
  decidedAt: Date.UTC(2026, 7, 1),
  stakeMatched: 4,
};

test('CSV quotes commas, quotes and line breaks, and leaves absent values empty', () => {
  const [head, ...rest] = [...ordersCsv([ORDER])].join('').split('\r\n');
  expect(head).toBe(
    'run,flow,order,strategy,marketId,marketName,outcomeId,outcomeTitle,side,price,stake,decidedAt,arrivedAt,status,reason,stakeMatched,averagePrice,profit,endedAt,queueAhead,bestFor,bestAgainst,note',
  );
  expect(rest).toEqual([
    '1,central,3,a,1.2,"Win, ""the"" race",7,"Line\nbreak",For,2.5,10,2026-08-01T00:00:00.000Z,,,,4,,,,,,,',
    '',
  ]);
});

test('CSV holds no name that a spreadsheet would calculate, and leaves negative figures as they are', () => {
  for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\r=1']) {
    const [, line = ''] = [...ordersCsv([{ ...ORDER, marketName: name, outcomeTitle: '', profit: -2.5, note: name }])]
      .join('')
      .split(/\r\n(?=1)/);
    expect(line).toContain(`'${name}`);
    expect(line).toContain(',-2.5,,,,,');
    expect(line.slice(line.indexOf(',-2.5'))).toContain(`'${name}`);
  }
});

const FILL: FillRow = {
  run: 1,
  flow: 'central',
  order: 1,
  marketId: '1',
  outcomeId: '2',
  outcomeTitle: 'Two',
  side: 'Against',
  price: 3,
  stake: 2,
  at: 0,
};

test('CSV of fills has their columns in this order, with the time in UTC', () => {
  expect([...fillsCsv([FILL])].join('')).toBe(
    'run,flow,order,marketId,outcomeId,side,price,stake,at,lastPriceAfter10s,lastPriceAfter60s\r\n1,central,1,1,2,Against,3,2,1970-01-01T00:00:00.000Z,,\r\n',
  );
});

test('the JSON holds orders and fills as columns and rows where it is asked for them, and none else', () => {
  const result = sampleResult(1, { orderRows: [ORDER], fillRows: [FILL, FILL] });
  const json = JSON.parse([...backtestJsonLine(result, { rows: true })].join(''));
  const { orders, fills } = json.rows;
  expect(orders.columns.join()).toBe(([...ordersCsv([])][0] ?? '').trimEnd());
  expect(orders.rows).toEqual([
    [1, 'central', 3, 'a', '1.2', 'Win, "the" race', '7', 'Line\nbreak', 'For', 2.5, 10, ORDER.decidedAt]
      .concat(Array(3).fill(null))
      .concat([4], Array(7).fill(null)),
  ]);
  expect(fills.columns).toEqual(
    'run flow order marketId outcomeId side price stake at lastPriceAfter10s lastPriceAfter60s'.split(' '),
  );
  expect(fills.rows).toHaveLength(2);
  expect(fills.rows[0]).toEqual([1, 'central', 1, '1', '2', 'Against', 3, 2, 0, null, null]);
  const { rows: _, ...figures } = json;
  expect(figures).toEqual(JSON.parse(backtestJson(result)));
  expect([...backtestJsonLine(result, { rows: false })]).toEqual([`${backtestJson(result)}\n`]);
});

test('CSV comes in chunks that together hold every row', () => {
  const chunks = [...fillsCsv(Array.from({ length: 2500 }, () => FILL))];
  expect(chunks.length).toBe(3);
  expect(chunks.join('').trimEnd().split('\r\n').length).toBe(2501);
});

test('repeated cancellations stand in the sum of the intents where there are any', () => {
  const result = sampleResult(1);
  const orders = { ...result.orders, intended: result.orders.intended + 1_300, cancellationsRepeated: 1_300 };
  expect(resultTable({ ...result, orders })).toContain(
    '1,327 intents of the strategies = 2 refused + 3 cancellations + 1,300 repeated cancellations + 22 orders sent',
  );
  expect(resultTable(result)).not.toContain('repeated');
  expect(JSON.parse(backtestJson({ ...result, orders }))).toMatchObject({ orders: { cancellationsRepeated: 1_300 } });
});

describe('luck and skill', () => {
  test('costs below zero were earned: no sign that reads as a loss', () => {
    const { statistics, ...others } = sampleResult(8);
    const { costs } = statistics;
    if (costs.kind !== 'costSplit') expect.fail();
    const earned = { ...costs, spread: 5, delay: -50, commission: 1, total: -44, percent: -0.4 };
    expect(resultTable({ ...others, statistics: { ...statistics, costs: earned } })).toContain(
      'crossing the spread cost 5.00, you saved 50.00 by waiting, commission 1.00: 44.00 better than the middle of the prices, 0.40 % of stake. The rest came from price moves and results\n',
    );
  });

  test('is said in a line for each figure, first what the profit is made of', () => {
    const lines = resultTable(sampleResult(8)).split('\n');
    const first = lines.findIndex((line) => line.startsWith('worth at closing '));
    expect(lines.slice(first, first + 11)).toEqual([
      'worth at closing  +12.90: what closing prices predict for the bets matched before the off',
      'luck              +35.30: who won helped, which is ordinary: as good in 21 of 100 draws of the winners (8 of 10 markets with bets can be judged)',
      'in play           −3.10 from bets matched in play, not judged: +45.10 gross in all',
      'profit per event  +1.10 net, 95 % interval −1.90 … +4.10: on both sides of 0, from 8 event groups',
      'closing value     the prices got before the off were 1.34 % better than those at the off (95 %: +0.54 % … +2.14 %)',
      'fill bias         what was matched was worth 1.56 % of stake less at closing than what was not (95 %: −2.46 % … −0.66 %)',
      'costs             crossing the spread cost 31.20, you saved 4.10 by waiting, commission 7.70: 34.80 worse than the middle of the prices, 1.35 % of stake. The rest came from price moves and results',
      'drawdown          deepest fall 63.40 over 6 event groups, made up for after 11 event groups; longest time below a high: 11',
      'growth            +0.120 % of the balance per event group; 1.80 × these stakes would have been best',
      'cells             of 4 by price, time to the off, market type and side these stand out: time to the off last minute',
      '',
    ]);
  });

  test('says of bad luck that is rare how rare it is, and of what is not known why', () => {
    const { statistics } = sampleResult(8);
    const { luck } = statistics;
    if (luck.kind !== 'luck') throw new Error('the sample has luck');
    const rare = { ...luck, settled: -90, luck: -102.9, chanceAbove: 0.999, chanceBelow: 0.002, pValue: 0.004 };
    const growth = { kind: 'notKnown', reason: 'A wallet is unlimited.' } as const;
    const text = resultTable(sampleResult(8, { statistics: { ...statistics, luck: rare, growth } }));
    expect(text).toContain('−102.90: who won hurt, which is rare: as bad in fewer than 1 of 100 draws of the winners');
    expect(text).toContain('growth            not known: a wallet is unlimited\n');
  });

  test('says nothing where nothing was matched', () => {
    expect(resultTable(sampleResult(0))).not.toMatch(/^luck/m);
  });
});
