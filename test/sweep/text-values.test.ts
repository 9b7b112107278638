/** Values of a text param that read as one number are as many trials as they are texts, each with units of its own. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../app/fake-terminal.ts';
import { SweepStage } from '../support/sweep/sweep-stage.ts';

/** Backs the first outcome with as much as its label has characters: what it is told, and not what that reads as. */
const STRATEGY = `import { back, defineStrategy, param } from 'oddsmith';
export default defineStrategy({
  name: 'labelled',
  params: { label: param.text() },
  decide({ market, orders, params }) {
    const [outcome] = market.outcomes;
    if (!market.tradable || orders.length > 0 || outcome === undefined) return [];
    return [back(outcome, { stake: 2 + params.label.length, price: 1.01 })];
  },
});
`;

interface Top {
  readonly assignment: Readonly<Record<string, unknown>>;
  readonly figures: { readonly stakeMatched: number; readonly ordersMatched: number };
}

test('1, 1.0 and 01 are three trials, and each is played as it was written', async () => {
  const stage = new SweepStage({ trials: 2, races: 2 });
  const file = join(stage.directory, 'labelled.ts');
  writeFileSync(file, STRATEGY);
  const lines = [
    `strategies: [{ file: ${file} }]`,
    `tapes: [${stage.tapes.join(', ')}]`,
    `sweep: { name: texts, out: ${stage.out}, space: { params.label: { values: [1, 1.0, 01] } }, objective: stakeMatched }`,
  ];
  writeFileSync(stage.config, `${lines.join('\n')}\n`);
  const played = await run('sweep', stage.config, '--jobs', '1', '--json');
  expect(played.code, `${played.out}${played.note}`).toBe(0);
  const { units, top } = JSON.parse(played.out);
  expect(units).toMatchObject({ total: 3, computed: 3 });
  const label = 'strategies[0].params.label';
  // Some orders are matched in part.
  const stakes = (top as Top[]).map(({ assignment, figures: { stakeMatched, ordersMatched } }) => [
    String(assignment[label]),
    Math.round(stakeMatched / ordersMatched),
  ]);
  expect(Object.fromEntries(stakes)).toEqual({ 1: 3, '1.0': 5, '01': 4 });
});
