/** Every wish is counted once, and ends as an order sent, a refusal, a cancellation, or one that was repeated. */

import { expect, test } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { runScript, Script, type ScriptedEnd, START } from '../support/scripted-run.ts';

/** Market news each second; the strategy answers that of second n with `wishes[n]`. */
function run(proposals: Readonly<Record<number, readonly unknown[]>>): Promise<ScriptedEnd> {
  const script = new Script();
  const market = script.market();
  market.at(1000, { level: [0, 'Against', 2, 100] }, { level: [0, 'For', 2.2, 100] });
  for (let second = 2; second < 20; second += 1) market.at(second * 1000, { last: [1, 2] });
  market.settle(20_000, 0);
  const plugin: StrategyPlugin = {
    name: 'wishing',
    decide: ({ why, now }) => (why === 'prices' ? ((proposals[(now - START) / 1000] ?? []) as readonly Intent[]) : []),
  };
  return runScript(script, [plugin]);
}

const place = { kind: 'place', market: '1.1', outcome: 'o0', side: 'For', price: 2.1, stake: 10 };

function counts({ intended, cancellations, cancellationsRepeated, collector }: ScriptedEnd) {
  const refused = [...collector.refusals.values()].reduce((sum, times) => sum + times, 0);
  return {
    intended,
    refused,
    cancellations,
    ...(cancellationsRepeated > 0 && { cancellationsRepeated }),
    sent: collector.tally.sent,
  };
}

test('an order that is sent, one that is refused, and what is no wish at all', async () => {
  const end = await run({ 2: [place, { ...place, price: 2.001 }, undefined] });
  expect(counts(end)).toEqual({ intended: 3, refused: 2, cancellations: 0, sent: 1 });
});

test('a cancellation counts, also one asked for before the exchange has named the order', async () => {
  const cancel = { kind: 'cancel', order: 1 };
  expect(counts(await run({ 2: [place], 4: [cancel] }))).toMatchObject({ intended: 2, cancellations: 1, sent: 1 });
  expect(counts(await run({ 2: [place, cancel] }))).toMatchObject({ intended: 2, cancellations: 1, sent: 1 });
});

test('a cancellation of what is being cancelled is nothing, and counted as such', async () => {
  const cancel = { kind: 'cancel', order: 1 };
  const end = await run({ 2: [place], 4: [cancel, cancel] });
  expect(counts(end)).toEqual({ intended: 3, refused: 0, cancellations: 1, cancellationsRepeated: 1, sent: 1 });
  expect(counts(await run({ 2: [place, cancel, cancel] }))).toMatchObject({
    cancellations: 1,
    cancellationsRepeated: 1,
  });
});

test('a replacement counts as a cancellation, and the order that takes the place as one more wish', async () => {
  const end = await run({ 2: [place], 4: [{ kind: 'replace', order: 1, price: 2.12 }] });
  expect(counts(end)).toEqual({ intended: 3, refused: 0, cancellations: 1, sent: 2 });
});

test('to cancel all is one wish, however many orders it ends', async () => {
  const end = await run({ 2: [place, place], 4: [{ kind: 'cancelAll' }, { kind: 'cancelAll' }] });
  expect(counts(end)).toEqual({ intended: 4, refused: 0, cancellations: 2, sent: 2 });
  expect(end.collector.tally.cancelled).toBe(2);
});
