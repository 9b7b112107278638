/** The rules for reading Betfair's stream, one by one, on small synthetic streams. */

import { expect, test } from 'vitest';
import { DEFINITION, imported, importedLines, RUNNERS, rc } from '../support/imported-stream.ts';
import { ladder } from '../support/made-stream.ts';

test('a message comes as trades per resting side best first, then decreases, then increases, then last prices', async () => {
  const { updates } = await imported([
    {},
    rc({ id: 1, atb: ladder('2 10, 1.9 10'), atl: ladder('2.1 10, 2.2 10') }),
    rc({
      id: 1,
      atl: ladder('2.1 0, 2.2 4'),
      trd: ladder('2.2 12, 1.9 4, 2.1 20, 2 20'),
      atb: ladder('2 0, 2.1 3, 1.9 8'),
      ltp: 2.1,
    }),
  ]);
  expect(updates[2]).toBe(
    [
      'trade 1 2 10, trade 1 1.9 2, trade 1 2.1 10, trade 1 2.2 6',
      'level 1 Against 2 0, level 1 Against 1.9 8, level 1 For 2.1 0, level 1 For 2.2 4',
      'level 1 Against 2.1 3, lastPrice 1 2.1',
    ].join(', '),
  );
});

test('a runner said twice in a message is merged: each level once, with its last amount', async () => {
  const { updates } = await imported([
    {},
    rc({ id: 1, atb: [[2, 5]] }, { id: 2, atb: [[3, 1]] }, { id: 1, atb: ladder('2 7, 1.5 1') }),
  ]);
  expect(updates[1]).toBe('level 1 Against 2 7, level 2 Against 3 1, level 1 Against 1.5 1');
});

test('an image in the middle gives the difference, and no trade', async () => {
  const { updates, markets } = await imported([
    {},
    rc({ id: 1, atb: ladder('2 5, 1.9 5'), trd: [[2, 10]] }, { id: 2, atl: [[3, 4]] }),
    {
      img: true,
      ...rc({ id: 1, atb: ladder('2 5, 1.8 1'), trd: [[2, 30]] }),
    },
    rc({ id: 1, trd: [[2, 34]] }),
  ]);
  expect(updates.slice(2)).toEqual(['level 1 Against 1.9 0, level 2 For 3 0, level 1 Against 1.8 1', 'trade 1 2 2']);
  expect(markets[0]?.losses).toEqual({ risesInImages: 1 });
});

test('full ladders win over the best few, also when they come later', async () => {
  const { updates, markets } = await imported([
    {},
    rc({ id: 1, batb: ladder('0 2 5, 1 1.9 5') }),
    rc({ id: 1, atb: [[2, 6]], batb: [[0, 2, 6]] }),
    rc({ id: 1, batb: [[0, 1.5, 6]] }),
  ]);
  expect(updates.slice(1)).toEqual([
    'level 1 Against 2 5, level 1 Against 1.9 5',
    'level 1 Against 1.9 0, level 1 Against 2 6',
    '',
  ]);
  expect(markets[0]?.grade).toBe('A-');
});

test('volume relabelled at a removal is no trade, and off-ladder prices become no ticks', async () => {
  const suspended = { marketDefinition: { ...DEFINITION, status: 'SUSPENDED', bspMarket: true } };
  const removed = [
    { ...RUNNERS[0], status: 'REMOVED', removalDate: '2026-01-01T00:00:00.000Z', adjustmentFactor: 27.58 },
    RUNNERS[1],
  ];
  const { updates, markets, definitions } = await imported([
    {},
    rc({ id: 2, trd: [[3, 100]] }),
    suspended,
    rc({ id: 2, trd: ladder('3 0, 2.17 100.02'), ltp: 2.17 }),
    { marketDefinition: { ...DEFINITION, runners: removed } },
    rc({ id: 2, trd: ladder('2.17 104, 2.1 6') }),
  ]);
  expect(updates[3]).toBe('');
  expect(updates[5]).toBe('trade 2 2.1 3');
  expect(markets[0]?.losses).toEqual({ lastPricesOffLadder: 1, tradesOffLadder: 1 });
  expect(definitions.at(-1)?.outcomes[0]).toEqual({
    status: 'Removed',
    factorPpm: 275_800,
    removedAt: 1_767_225_600_000,
  });
});

