/** What a strategy writes on an intent stays with its order: through judging, transcript, journal, a restart, and into the result. */

import { describe, expect, it, test } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import type { JournalRecord } from '../../src/core/run/journal.ts';
import { WINDOWS } from '../../src/engine/windows/windows.ts';
import { back, closeTrade, defineStrategy, dutch, greenUp, lay, replace, requote } from '../../src/index.ts';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import { ordersCsv } from '../../src/result/columns/csv.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { decideOnce, testMarket } from '../../src/testing.ts';
import { RESTORED, restoredOrder, stage } from '../support/engine/bot-stage.ts';
import { journalFolder, open, recordsOf, written } from '../support/journal/journal-folder.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

const bet = { kind: 'place', market: '1.1', outcome: 'o0', side: 'For', price: 3, stake: 2 } as const;

function market(): Script {
  const script = new Script();
  const made = script.market();
  for (const at of [1000, 2000, 3000, 4000]) made.at(at, { level: [0, 'Against', 2, 50 + at] });
  made.settle(9000, 0);
  return script;
}

/** Does something at the instant that is named, ms after the start. */
const planned = (plan: Readonly<Record<number, (input: DecideInput) => readonly unknown[]>>): StrategyPlugin => ({
  name: 'planned',
  decide: (input) => (input.why === 'prices' ? ((plan[input.now - START]?.(input) ?? []) as Intent[]) : []),
});

async function played(plan: Parameters<typeof planned>[0]) {
  const { collector, transcript } = await runScript(market(), [planned(plan)]);
  const notes = [...collector.orderRows()].map(({ note }) => note);
  return { notes, transcript, refusals: [...collector.refusals] };
}

