/**
 * What a strategy sees of a recorded market is what the recording has said so far, apart from what docs/how-it-decides.md
 * names.
 */

import { expect, test } from 'vitest';
import { MergedUpdates } from '../../src/backtest/simulation/backtest-source.ts';
import { defined } from '../../src/core/checks/assert.ts';
import type { Tape } from '../../src/recording/tape/tape.ts';
import { LIFE_RULES } from '../../src/sandbox/traffic/tape-terms.ts';
import { termsOf } from '../../src/simulator/fill-model/market-life.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { DEFINITION, rc, withTape } from '../support/imported-stream.ts';
import { runOver, runScript, Script, START } from '../support/scripted-run.ts';

/** Notes taken at each call of a strategy, by ms after `from`. */
function notebook<Note>(from: number, note: (input: DecideInput) => Note) {
  const notes: (readonly [number, Note])[] = [];
  const plugin: StrategyPlugin = {
    name: 'notebook',
    decide(input) {
      notes.push([input.now - from, note(input)]);
      return [];
    },
  };
  return { notes, plugin };
}

function sourceOf(tape: Tape): MergedUpdates {
  return new MergedUpdates([{ index: 0, tape, market: defined(tape.markets[0], 'the tape has a market') }]);
}

async function replay(tape: Tape, plugin: StrategyPlugin): Promise<void> {
  await runOver(sourceOf(tape), [plugin]);
}

test('a market turns in play for a strategy when its recording says so, and may do so without notice', async () => {
  const script = new Script();
  script
    .market({ first: { inPlayStatus: 'NotApplicable', eventStartAction: 'None' } })
    .at(1000, { last: [0, 2] })
    .at(2000, { define: { inPlayStatus: 'PrePlay' } })
    .at(3000, { define: { inPlayStatus: 'InPlay', inPlayDelayMs: 5000 } })
    .settle(4000, 0);
  const { notes, plugin } = notebook(START, ({ market }) => market.inPlayStatus);
  await runScript(script, [plugin]);
  expect(notes).toEqual([
    [0, 'NotApplicable'],
    [1000, 'NotApplicable'],
    [2000, 'PrePlay'],
    [3000, 'InPlay'],
    [4000, 'InPlay'],
  ]);
});

test('polls show the same, one interval late at most', async () => {
  const script = new Script();
  script
    .market({ first: { inPlayStatus: 'NotApplicable' } })
    .at(2500, { define: { inPlayStatus: 'PrePlay' } })
    .settle(9000, 0);
  const { notes, plugin } = notebook(START, ({ market }) => market.inPlayStatus);
  await runScript(script, [plugin], { feed: { mode: 'poll', everyMs: 1000 } });
  expect(notes.slice(0, 2)).toEqual([
    [1000, 'NotApplicable'],
    [3000, 'PrePlay'],
  ]);
});

test('an order that comes after an unannounced switch to in play waits out the delay', async () => {
  const script = new Script();
  script
    .market({ first: { inPlayStatus: 'NotApplicable', eventStartAction: 'None' } })
    .at(1000, { level: [0, 'Against', 2, 50] })
    .at(2000, { define: { inPlayStatus: 'InPlay', inPlayDelayMs: 5000 } })
    .at(9000, { last: [0, 2] })
    .settle(20_000, 0);
  const plugin: StrategyPlugin = {
    name: 'taker',
    decide: ({ market, now }) =>
      now === START + 2000
        ? [{ kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 2, stake: 5 }]
        : [],
  };
  const { collector } = await runScript(script, [plugin]);
  // 120 ms of latency, plus the delay.
  expect([...collector.fillRows()].map(({ at }) => at - START)).toEqual([7120]);
});

const named = (id: number, name?: string) => ({ id, status: 'ACTIVE', sortPriority: id, ...(name && { name }) });
const definition = (...runners: object[]) => ({ ...DEFINITION, marketType: 'MATCH_ODDS', runners });
/** Runner 1 is named late, runner 2 is renamed, runner 3 is added; runner 2 wins. One line each second. */
const RUNNERS_CHANGE = [
  { marketDefinition: definition(named(1), named(2, 'Two')) },
  rc({ id: 2, atb: [[2, 30]] }),
  { marketDefinition: definition(named(1, 'One'), named(2, 'Two')) },
  { marketDefinition: definition(named(1, 'One'), named(2, 'Deux'), named(3, 'Three')) },
  rc({ id: 3, atb: [[8, 30]] }),
  {
    marketDefinition: {
      ...definition(
        { ...named(1, 'One'), status: 'LOSER' },
        { ...named(2, 'Deux'), status: 'WINNER' },
        { ...named(3, 'Three'), status: 'LOSER' },
      ),
      status: 'CLOSED',
    },
  },
];

test('names and added runners are shown from the definition on that has them', async () => {
  const { notes, plugin } = notebook(1000, ({ market, position }) => ({
    titles: market.outcomes.map(({ id, title, ordering }) => `${id} ${title} ${ordering}`),
    three: market.outcome('3')?.bestAgainst?.price,
    profits: market.outcomes.map(({ id }) => position.profitIfWins(id)),
  }));
  await withTape(RUNNERS_CHANGE, (tape) => replay(tape, plugin));
  const two = { three: undefined, profits: [0, 0] };
  const three = { three: undefined, profits: [0, 0, 0] };
  const last = ['1 One 1', '2 Deux 2', '3 Three 3'];
  expect(notes).toEqual([
    [0, { titles: ['1 1 1', '2 Two 2'], ...two }],
    [1000, { titles: ['1 1 1', '2 Two 2'], ...two }],
    [2000, { titles: ['1 One 1', '2 Two 2'], ...two }],
    [3000, { titles: last, ...three }],
    [4000, { titles: last, ...three, three: 8 }],
    [5000, { titles: last, ...three, three: 8 }],
  ]);
});

test('a strategy is offered a market as its first definition lists it, and an order on a runner to come is unknown', async () => {
  const offered: string[] = [];
  const plugin: StrategyPlugin = {
    name: 'early',
    watches: ({ outcomes }) => {
      offered.push(...outcomes.map(({ id, title }) => `${id} ${title}`));
      return true;
    },
    decide: ({ market, now, why }) =>
      why !== 'order' && (now === 2000 || now === 5000)
        ? [{ kind: 'place', market: market.id, outcome: '3', side: 'For', price: 8, stake: 5 }]
        : [],
  };
  await withTape(RUNNERS_CHANGE, async (tape) => {
    const latency = { request: { kind: 'fixed', ms: 0 }, response: { kind: 'fixed', ms: 0 } } as const;
    const end = await runOver(sourceOf(tape), [plugin], { latency });
    const rows = [...end.collector.orderRows()].map(({ outcomeTitle }) => outcomeTitle);
    expect(rows).toEqual(['Three']);
    expect([...end.collector.refusals]).toEqual([['UNKNOWN_OUTCOME', 1]]);
  });
  expect(offered).toEqual(['1 1', '2 Two']);
});

test('of the terms of a market only the number of outcomes and the most winners come from later definitions', async () => {
  await withTape(RUNNERS_CHANGE, (tape) => {
    const [first, ...later] = tape.definitions(0);
    const known = defined(first, 'there is a first definition');
    const changed = later.map((each) => ({
      ...each,
      ...{ winnerCount: 2, crossMatching: true, inPlayDelayMs: 5000, inPlayStatus: 'InPlay' as const },
    }));
    const rules = { ...LIFE_RULES, crossMatching: true };
    expect(termsOf([known, ...changed], rules)).toEqual({
      ...termsOf([known], rules),
      winners: { min: 1, max: 2 },
    });
  });
});
