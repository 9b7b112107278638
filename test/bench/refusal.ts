/** The bench of a refused intent: a strategy that is refused at each update, beside the same strategy, which keeps its intents to itself. */

import type { Intent } from '../../src/core/intent.ts';
import { money } from '../../src/core/number/units.ts';
import type { RefusalCode } from '../../src/core/refusal.ts';
import type { Limits } from '../../src/risk/limits/limits.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { defineStrategy } from '../../src/strategy/define-strategy.ts';
import type { BenchData } from './data.ts';
import { asLongAs, claim, compared, type Figure } from './figure.ts';
import { idleCounts, Replay, withMarkets } from './replay-run.ts';
import type { BenchSize } from './size.ts';

const NOTHING: readonly never[] = [];
const MICROS = 1e6;
/** What the strategy asks for passes the checks before the limit that it is to meet. */
const LIMITS: Limits = { order: money(100 * MICROS), market: money(50 * MICROS), ticksFromBook: 20 };
/** Every one of these is met, in turns; how often the market is suspended or not open is up to the recording. */
const CODES: readonly RefusalCode[] = [
  'PRICE_OFF_LADDER',
  'UNKNOWN_ORDER',
  'PRICE_FAR_FROM_BOOK',
  'LIMIT_ORDER',
  'LIMIT_MARKET',
];

export async function benchRefusal(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(data.tape, async (all) => {
    const markets = all.slice(0, size.markets);
    const refused = new Replay({ markets, plugins: [asking(true)], limits: LIMITS });
    const silent = new Replay({ markets, plugins: [asking(false)], limits: LIMITS });
    const { collector, intended, updates } = await refused.warmUp(size.warmPasses);
    idleCounts(await silent.warmUp(size.warmPasses));
    claim(collector.tally.sent === 0 && collector.halts.length === 0, 'an intent of the refused strategy was sent');
    const times = [...collector.refusals.values()].reduce((sum, count) => sum + count, 0);
    claim(times === intended && times > 0, `${intended} intents gave ${times} refusals`);
    for (const code of CODES) claim((collector.refusals.get(code) ?? 0) > 0, `none was refused with ${code}`);
    const { value, yardstick } = await compared(size.shortRepetitions, refused, await asLongAs(refused, silent));
    const usOfUpdate = MICROS / yardstick;
    const usOfRefusal = ((MICROS / value - usOfUpdate) * updates) / times;
    return {
      name: 'refusal',
      value: usOfRefusal,
      unit: 'µs/refusal',
      yardstick: { name: 'µs/update of the same strategy, which returns nothing', value: usOfUpdate },
      ratio: usOfRefusal / usOfUpdate,
      counts: { updates, refusals: times, ...Object.fromEntries(collector.refusals) },
      data: data.tapeName,
    };
  });
}

/** Makes one intent at each call, each for another reason that refuses it, and returns it or not. */
function asking(returnsIt: boolean): StrategyPlugin {
  let calls = 0;
  let kept: readonly Intent[] = NOTHING;
  return defineStrategy({
    name: 'bench-asking',
    state() {
      // Each pass asks for the same in the same order. And where the engine saw that nothing reads the intents, it would not make them.
      calls = Math.min(0, kept.length);
    },
    decide(input) {
      calls += 1;
      const intents = [intentOf(input, calls % CODES.length)];
      kept = intents;
      return returnsIt ? intents : NOTHING;
    },
  });
}

function intentOf({ market }: DecideInput, turn: number): Intent {
  const outcome = market.outcomes[turn % market.outcomes.length];
  const price = outcome?.bestPrice('Against') ?? 2;
  const place = { kind: 'place', market: market.id, outcome: outcome?.id ?? '', side: 'For' } as const;
  switch (turn) {
    case 0:
      return { ...place, price: 2.001, stake: 2 };
    case 1:
      return { kind: 'cancel', order: 1 };
    case 2:
      // Where the book is so wide that no price is far from it, the stake is what is refused.
      return { ...place, price: price < 30 ? 1000 : 1.01, stake: 1_000 };
    case 3:
      return { ...place, price, stake: 1_000 };
    default:
      return { ...place, price, stake: 60 };
  }
}
