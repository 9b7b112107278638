/** The recordings of a proof hold nothing of what comes later, or another future in its place. */

import { describe, expect, it } from 'vitest';
import { ALTERED_PARTS, type AlteredPart } from '../../src/backtest/prove/futures/alteration.ts';
import { AlteredSource } from '../../src/backtest/prove/futures/altered-source.ts';
import { announcedUpTo, CutSource } from '../../src/backtest/prove/futures/cut-source.ts';
import type { UpdateSource } from '../../src/backtest/simulation/backtest-source.ts';
import { LEVEL } from '../../src/recording/segment/update.ts';
import { Script, START } from '../support/scripted-run.ts';

const AT = START + 1_999;

/** Three outcomes; the first is the favourite and wins, the last is listed later. */
function script(): Script {
  const made = new Script();
  const [active, unlisted] = [{ status: 'Active' }, { status: 'Hidden', isUnlisted: true }] as const;
  const market = made.market({ outcomes: 3, first: { outcomes: [active, active, unlisted] } });
  market.at(
    1_000,
    { level: [0, 'Against', 2, 50] },
    { level: [1, 'Against', 5, 20] },
    { level: [2, 'Against', 9, 10] },
  );
  market.at(3_000, { level: [0, 'Against', 2, 0] }, { level: [0, 'Against', 1.9, 40] });
  market.settle(4_000, 0);
  return made;
}

const change = (made: Script) => ({ source: made.source(), instant: AT, announced: announcedUpTo(made.source(), AT) });

const altered = (parts: readonly AlteredPart[] = ALTERED_PARTS) =>
  new AlteredSource({ ...change(script()), alters: new Set(parts), seed: 1 });

/** By outcome and tick, what rests at the end of all updates. */
function ladders(source: UpdateSource): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  for (let update = source.next(); update !== undefined; update = source.next()) {
    const { count, kind, outcome, tick, amount } = update.columns();
    for (let i = 0; i < count; i += 1) {
      if (kind[i] !== LEVEL) continue;
      if (amount[i] === 0) levels.delete(`${outcome[i]}@${tick[i]}`);
      else levels.set(`${outcome[i]}@${tick[i]}`, amount[i] ?? 0);
    }
  }
  return levels;
}

const winners = (source: UpdateSource) =>
  source.recorded(0).definitions.map(({ outcomes }) => outcomes.findIndex(({ status }) => status === 'Winner'));

describe('a recording that is cut', () => {
  it('holds no definition and no winner that comes later', () => {
    expect(winners(script().source())).toEqual([-1, 0]);
    expect(winners(new CutSource(change(script())))).toEqual([-1]);
  });

  it('ends with an update without content, the first that was not published before', () => {
    const source = new CutSource(change(script()));
    const updates: number[][] = [];
    for (let update = source.next(); update !== undefined; update = source.next())
      updates.push([update.publishedAt - START, update.columns().count]);
    expect(updates).toEqual([
      [0, 1],
      [1_000, 3],
      [3_000, 0],
    ]);
  });

  it('has nothing of an update of that very instant, nor of one that opens a market', () => {
    const made = script();
    made.market().at(2_500, { last: [0, 3] });
    const source = new CutSource({
      source: made.source(),
      instant: START - 1,
      announced: announcedUpTo(made.source(), START - 1),
    });
    expect([source.next()?.columns().count, source.index, source.next()]).toEqual([0, 0, undefined]);
  });

  it('does not know an outcome that is listed later, though it knows that there will be one', () => {
    const names = (source: UpdateSource) => source.recorded(0).facts.outcomes.map(({ title }) => title);
    expect(names(script().source())).toEqual(['Outcome 0', 'Outcome 1', 'Outcome 2']);
    expect(names(new CutSource(change(script())))).toEqual(['Outcome 0', 'Outcome 1', 'unlisted 2']);
    expect(names(altered())).toEqual(['Outcome 0', 'Outcome 1', 'unlisted 2']);
  });
});

describe('a recording that is altered', () => {
  it('has another winner, and what was announced before as it was', () => {
    const [first, last] = winners(altered(['winner']));
    expect(first).toBe(-1);
    expect([1, 2]).toContain(last);
  });

  it('has the ladders of other outcomes, and no level of the old ones is left', () => {
    const whole = [...ladders(script().source()).keys()];
    const turned = [...ladders(altered(['prices'])).keys()];
    const ticksOf = (keys: readonly string[]) => keys.map((key) => key.split('@')[1]).sort();
    expect(ticksOf(turned)).toEqual(ticksOf(whole));
    expect(turned.filter((key) => whole.includes(key))).toEqual([]);
  });

  it('is the recording until then', () => {
    const other = altered();
    const source = script().source();
    for (let i = 0; i < 2; i += 1) {
      const { count, kind, outcome, tick, amount } = other.next()?.columns() ?? expect.fail('there is one');
      expect({ count, kind, outcome, tick, amount }).toEqual(
        (({ count, kind, outcome, tick, amount }) => ({ count, kind, outcome, tick, amount }))(
          source.next()?.columns() ?? expect.fail('there is one'),
        ),
      );
    }
  });
});