test('volume matched at the starting price counts although the market is suspended; a later revaluation does not', async () => {
  const sp = { ...DEFINITION, status: 'SUSPENDED', bspMarket: true };
  const runners = [{ ...RUNNERS[0], bsp: 2.34567 }, RUNNERS[1]];
  const { updates, definitions } = await imported([
    { marketDefinition: { ...DEFINITION, bspMarket: true } },
    { marketDefinition: sp },
    rc({ id: 1, trd: [[2, 50]], spn: 2.31, spf: 'Infinity' }),
    { marketDefinition: { ...sp, bspReconciled: true, runners } },
    rc({ id: 1, trd: [[2, 51]] }),
  ]);
  expect(updates.slice(2)).toEqual([
    'trade 1 2 25, startingPrice 1 near 2.31',
    'definition, startingPrice 1 reconciled 2.346',
    '',
  ]);
  expect(definitions.at(-1)?.outcomes[0]?.startingPrice).toBe(2.34567);
});

test('a closed market is settled, void, or neither, as its runners say', async () => {
  const close = (...statuses: string[]) => [
    {},
    {
      marketDefinition: {
        ...DEFINITION,
        status: 'CLOSED',
        runners: statuses.map((status, i) => ({ ...RUNNERS[i], status })),
      },
    },
  ];
  expect((await imported(close('LOSER', 'WINNER'))).definitions.at(-1)?.status).toBe('Settled');
  expect((await imported(close('PLACED', 'LOSER'))).definitions.at(-1)?.outcomes[0]?.status).toBe('Winner');
  expect((await imported(close('REMOVED', 'REMOVED'))).definitions.at(-1)?.status).toBe('Voided');
  // No result: positions stay open.
  for (const undecided of [
    ['ACTIVE', 'ACTIVE'],
    ['ACTIVE', 'LOSER'],
    ['REMOVED', 'ACTIVE'],
    ['REMOVED'],
    ['HIDDEN', 'LOSER'],
  ]) {
    const { definitions, markets } = await imported(close(...undecided));
    expect(definitions.at(-1)).toMatchObject({ status: 'Open', suspended: true });
    expect(markets[0]).toMatchObject({ tradable: true });
  }
  expect((await imported(close('WINNER', 'ACTIVE'))).definitions.at(-1)?.status).toBe('Settled');
  for (const lost of [['LOSER', 'LOSER'], ['LOSER', 'REMOVED'], ['LOSER']])
    expect((await imported(close(...lost))).definitions.at(-1)?.status).toBe(lost.length === 1 ? 'Open' : 'Settled');
});

test('where the number of winners is open, the market is kept if its recording ends with a result', async () => {
  const first = { ...DEFINITION, numberOfWinners: 0 };
  const end = (...statuses: string[]) => ({
    marketDefinition: {
      ...first,
      status: 'CLOSED',
      runners: statuses.map((status, i) => ({ ...RUNNERS[i], status })),
    },
  });
  for (const statuses of [
    ['WINNER', 'LOSER'],
    ['WINNER', 'WINNER'],
    ['LOSER', 'LOSER'],
  ]) {
    const { markets, definitions } = await imported([{ marketDefinition: first }, end(...statuses)]);
    expect(markets[0]).toMatchObject({ tradable: true, winnerCount: 0 });
    expect(definitions.at(-1)).toMatchObject({ status: 'Settled', winnerCount: 0 });
  }
  for (const more of [[], [end('ACTIVE', 'WINNER')], [end('ACTIVE', 'LOSER')]]) {
    const { markets } = await imported([{ marketDefinition: first }, ...more]);
    expect(markets[0]?.refusal).toMatch(/^NO_WINNER_COUNT/);
  }
  // The number of such a type is that of its usual winners, and binds nobody.
  const scorers = { marketDefinition: { ...DEFINITION, marketType: 'TO_SCORE_2_OR_MORE' } };
  const { definitions } = await imported([scorers]);
  expect(definitions[0]?.winnerCount).toBe(0);
});

