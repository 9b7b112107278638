/** The exchange machine equals the slow, obvious oracle, event by event; `npm run fuzz` plays more seeds. */

import { describe, expect, it } from 'vitest';
import { budget } from '../support/budget.ts';
import { Coverage } from '../support/coverage.ts';
import { exchangeMachine } from '../support/exchange-machine.ts';
import { duel, report, rulesOf, shrink } from '../support/matching-duel.ts';

const SEEDS = budget({ brief: 40, each: 150, deep: 150 });
const COMMANDS = 1000;

describe(`matching against the oracle, ${SEEDS} seeds × ${COMMANDS} commands`, () => {
  const coverage = new Coverage();

  it('gives the same events, balances and positions after every command, and conserves money', () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const difference = duel({ seed, commands: COMMANDS, makeMachine: exchangeMachine, coverage });
      if (difference === undefined) continue;
      const commands = shrink(difference.played, rulesOf(seed), exchangeMachine);
      expect.fail(report({ seed, commands, makeMachine: exchangeMachine }));
    }
  });

  it('reached every event, every refusal and every kind of match', () => {
    const rows = [...coverage.counts].sort().map(([name, count]) => `${name} ${count}`);
    console.log(`matching coverage: ${rows.join(' · ')}`);
    expect(coverage.missing()).toEqual([]);
  });
});
