import { describe, expect, test } from 'vitest';
import { budget } from '../support/budget.ts';
import { breachOf, fidelityOf, SCENARIOS } from '../support/fifo/fifo-scenarios.ts';
import { type Judged, judgedOf } from '../support/fifo/fifo-truth.ts';

const SEEDS = budget({ each: 2, deep: 10 });
const ORDERS = 300;

describe('the worlds of a backtest beside an exchange that shares no code with ours', () => {
  test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', async (_, scenario) => {
    const judged: Judged[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) judged.push(...(await judgedOf(scenario, seed, ORDERS)));
    const fidelity = fidelityOf(judged);
    expect(breachOf(scenario, fidelity), JSON.stringify(fidelity)).toBeUndefined();
    expect(fidelity.matched).toBeGreaterThan(30);
  });
});