test('a runner that is listed late is Hidden before, and handicaps make outcomes of their own', async () => {
  const { definitions, markets, updates } = await imported([
    {},
    { marketDefinition: { ...DEFINITION, runners: [...RUNNERS, { id: 1, hc: -0.5, status: 'HIDDEN' }] } },
    rc({ id: 1, hc: -0.5, ltp: 3 }, { id: 1, hc: 0, ltp: 4 }),
  ]);
  expect(markets[0]?.facts.outcomes.map((outcome) => outcome.id)).toEqual(['1', '2', '1@-0.5']);
  expect(definitions[0]?.outcomes[2]).toEqual({ status: 'Hidden', isUnlisted: true });
  expect(updates[2]).toBe('lastPrice 1@-0.5 3, lastPrice 1 4');
});

test('lines and finer ladders keep their own prices, and never pass for odds', async () => {
  const line = { ...DEFINITION, bettingType: 'LINE', numberOfWinners: 0 };
  const { markets, updates } = await imported([
    { marketDefinition: line },
    rc({ id: 1, atb: [[238.5, 10]], atl: [[2, 1]] }),
  ]);
  expect(markets[0]).toMatchObject({ bettingType: 'LINE', tradable: false, prices: [238_500, 2000] });
  expect(updates[1]).toBe('level 1 Against 238.5 10, level 1 For 2 1');
});

test('of a file named for a market, others that share all their lines with it are left', async () => {
  const mc = (id: string, first: boolean) => ({
    id,
    ...(first ? { marketDefinition: DEFINITION } : {}),
    rc: [{ id: 1, ltp: 2 }],
  });
  const line = (pt: number, ...changes: object[]) => JSON.stringify({ op: 'mcm', pt, mc: changes });
  const shared = line(1, mc('1.100000001', true), mc('1.100000002', true), mc('1.100000003', true));
  const lines = [shared, line(2, mc('1.100000001', false)), line(3, mc('1.100000003', false))];
  const named = await importedLines(lines, { name: '1.100000001.jsonl' });
  expect(named.markets.map((market) => market.facts.id)).toEqual(['1.100000001', '1.100000003']);
  expect(named.report.files[0]?.recordings[0]?.markets[1]).toMatchObject({
    id: '1.100000002',
    updates: 1,
    outcome: 'left',
  });
  expect(named.report).toMatchObject({ updatesRead: 5, updatesImported: 4 });
  const unnamed = await importedLines(lines, { name: 'evening.jsonl' });
  expect(unnamed.markets.length).toBe(3);
});

test('what a line says of a market in several entries is one update: definition, clearing, image', async () => {
  const inPlay = { ...DEFINITION, turnInPlayEnabled: true, inPlay: true };
  const line = (pt: number, ...mc: object[]) => JSON.stringify({ op: 'mcm', pt, mc });
  const lines = [
    line(1, { id: '1.5', marketDefinition: DEFINITION }, { id: '1.6', marketDefinition: DEFINITION }),
    line(2, { id: '1.5', ...rc({ id: 1, atb: [[2, 5]] }) }),
    line(
      3,
      { id: '1.5', marketDefinition: inPlay },
      { id: '1.6', ...rc({ id: 1, atb: [[4, 1]] }) },
      { id: '1.5', ...rc({ id: 1, atb: [[2, 0]] }, { id: 2, atl: [[3, 4]] }) },
    ),
    line(
      4,
      { id: '1.5', ...rc({ id: 1, atb: [[1.5, 9]] }) },
      { id: '1.5', img: true, ...rc({ id: 1, atb: [[1.6, 8]] }) },
      { id: '1.5', ...rc({ id: 2, ltp: 3 }) },
    ),
  ];
  const { updates, report } = await importedLines(lines, {});
  expect(updates).toEqual([
    'definition',
    'definition',
    'level 1 Against 2 5',
    'definition, level 1 Against 2 0, level 2 For 3 4',
    'level 1 Against 4 1',
    'level 2 For 3 0, level 1 Against 1.6 8, lastPrice 2 3',
  ]);
  expect(report).toMatchObject({ updatesRead: 6, updatesImported: 6 });
});

