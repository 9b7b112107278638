/** The transcript hashes what its format says, wherever its rows and texts fall in the buffer that they are gathered in. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarketState } from '../../src/core/market-state.ts';
import { instant, type Money } from '../../src/core/number/units.ts';
import { REFUSALS, type RefusalCode } from '../../src/core/refusal.ts';
import type { StrategyHalt } from '../../src/engine/log/run-log.ts';
import { Transcript } from '../../src/engine/log/transcript.ts';
import { createFixedMarket } from '../../src/strategy/testing/fixed-market.ts';
import { EngineStage } from '../support/engine/engine-stage.ts';
import { naiveTranscript } from '../support/engine/naive-transcript.ts';

const ORDER = EngineStage.listed().sent();
const MARKET = createFixedMarket({ id: 'm', outcomes: [{ id: 'a' }], updatedAt: 5 });
const HALT: StrategyHalt = {
  ...{ strategy: 1, name: 's', code: 'STRATEGY_STUCK', market: 'm', at: 0, error: undefined, details: '' },
};
type Written = readonly (readonly number[] | string)[];

/** Things that happen, each as a run writes it and as the format says. */
const HAPPENINGS: readonly ((transcript: Transcript, at: number, text: string) => Written)[] = [
  (transcript, at) => {
    const market: MarketState = { ...MARKET, index: 3, updatedAt: instant(at) };
    transcript.logUpdate(at, market);
    return [[1 + 16 * 3, at]];
  },
  (transcript, at) => {
    const market: MarketState = { ...MARKET, index: 2, updatedAt: instant(at - 7) };
    transcript.logUpdate(at, market);
    return [[13 + 16 * 2, at, at - 7]];
  },
  (transcript, at) => {
    transcript.logEvent({ kind: 'decided', at, strategy: 1, market: 4, why: 'order', intents: [] });
    return [[2, at, 1, 4, 1, 0]];
  },
  (transcript, at) => {
    const codes = Object.keys(REFUSALS) as RefusalCode[];
    const code = codes[at % codes.length] ?? 'HALTED';
    const intent = { kind: 'cancel', order: at } as const;
    transcript.logEvent({ kind: 'refused', at, strategy: 1, market: 4, refusal: { code }, intent });
    transcript.logEvent({
      kind: 'refused',
      at,
      strategy: 1,
      market: 4,
      refusal: { code, limit: 2.5, wouldBe: at },
      intent,
    });
    return [[3, at, 1, 4, -1, -1], code, [3, at, 1, 4, 2.5, at], code];
  },
  (transcript, at, text) => {
    transcript.logEvent({ kind: 'rejected', at, order: ORDER, code: text });
    return [[6, at, ORDER.id], text];
  },
  (transcript, at) => {
    transcript.logEvent({ kind: 'halted', at, halt: HALT });
    return [[10, at, 1], 'STRATEGY_STUCK'];
  },
  (transcript, at) => {
    transcript.logEvent({ kind: 'reduceSent', at, order: ORDER, stake: 2.5e6 as Money });
    return [[16, at, ORDER.id, 2.5e6]];
  },
  (transcript, at) => {
    transcript.logFill(at, 77, 2_040, 5e6 as Money);
    return [[11, at, 77, 2_040, 5e6]];
  },
];

test('whatever happens, its hash is that of all rows and texts joined', () => {
  const text = fc.oneof(
    fc.constantFrom('', 'NO_FUNDS', 'ä€😀', 'x'.repeat(128), 'é'.repeat(129), '€'.repeat(30_000)),
    fc.string({ unit: 'grapheme' }),
  );
  const happening = fc.record({ which: fc.nat(HAPPENINGS.length - 1), text });
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 400, size: 'max' }), (all) => {
      const transcript = new Transcript('heading');
      const written = all.flatMap(({ which, text }, at) => HAPPENINGS[which]?.(transcript, 1_000 + at, text) ?? []);
      expect(transcript.close()).toBe(naiveTranscript('heading', written));
      expect(() => transcript.logFill(0, 0, 0, 0 as Money)).toThrow('nothing is written after');
    }),
    { numRuns: 60 },
  );
});

test('a buffer that is filled many times over loses nothing', () => {
  const transcript = new Transcript('h');
  const written: (readonly number[] | string)[] = [];
  for (let at = 0; at < 20_000; at += 1) written.push(...(HAPPENINGS[at % 4]?.(transcript, at, '') ?? []));
  expect(transcript.close()).toBe(naiveTranscript('h', written));
});
