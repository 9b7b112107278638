/** What an operator did in a run is done again in its replay. */

import { expect, test } from 'vitest';
import { redo } from '../../../src/app/parity/run-acts.ts';
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
  redo({ at: START + 1_000, record }, { ledger: stage.ledger, step: stage.step, limits: {}, log });
  expect(stage.step.takeCancels()).toEqual(cancelled === 1 ? [order] : []);
  expect(stage.ledger.risk.trading).toBe(to);
  // Noted as the run did, after which refusals are journalled anew.
  expect(notes).toEqual([[START + 1_000, record]]);
});
