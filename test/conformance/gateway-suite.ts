/** The suite that every gateway must pass: in process, polled, and streamed. */

import { describe } from 'vitest';
import type { OpenStage } from '../support/conformance/stage.ts';
import { botCases } from './cases/bot.ts';
import { cancellingCases } from './cases/cancelling.ts';
import { inPlayCases } from './cases/in-play.ts';
import { marketCases } from './cases/markets.ts';
import { moneyCases } from './cases/money.ts';
import { placingCases } from './cases/placing.ts';
import { portCases } from './cases/port.ts';
import { wireCases } from './cases/wire.ts';

/**
 * `isOverWire`: also runs the cases that need a network between gateway and exchange. Cases over a network wait most of
 * their time, each with an app and markets of its own, so several run at once.
 */
export function describeGateway(name: string, open: OpenStage, { isOverWire = false } = {}): void {
  const group = isOverWire ? describe.concurrent : describe;
  group(name, () => {
    placingCases(open);
    cancellingCases(open);
    inPlayCases(open);
    moneyCases(open);
    marketCases(open);
    portCases(open);
    botCases(open);
    if (isOverWire) wireCases(open);
  });
}