describe('a note', () => {
  test.each<[what: string, note: unknown, kept: string | undefined]>([
    ['of 200 characters is kept whole', 'σ'.repeat(200), 'σ'.repeat(200)],
    ['with anything in it is kept as it is', '=cmd|"\n\u001b[2J\u0000', '=cmd|"\n\u001b[2J\u0000'],
    ['that is empty is none', '', undefined],
    ['that is undefined is none', undefined, undefined],
  ])('%s', async (_what, note, kept) => {
    expect(await played({ 1000: () => [{ ...bet, note }] })).toMatchObject({ notes: [kept], refusals: [] });
  });

  test.each<[what: string, note: unknown]>([
    ['of 201 characters', 'x'.repeat(201)],
    ['of a million characters', 'x'.repeat(1e6)],
    ['that is a number', 7],
    ['that is null', null],
    ['that is an object', { toString: () => 'x' }],
  ])('%s is refused with its order, and nothing else of the decision is', async (_what, note) => {
    const plan = {
      1000: () => [
        { ...bet, note },
        { ...bet, note: 'fine' },
      ],
    };
    expect(await played(plan)).toMatchObject({ notes: ['fine'], refusals: [['NOTE_INVALID', 1]] });
  });

  it('goes with an order that is replaced, unless the replacement has one of its own', async () => {
    const first = () => [{ ...bet, note: 'first' }];
    const then = (note: object) => ({
      1000: first,
      2000: ({ orders: [order] }: DecideInput) => [{ kind: 'replace', order: order?.id, price: 4, ...note }],
    });
    expect((await played(then({}))).notes).toEqual(['first', 'first']);
    expect((await played(then({ note: 'second' }))).notes).toEqual(['first', 'second']);
    const refused = await played(then({ note: 'x'.repeat(201) }));
    expect(refused).toMatchObject({ notes: ['first'], refusals: [['NOTE_INVALID', 1]] });
  });

  it('stands in the view of its order', async () => {
    let seen: unknown;
    const look = ({ orders }: DecideInput) => {
      seen = orders.map(({ note }) => note);
      return [];
    };
    await played({ 1000: () => [{ ...bet, note: 'why' }, bet], 2000: look });
    expect(seen).toEqual(['why', undefined]);
  });

  it('is part of the transcript, which is as ever without one', async () => {
    const hashOf = async (note?: string) => (await played({ 1000: () => [{ ...bet, note }] })).transcript;
    const [none, a, b] = [await hashOf(), await hashOf('a'), await hashOf('b')];
    expect(new Set([none, a, b]).size).toBe(3);
    expect(await hashOf('a')).toBe(a);
    expect((await played({ 1000: () => [bet] })).transcript).toBe(none);
  });

  it('is harmless in a spreadsheet', async () => {
    const { collector } = await runScript(market(), [planned({ 1000: () => [{ ...bet, note: '=cmd|calc' }] })]);
    expect([...ordersCsv(collector.orderRows())].join('')).toMatch(/,'=cmd\|calc\r\n$/);
  });
});

describe('in a running bot', () => {
  const decide = ({ orders }: DecideInput): readonly Intent[] =>
    orders.length > 0
      ? []
      : [{ kind: 'place', market: 'm1', outcome: 'a', side: 'For', price: 2, stake: 10, note: 'σ' }];

  it('is in the journal before the order leaves, and a record without one has no key for it', () => {
    const noted = stage({ decide });
    noted.until(5_000);
    expect(noted.of('sent')).toMatchObject([{ client: 1, note: 'σ' }]);
    const plain = stage();
    plain.until(5_000);
    expect(plain.of('sent').length).toBe(1);
    expect(JSON.stringify(plain.of('sent'))).not.toContain('note');
  });

  it('survives the process: journal, checkpoint and rebuilt order have it', () => {
    const noted = stage({ decide });
    noted.until(5_000);
    const [record] = noted.of('sent');
    if (record === undefined) expect.fail('it sent its order');
    const file = journalFolder()();
    const run = { run: 'r1', version: '1', mode: 'live', config: '', strategies: [] } as const;
    const started: JournalRecord = { kind: 'started', ...run };
    written(file, [
      { at: START, record: started },
      { at: START + 1, record },
    ]).close();
    const again = open(file);
    expect(again.restored?.orders).toMatchObject([{ terms: { client: 1, note: 'σ' } }]);
    again.append(START + 2, { kind: 'checkpoint', state: again.restored ?? expect.fail('it is restored') });
    again.commit();
    again.close();
    expect(rebuild('r1', recordsOf(file)).orders).toMatchObject([{ terms: { note: 'σ' } }]);
  });

  it('is in the view of an order that an earlier process sent, and absent where an older journal has none', () => {
    const orders = [restoredOrder(7, 'open'), restoredOrder(6, 'open')];
    const [noted, old] = orders;
    if (noted === undefined || old === undefined) expect.fail('two orders');
    const restored = { ...RESTORED, orders: [{ ...noted, terms: { ...noted.terms, note: 'σ' } }, old] };
    const { until, bot } = stage({ restored, quotes: false });
    until(4_000);
    expect([bot.ledger.order(7)?.windowIn(WINDOWS).note, bot.ledger.order(6)?.windowIn(WINDOWS).note]).toEqual([
      'σ',
      undefined,
    ]);
  });
});

describe('every helper that makes intents passes a note on', () => {
  const prices = { against: [[2, 100]], for: [[2.02, 50]] } as const;
  const note = 'mean reversion 2.3σ';
  const cases: readonly (readonly [name: string, helper: (input: DecideInput) => readonly Intent[]])[] = [
    ['back', ({ market: { outcomes } }) => outcomes.slice(0, 1).map((each) => back(each, { stake: 2, note }))],
    ['lay', ({ market: { outcomes } }) => outcomes.slice(0, 1).map((each) => lay(each, { stake: 2, note }))],
    ['replace', ({ orders }) => orders.slice(0, 1).map((order) => replace(order, { price: 3, note }))],
    ['dutch', ({ market: { outcomes } }) => dutch(outcomes, { stake: 10, note })],
    ['greenUp', (input) => greenUp(input.market, input.position, { note })],
    [
      'closeTrade',
      ({ market: { outcomes }, position }) => outcomes.flatMap((each) => closeTrade(each, position, { note })),
    ],
    [
      'requote',
      ({ market: { outcomes }, orders }) => {
        const moved = orders.filter(({ stakeMatched }) => stakeMatched === 0);
        return requote(
          moved,
          outcomes.map((each) => back(each, { stake: 2, price: 1.9, note })),
        );
      },
    ],
  ];
  test.each(cases)('%s', (_name, helper) => {
    const { intents } = decideOnce(defineStrategy({ name: 'asker', decide: helper }), {
      market: testMarket({
        outcomes: [
          { id: 'a', ...prices },
          { id: 'b', ...prices },
        ],
      }),
      orders: [
        { outcome: 'a', side: 'For', price: 2, stake: 5, id: 1 },
        { outcome: 'a', side: 'For', price: 2, stake: 5, id: 2, stakeMatched: 5 },
      ],
    });
    expect(intents.length).toBeGreaterThan(0);
    for (const intent of intents) expect(intent).toMatchObject({ note });
  });
});
