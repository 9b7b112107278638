/** What an operator did in a run is done again in its replay. */

import { expect, test } from 'vitest';
import { actsOf, redo } from '../../../src/app/parity/run-acts.ts';
import type { TradingState } from '../../../src/core/run/trading-state.ts';
import { EngineStage, START } from '../../support/engine/engine-stage.ts';

test.each<[string, TradingState, TradingState, number]>([
  ['a halt cancels what is live', 'running', 'halted', 1],
  ['reduce-only does, too', 'running', 'reduceOnly', 1],
  ['cancelling all is a move to where it is', 'running', 'running', 1],
  ['resuming cancels nothing', 'halted', 'running', 0],
])('%s', (_, from, to, cancelled) => {
  const stage = EngineStage.listed();
  const order = stage.resting();
  stage.step.begin(START + 1_000);
  const record = { kind: 'trading', from, to, cause: 'uneasy', by: 'command' } as const;
  const notes: unknown[] = [];
  const log = { noted: (at: number, note: unknown) => void notes.push([at, note]) };
  redo(
    { at: START + 1_000, event: record },
    { ledger: stage.ledger, step: stage.step, limits: {}, log, wallets: ['main', 'second'] },
  );
  expect(stage.step.takeCancels()).toEqual(cancelled === 1 ? [order] : []);
  expect(stage.ledger.risk.trading).toBe(to);
  // Noted as the run did, after which refusals are journalled anew.
  expect(notes).toEqual([[START + 1_000, record]]);
});

test('a wallet that could not be read stops the orders of that wallet alone, and no longer than in the run', () => {
  const { ledger, step } = EngineStage.listed();
  const late = { kind: 'freshness', feed: 'wallets', wallet: 'main', isLate: true, ageMs: 9, budgetMs: 5 } as const;
  const ofFeed = { kind: 'freshness', feed: 'wallets', isLate: true, ageMs: 9, budgetMs: 5 } as const;
  const records = [late, ofFeed, { ...late, isLate: false }].map((record, index) => ({ at: START + index, record }));
  const acts = actsOf(records);
  expect(acts.map(({ at }) => at - START)).toEqual([0, 2]);
  const stops = acts.map((act) => {
    redo(act, { ledger, step, limits: {}, log: { noted: () => {} }, wallets: ['main', 'second'] });
    return [...ledger.risk.walletsStale];
  });
  expect(stops).toEqual([[0], []]);
});
