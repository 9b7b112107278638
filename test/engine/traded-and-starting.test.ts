/** What strategies see of traded volume by price and of starting prices: all that was known at the instant, and nothing later. */

import { describe, expect, it } from 'vitest';
import { ALTERED_PARTS, type AlteredPart } from '../../src/backtest/prove/futures/alteration.ts';
import { AlteredSource } from '../../src/backtest/prove/futures/altered-source.ts';
import { announcedUpTo, CutSource } from '../../src/backtest/prove/futures/cut-source.ts';
import type { UpdateSource } from '../../src/backtest/simulation/backtest-source.ts';
import type { OutcomeView } from '../../src/index.ts';
import type { DecideInput } from '../../src/strategy/contract.ts';
import { runOver, Script, START } from '../support/scripted-run.ts';

function script(): Script {
  const made = new Script();
  made
    .market()
    .at(1_000, { trade: [0, 2.02, 10] }, { level: [0, 'Against', 2, 50] }, { last: [0, 2.02] })
    .at(2_000, { trade: [0, 2, 5.5] }, { trade: [0, 2.02, 1] }, { start: [0, 'near', 2.137] })
    .at(3_000, { start: [0, 'far', 3.05] }, { start: [1, 'near', 1.5] }, { level: [0, 'Against', 2, 60] })
    .at(4_000, { start: [0, 'near', 0] }, { trade: [1, 3, 7] })
    .at(5_000, {
      define: { inPlayStatus: 'InPlay', outcomes: [{ status: 'Active', startingPrice: 2.2049 }, { status: 'Active' }] },
    })
    .settle(6_000, 0);
  return made;
}

interface Seen {
  readonly at: number;
  readonly ladder: ReturnType<OutcomeView['tradedLevels']>;
  readonly traded: number;
  readonly start: OutcomeView['startingPrices'];
}

async function watched(change: Parameters<typeof runOver>[2] = {}, source: UpdateSource = script().source()) {
  const seen: Seen[] = [];
  const kept: OutcomeView[] = [];
  const decide = ({ market, now }: DecideInput): [] => {
    const [first] = market.outcomes;
    if (first === undefined) return [];
    seen.push({ at: now - START, ladder: first.tradedLevels(), traded: first.traded, start: first.startingPrices });
    const [copy] = market.snapshot().outcomes;
    if (copy !== undefined) kept.push(copy);
    return [];
  };
  await runOver(source, [{ name: 'watcher', decide }], change);
  return { seen, kept };
}

const at = (seen: readonly Seen[], ms: number): Seen => seen.findLast((each) => each.at <= ms) ?? expect.fail('seen');

describe('an outcome', () => {
  it('shows its traded ladder, lowest price first', async () => {
    const { seen } = await watched();
    expect(at(seen, 0).ladder).toEqual([]);
    expect(at(seen, 1_000).ladder).toEqual([{ price: 2.02, stake: 10 }]);
    const last = [
      { price: 2, stake: 5.5 },
      { price: 2.02, stake: 11 },
    ];
    expect(at(seen, 2_000).ladder).toEqual(last);
    expect(at(seen, 5_000).ladder).toEqual(last);
    for (const { ladder, traded } of seen) expect(ladder.reduce((sum, { stake }) => sum + stake, 0)).toBe(traded);
  });

  it('shows starting prices once they are known, and not before', async () => {
    const { seen } = await watched();
    const none = { near: undefined, far: undefined, actual: undefined };
    expect(at(seen, 1_000).start).toEqual(none);
    expect(at(seen, 2_000).start).toEqual({ ...none, near: 2.137 });
    expect(at(seen, 3_000).start).toEqual({ ...none, near: 2.137, far: 3.05 });
    expect(at(seen, 4_000).start).toEqual({ ...none, far: 3.05 });
    expect(at(seen, 5_000).start).toEqual({ ...none, far: 3.05, actual: 2.205 });
  });

  it('keeps both in a copy', async () => {
    const { seen, kept } = await watched();
    for (const [index, copy] of kept.entries()) {
      expect(copy.tradedLevels()).toEqual(seen[index]?.ladder);
      expect(copy.startingPrices).toEqual(seen[index]?.start);
    }
    expect(kept.length).toBeGreaterThan(4);
  });

  it('shows a bot that polls what its last poll returned', async () => {
    const { seen } = await watched({ feed: { mode: 'poll', everyMs: 1_500 } });
    // Polls at 0, 1.5 s, 3 s and so on: of the trades at 2 s the second knows nothing.
    expect(at(seen, 2_900).ladder).toEqual([{ price: 2.02, stake: 10 }]);
    expect(at(seen, 2_900).start.near).toBeUndefined();
    expect(at(seen, 3_000).ladder).toHaveLength(2);
    // A poll returns what was there before the update of its own instant.
    expect(at(seen, 3_000).start).toEqual({ near: 2.137, far: undefined, actual: undefined });
    expect(at(seen, 4_500).start).toEqual({ near: undefined, far: 3.05, actual: undefined });
    expect(at(seen, 5_900).start.actual).toBeUndefined();
  });
});

describe('what is seen up to an instant', () => {
  const all = new Set<AlteredPart>(ALTERED_PARTS);
  it.each([1_500, 2_500, 3_500, 4_500, 5_500])(
    'does not hang on what comes %i ms after the start or later',
    async (ms) => {
      const whole = (await watched()).seen.filter((each) => each.at <= ms);
      const future = () => ({
        ...{ source: script().source(), instant: START + ms, announced: announcedUpTo(script().source(), START + ms) },
      });
      const cut = await watched({}, new CutSource(future()));
      const altered = await watched({}, new AlteredSource({ ...future(), alters: all, seed: 3 }));
      expect(whole.length).toBeGreaterThan(1);
      for (const { seen } of [cut, altered]) expect(seen.filter((each) => each.at <= ms)).toEqual(whole);
      // The future that was replaced is another one, in what was traded and in starting prices.
      if (ms < 3_000) expect(altered.seen).not.toEqual((await watched()).seen);
    },
  );
});
