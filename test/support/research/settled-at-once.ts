/** The settlement test of trials that come in one piece. */

import {
  type PieceOfTrials,
  type SettlementTest,
  settlementTest,
} from '../../../src/research/chance/settlement-test.ts';
import type { NotKnown } from '../../../src/research/figure/not-known.ts';

type Input = PieceOfTrials & Omit<Parameters<typeof settlementTest>[0], 'pieces'>;

export function settledAtOnce({ markets, trials, ...rest }: Input): SettlementTest | NotKnown {
  return settlementTest({ pieces: [{ markets, trials }], ...rest });
}
