/** The suite that every gateway must pass: in process, polled, and streamed. */

import { describe } from 'vitest';
import { describeLeftOut, type OpenStage } from '../support/conformance/stage.ts';
import { botCases } from './cases/bot.ts';
import { cancellingCases } from './cases/cancelling.ts';
import { type Capability, capableCases } from './cases/capable.ts';
import { inPlayCases } from './cases/in-play.ts';
import { marketCases } from './cases/markets.ts';
import { moneyCases } from './cases/money.ts';
import { placingCases } from './cases/placing.ts';
import { portCases } from './cases/port.ts';
import { BETDEX_CODES, type WireCodes, wireCases } from './cases/wire.ts';

/** The parts of the suite that every gateway must pass, whether it works over a network or not. */
const PARTS = {
  placing: placingCases,
  cancelling: cancellingCases,
  inPlay: inPlayCases,
  money: moneyCases,
  markets: marketCases,
  port: portCases,
  bot: botCases,
};
type Part = keyof typeof PARTS;
const ALL = Object.keys(PARTS) as Part[];

interface SuiteOptions {
  /** Also runs the cases that need a network between gateway and exchange. */
  readonly isOverWire?: boolean;
  /** What the exchange answers where it is told to fail; absent: BetDEX's words. */
  readonly codes?: WireCodes;
  /** What this exchange has and others have not: their cases run. */
  readonly has?: readonly Capability[];
  /** For an adapter under construction: the parts that it is ready for. The cases of the others are counted as skipped. */
  readonly parts?: readonly Part[];
}

/** Cases over a network wait most of their time, each with an app and markets of its own, so several run at once. */
export function describeGateway(name: string, open: OpenStage, options: SuiteOptions = {}): void {
  const { isOverWire = false, has = [], parts = ALL, codes = BETDEX_CODES } = options;
  const group = isOverWire ? describe.concurrent : describe;
  group(name, () => {
    for (const part of ALL) {
      if (parts.includes(part)) PARTS[part](open);
      else describeLeftOut(part, () => PARTS[part](open));
    }
    capableCases(open, has);
    if (isOverWire) wireCases(open, codes);
  });
}