test('lines with one mark and publish time are one message, and so are the segments of one', async () => {
  const inPlay = { ...DEFINITION, turnInPlayEnabled: true, inPlay: true };
  const line = (pt: number, head: object, ...mc: object[]) => JSON.stringify({ op: 'mcm', pt, ...head, mc });
  const of = (...changes: object[]) => ({ id: '1.5', ...rc(...changes) });
  const lines = [
    line(1, { clk: 'a' }, { id: '1.5', marketDefinition: DEFINITION }),
    line(2, { clk: 'b' }, of({ id: 1, atb: ladder('2 5, 1.9 7'), batb: [[0, 2, 5]] })),
    line(3, { clk: 'c' }, { id: '1.5', marketDefinition: inPlay }),
    line(3, { clk: 'c' }, of({ id: 1, atb: ladder('2 0, 1.9 0'), ltp: 2 })),
    // Another mark, none, and another time are other messages.
    line(3, { clk: 'd' }, of({ id: 1, atb: [[2, 1]] })),
    line(3, {}, of({ id: 1, atb: [[2, 2]] })),
    line(3, {}, of({ id: 1, atb: [[2, 3]] })),
    line(4, { clk: 'e' }, of({ id: 1, atb: [[2, 4]] })),
    line(5, { clk: 'e' }, of({ id: 1, atb: [[2, 5]] })),
    line(6, { segmentType: 'SEG_START' }, of({ id: 1, atb: [[2, 6]] })),
    line(6, { segmentType: 'SEG' }, of({ id: 2, atb: [[3, 6]] })),
    line(6, { segmentType: 'SEG_END', clk: 'f' }, of({ id: 1, atb: [[2, 7]] }), { id: '1.5', img: true }),
    line(6, { segmentType: 'SEG_START' }, of({ id: 1, atb: [[2, 8]] })),
    line(6, {}, of({ id: 1, atb: [[2, 9]] })),
  ];
  const { updates, report } = await importedLines(lines, {});
  expect(updates).toEqual([
    'definition',
    'level 1 Against 2 5, level 1 Against 1.9 7',
    'definition, level 1 Against 2 0, level 1 Against 1.9 0, lastPrice 1 2',
    ...[1, 2, 3, 4, 5].map((stake) => `level 1 Against 2 ${stake}`),
    'level 1 Against 2 0',
    'level 1 Against 2 8',
    'level 1 Against 2 9',
  ]);
  expect(report).toMatchObject({ updatesRead: 11, updatesImported: 11 });
});

test('what was read of a message before damage, or a bad line, is kept', async () => {
  const line = (head: object, ...changes: object[]) =>
    JSON.stringify({ op: 'mcm', pt: 1, clk: 'a', ...head, mc: [{ id: '1.5', ...rc(...changes) }] });
  const first = JSON.stringify({ op: 'mcm', pt: 1, mc: [{ id: '1.5', marketDefinition: DEFINITION }] });
  const cut = [first, line({}, { id: 1, atb: [[2, 5]] }), line({}, { id: 1, atb: [[2, 6]] }).slice(0, -5)];
  const { updates, report } = await importedLines(cut, { onError: 'skip' });
  expect(updates).toEqual(['definition', 'level 1 Against 2 5']);
  expect(report.files[0]?.recordings[0]?.problems).toMatchObject([{ code: 'BAD_LINE', line: 3 }]);
  const segments = [first, line({ segmentType: 'SEG_START' }, { id: 1, atb: [[2, 5]] })];
  expect((await importedLines(segments, {})).updates).toEqual(['definition', 'level 1 Against 2 5']);
});
